//! The only task of a constant-bandwidth server.
//!
//! **Theorem.** Job q since the server started afresh at `r` completes by the deadline of the last budget that
//! it uses, `r + ceil((q + 1) C / Q) T`, or as late as that budget is, and arrived at `r − J + q T_task`
//! or later.
//!
//! *Proof.* The first job uses whole budgets; later ones may have slept in between. A job that
//! arrives after the last deadline before it responds no later than the first one, for `ceil` of a
//! sum is at most the sum of both. What the server pays for besides counts like work. ∎
//!
//! **Assumptions.** 1. The task is all that the server is used for, and keeps its least inter-arrival time. 2. The server is late
//! as [`Late`] says. 3. Its deadline is its period.
//!
//! Reference: Abeni, Manica, Palopoli 2009.
//!
//! Theory: docs/theory/constant-bandwidth.md.

use super::Late;
use crate::curves::Curves;
use crate::derivation::{Derivation, OfResponse};
use crate::effort::{Effort, NoBound};
use crate::rate::Rate;
use crate::supply::{Charges, Others};
use vorrang_model::system::{Server, SupplyId, Task, TaskId};
use vorrang_time::Duration;

/// A task that is alone in a server.
#[derive(Clone, Copy)]
pub(crate) struct Alone<'a> {
    pub(crate) task: (TaskId, &'a Task),
    /// Least distance of its jobs, and their jitter.
    pub(crate) apart: Duration,
    pub(crate) jitter: Duration,
    pub(crate) server: (SupplyId, &'a Server),
    pub(crate) late: Late,
    /// What is charged to the server.
    pub(crate) charges: Option<&'a Charges<'a>>,
}

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
}

impl Alone<'_> {
    /// What the bound of its worst job is read off.
    pub(crate) fn curves(&self, worst: &Worst) -> Curves {
        let (_, server) = self.server;
        let budgets = (server.budget, server.period, worst.late);
        Curves::in_whole_budgets(budgets, (worst.used, worst.budgets), worst.bound)
    }

    /// # Errors
    /// Why there is no bound.
    pub(crate) fn worst(&self, effort: &Effort) -> Result<Worst, NoBound> {
        let ((_, task), (_, server)) = (self.task, self.server);
        let needs = Rate::floor(task.wcet, self.apart);
        effort.expect(needs, Rate::ceil(server.budget, server.period), 1)?;
        let zero = Duration::ZERO;
        let mut worst = Worst { bound: zero, job: 0, used: zero, budgets: 0, late: zero };
        let mut work = Duration::ZERO;
        let mut arrived = Duration::ZERO;
        for job in 0.. {
            effort.spend(1)?;
            work = work.checked_add(task.wcet).ok_or(NoBound::TooLong)?;
            let late = if job == 0 { self.late.whole } else { self.late.kept };
            let used = self.used(work, job, late, effort)?;
            let done = self.by(used)?;
            let done = done.checked_add(self.jitter).ok_or(NoBound::TooLong)?;
            let bound = done.checked_add(late).ok_or(NoBound::TooLong)?.saturating_sub(arrived);
            if bound > worst.bound {
                worst = Worst { bound, job, used, budgets: used.div_ceil(server.budget), late };
            }
            arrived = arrived.checked_add(self.apart).ok_or(NoBound::TooLong)?;
            if done <= arrived {
                break;
            }
        }
        Ok(worst)
    }

    /// The end of the last period of which so much of the server's time is used.
    fn by(&self, used: Duration) -> Result<Duration, NoBound> {
        let (_, server) = self.server;
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
        let ((task, described), (server, own)) = (self.task, self.server);
        let Worst { bound, job, used, budgets, late } = *worst;
        let Server { budget, period, .. } = *own;
        to.push(OfResponse::AloneInServer { task, job, server, budgets, period });
        if self.charges.is_some_and(|charges| !charges.run.is_empty()) {
            let work = described.wcet * (job + 1);
            to.push(OfResponse::AlonePays { server, work, used });
        }
        if !late.is_zero() {
            to.push(OfResponse::AloneLate { server, late });
        }
        let (late, apart) = (self.jitter + late, self.apart);
        to.push(OfResponse::AloneSum { used, budget, period, late, job, apart, bound });
        to.cite("constant-bandwidth server with one task, Abeni, Manica, Palopoli 2009: R <= ceil(C/Q) T where T_task >= ceil(C/Q) T; docs/theory/constant-bandwidth.md");
    }
}
