//! The only task of a constant-bandwidth server.
//!
//! **Theorem.** Job q since the server started afresh at `r` completes by the deadline of the last budget that
//! it uses, `r + ceil((q + 1) C / Q) T`, or as late as that budget is, and arrived at `r − J + q T_task`
//! or later. If no job up to it can have found a pair that is kept, it completes with that part of the budget which it uses
//! ([`Portion`]): in a hard server `(k − 1) T + R(W − (k − 1) Q)` after `r`, with `W = (q + 1) C` and `k = ceil(W / Q)`; a soft one was
//! wanted throughout since `r`, with the deadline `r + k T`. `W` is that with what is charged.
//!
//! *Proof.* The first job uses whole budgets; later ones may have slept in between. A job that
//! arrives after the last deadline before it responds no later than the first one, for `ceil` of a
//! sum is at most the sum of both. What the server pays for besides counts like work. Job j finds a pair kept only if what was
//! used until then, at most W of the job before and a block of routines, has `used T > (j T_task − J) Q`, or, of `SCHED_DEADLINE`, if
//! both are equal: see the pages. ∎
//!
//! **Assumptions.** 1. The task is all that the server is used for, and keeps its least inter-arrival time. 2. The server is late
//! as [`Late`] says. 3. Its deadline is its period.
//!
//! Reference: Abeni, Manica, Palopoli 2009.
//!
//! Theory: docs/theory/constant-bandwidth.md, docs/theory/budget-delivery.md, docs/theory/late-delivery.md.

use super::{Deliveries, EarlierJobs, Late, Portion};
use crate::derivation::{Derivation, OfLoneTask};
use crate::ground::Rate;
use crate::ground::{Effort, NoBound};
use crate::server_kind::{Provides, Sheet};
use crate::supply::curves::Curves;
use crate::supply::{Charges, Others};
use vorrang_model::system::{Server, SupplyId, Task, TaskId};
use vorrang_time::Duration;

/// A task that is alone in a server.
#[derive(Clone, Copy)]
pub(crate) struct Alone<'a> {
    /// It and the server.
    pub(crate) of: ((TaskId, &'a Task), (SupplyId, &'a Server)),
    /// Least distance of its jobs, and their jitter.
    pub(crate) apart: Duration,
    pub(crate) jitter: Duration,
    pub(crate) late: Late,
    /// What is charged to the server.
    pub(crate) charges: Option<&'a Charges<'a>>,
    /// By when parts of budgets are delivered, where that is looked for.
    pub(crate) deliveries: Option<&'a Deliveries<'a>>,
}

/// Jobs since a server started afresh of which the delivery is looked for one by one.
const ONE_BY_ONE: u64 = 16;

/// Its worst job.
pub(crate) struct Worst {
    pub(crate) bound: Duration,
    /// Which job since the server started afresh, from 0.
    job: u64,
    /// The time of the server that is used, interrupts included.
    used: Duration,
    budgets: u64,
    /// How late the last of them may be.
    late: Duration,
    /// When its part of that one is delivered, from when the server started afresh on.
    delivered: Option<Duration>,
}

impl Alone<'_> {
    /// What the bound of its worst job is read off.
    pub(crate) fn curves(&self, worst: &Worst) -> Curves {
        let (_, (_, server)) = self.of;
        let budgets = (server.budget, server.period, worst.late);
        let used = (worst.used, worst.budgets, worst.delivered);
        Curves::in_whole_budgets(budgets, used, worst.bound)
    }

    /// # Errors
    /// Why there is no bound.
    pub(crate) fn worst(&self, effort: &Effort) -> Result<Worst, NoBound> {
        let ((_, task), (_, server)) = self.of;
        let needs = Rate::floor(task.wcet, self.apart);
        // Searches for deliveries use that of the supply.
        let effort = &effort.another();
        effort.expect(needs, Rate::ceil(server.budget, server.period), 1)?;
        let mut worst: Option<Worst> = None;
        let mut work = Duration::ZERO;
        let mut arrived = Duration::ZERO;
        let mut may_be_kept = false;
        let mut spent = Duration::ZERO;
        for job in 0.. {
            effort.spend(1)?;
            work = work.checked_add(task.wcet).ok_or(NoBound::TooLong)?;
            may_be_kept |= self.may_find_a_pair(job, spent);
            let late = if job == 0 { self.late.whole } else { self.late.kept };
            let used = self.used(work, job, late, effort)?;
            let due = self.by(used)?;
            let done = due.checked_add(self.jitter).ok_or(NoBound::TooLong)?;
            let mut end = due.checked_add(late).ok_or(NoBound::TooLong)?;
            let delivered = if may_be_kept { None } else { self.delivered(used, job) };
            let delivered = delivered.filter(|&delivered| delivered < end);
            end = delivered.unwrap_or(end);
            let bound = end.checked_add(self.jitter).ok_or(NoBound::TooLong)?;
            let bound = bound.saturating_sub(arrived);
            if worst.as_ref().is_none_or(|worst| bound > worst.bound) {
                let budgets = used.div_ceil(server.budget);
                worst = Some(Worst { bound, job, used, budgets, late, delivered });
            }
            arrived = arrived.checked_add(self.apart).ok_or(NoBound::TooLong)?;
            spent = used.checked_add(self.block()).ok_or(NoBound::TooLong)?;
            let sleeps = delivered.is_some_and(|delivered| delivered + self.jitter < arrived);
            if done <= arrived || sleeps && !self.may_find_a_pair(job + 1, spent) {
                break;
            }
        }
        // The loop ends behind a job, and the first one is the worst so far.
        Ok(worst.expect("one job at least"))
    }

    /// The routines that may still be charged when the guest sleeps.
    fn block(&self) -> Duration {
        self.charges.map_or(Duration::ZERO, |charges| charges.block)
    }

    /// Whether a job may find what is left of a budget, with its deadline, although the guest slept, where so much was used since
    /// the server started afresh.
    fn may_find_a_pair(&self, job: u64, spent: Duration) -> bool {
        let (_, (_, server)) = self.of;
        let ns = |time: Duration| u128::from(time.as_ns());
        let since = (u128::from(job) * ns(self.apart)).saturating_sub(ns(self.jitter));
        let wanted = ns(spent).saturating_mul(ns(server.period));
        let share = since.saturating_mul(ns(server.budget));
        // `SCHED_DEADLINE` keeps a pair that is exactly its share.
        let keeps_equal = server.kind().is_of_linux();
        job > 0 && (wanted > share || keeps_equal && wanted == share)
    }

    /// When the part of the last budget is delivered that a job uses, with what is charged, from when the server started afresh
    /// on, if no job since found a pair.
    fn delivered(&self, work: Duration, job: u64) -> Option<Duration> {
        let (deliveries, (_, (_, server))) = (self.deliveries?, self.of);
        let Server { budget, period, .. } = *server;
        let budgets = work.div_ceil(budget);
        if Sheet::of_server(server).provides == Provides::Ahead {
            let portion = Portion { work, deadline: period.checked_mul(budgets)? };
            let delivered = |portion| self.delivery(deliveries, portion, 0);
            return if job < ONE_BY_ONE { delivered(portion) } else { None };
        }
        let before = period.checked_mul(budgets - 1)?;
        let part = work - budget * (budgets - 1);
        let delivered = if job < ONE_BY_ONE {
            self.delivery(deliveries, Portion { work: part, deadline: period }, budgets - 1)?
        } else {
            // What is not used of a budget takes its time at least.
            deliveries.whole()? - (budget - part)
        };
        before.checked_add(delivered)
    }

    /// When a part of a budget is delivered, so many budgets after the server started afresh.
    fn delivery(
        &self,
        deliveries: &Deliveries<'_>,
        portion: Portion,
        budgets: u64,
    ) -> Option<Duration> {
        let ((_, task), _) = self.of;
        let Some(response) = deliveries.response() else { return deliveries.of(portion) };
        let (cost, apart) = (task.wcet, self.apart);
        deliveries.after_jobs(portion, EarlierJobs { cost, apart, response, budgets })
    }

    /// The end of the last period of which so much of the server's time is used.
    fn by(&self, used: Duration) -> Result<Duration, NoBound> {
        let (_, (_, server)) = self.of;
        let done = server.period.checked_mul(used.div_ceil(server.budget));
        done.ok_or(NoBound::TooLong)
    }

    /// The time of the server for this work, with what is charged to it.
    fn used(
        &self,
        work: Duration,
        job: u64,
        late: Duration,
        effort: &Effort,
    ) -> Result<Duration, NoBound> {
        let Some(charges) = self.charges else { return Ok(work) };
        // A routine that wakes the guest may still run, and it sleeps after each job.
        let others = Others { blocks: 1, sleeps: job };
        charges.used_for((work, others), effort, |used| {
            self.by(used)?.checked_add(late).ok_or(NoBound::TooLong)
        })
    }

    /// The derivation of the bound of the worst job.
    pub(crate) fn derive(&self, worst: &Worst, to: &mut Derivation) {
        let ((task, described), (server, own)) = self.of;
        let Worst { bound, job, used, budgets, late, delivered } = *worst;
        let Server { budget, period, .. } = *own;
        to.push(OfLoneTask::InServer { task, job, server, budgets, period });
        if self.charges.is_some_and(|charges| !charges.run.is_empty()) {
            let work = described.wcet * (job + 1);
            to.push(OfLoneTask::Pays { server, work, used });
        }
        if let Some(by) = delivered {
            let (jitter, apart) = (self.jitter, self.apart);
            to.push(OfLoneTask::Delivered { by, jitter, job, apart, bound });
            to.cite("part of a budget by the demand of all members, after Spuri 1996; docs/theory/budget-delivery.md");
            return;
        }
        if !late.is_zero() {
            to.push(OfLoneTask::Late { server, late });
        }
        let (late, apart) = (self.jitter + late, self.apart);
        to.push(OfLoneTask::Sum { used, budget, period, late, job, apart, bound });
        to.cite("constant-bandwidth server with one task, Abeni, Manica, Palopoli 2009: R <= ceil(C/Q) T where T_task >= ceil(C/Q) T; docs/theory/constant-bandwidth.md");
    }
}
