//! How often a task among others is late at most: unless a job of its busy window exceeds a threshold, it is in time.
//!
//! **Theorem.** Let a task of a supply be scheduled by fixed priority, and let its level be busy for at most `W`
//! whatever jobs execute up to their longest times. If the busy-window equation gives a response time of at most `d`
//! with the thresholds `c_i` in place of the longest times of the tasks of that supply, then
//!
//! ```text
//! P{R > d}  <=  sum_i  n_i P{C_i > c_i},   n_i = ceil((W + d + J_i) / T_i);  W + 1 instead of W + d for the task itself
//! ```
//!
//! *Proof.* Let a job arrive at `a` and be late. Its level has been busy since some `s > a − W` and is busy until `a + d`.
//! All jobs of the level that run by then were released in that time, so they arrived after `a − W − J_i` and before
//! `a + d`, own ones by `a`: no more than `n_i`, and which ones they are does not depend on execution times. If all
//! of them keep their thresholds, the equation bounds this window, and the job is in time. So one of them
//! exceeds its own. ∎
//!
//! **Assumptions.** 1. Execution times are as often as long as stated; jobs may depend on each other in any
//! other way. 2. Arrivals do not depend on execution times. 3. What else comes before the task (routines, servers, what
//! the machine takes) takes the longest time always, and the supply provides its least.
//!
//! **Not covered**: tasks by deadline, packets, what a pseudo-VCPU pays for, levels whose longest times
//! exceed the supply.
//!
//! Reference: the union over thresholds is Boole's inequality; that a window with carry-in has to be looked at, and not the
//! synchronous release, is shown by Chen, Günzel et al., RTSS 2022.
//!
//! Theory: docs/theory/thresholds.md.

use super::{Response, response_time};
use crate::demand::{Load, Loads};
use crate::derivation::{Derivation, OfProbability};
use crate::ground::{Effort, NoBound};
use crate::request::Card;
use crate::request::{Competitor, Ranked};
use crate::stochastic::{Jobs, Probability, Thresholds};
use crate::supply::Supply;
use vorrang_model::system::{Member, System, TaskId};
use vorrang_time::Duration;

/// What is before the end of a job of a task, and the job itself.
pub(crate) struct Level<'a> {
    pub(crate) system: &'a System,
    pub(crate) task: TaskId,
    pub(crate) supply: &'a dyn Supply,
    /// The jobs of the task.
    pub(crate) own: &'a Load<'a>,
    /// What each of them takes besides its work.
    pub(crate) around: Duration,
    pub(crate) blocking: Duration,
    /// What is at least as urgent on the supply, the task at `place` included; from `first` on the members in
    /// order of urgency.
    pub(crate) loads: &'a [Load<'a>],
    pub(crate) place: usize,
    pub(crate) first: usize,
    /// What comes before them besides.
    pub(crate) before: &'a [Load<'a>],
    /// The members in order of urgency.
    pub(crate) ranked: &'a [Ranked<'a>],
}

/// The sum of the theorem, and its derivation.
pub(crate) struct Exceedance {
    pub(crate) later: Probability,
    pub(crate) derivation: Derivation,
}

/// Why there is none.
#[derive(Clone, Copy)]
pub(crate) enum NoExceedance {
    /// A job takes as many packets as wait.
    Packets,
    /// The busy window is too long to count the jobs in it.
    TooManyJobs,
    /// The level may be busy for ever with the longest times.
    NoBound(NoBound),
}

impl Level<'_> {
    /// How often the task takes longer than a limit, at most.
    ///
    /// # Errors
    /// Why nothing bounds that.
    pub(crate) fn exceedance(
        &self,
        limit: Duration,
        effort: &Effort,
    ) -> Result<Exceedance, NoExceedance> {
        let Self { system, task, .. } = *self;
        if takes_packets(system, task) {
            return Err(NoExceedance::Packets);
        }
        effort.restart(self.loads.len());
        // Servers count with their budgets, whatever their demand.
        let loads: Vec<Load<'_>> = self.loads.iter().map(Load::by_budgets).collect();
        let longest =
            self.response_time(&loads, self.own.cost, effort).map_err(NoExceedance::NoBound)?;
        let busy = longest.busy.ok_or(NoExceedance::NoBound(NoBound::FullLoad))?;
        let varied = self.varied(&loads);
        let jobs = self.jobs(&loads, &varied, (busy, limit));
        let jobs = jobs.ok_or(NoExceedance::TooManyJobs)?;
        let mut shorter = loads;
        effort.restart_for_all();
        let found = Thresholds::least(&jobs, |times| {
            let mut own = self.own.cost;
            for (&(at, _), &time) in varied.iter().zip(times) {
                shorter[at].cost = time;
                own = if at == self.place { time } else { own };
            }
            let found = self.response_time(&shorter, own, effort);
            found.is_ok_and(|response| response.bound <= limit)
        });
        let later = found.as_ref().map_or(Probability::ONE, |found| found.exceeded);
        let mut derivation = Derivation::of(OfProbability::Busy { task, busy });
        let tasks: Vec<TaskId> = varied.iter().map(|&(_, id)| id).collect();
        derive(&mut derivation, system, limit, found.as_ref(), (&tasks, &jobs));
        derivation.push(OfProbability::Exceeds { limit, later });
        derivation.cite("Boole's inequality over the jobs of a busy window, each against a threshold; docs/theory/thresholds.md");
        Ok(Exceedance { later, derivation })
    }

    /// Of a job whose work takes `cost`, after jobs of others that take what is in `loads`.
    fn response_time(
        &self,
        loads: &[Load<'_>],
        cost: Duration,
        effort: &Effort,
    ) -> Result<Response, NoBound> {
        let own = Load { cost: cost + self.around, ..*self.own };
        let before = Loads::without(loads, self.place).after(self.before);
        response_time(self.supply, &own, self.blocking, before, effort)
    }

    /// The tasks with a distribution of their execution times, where a load is one job of them.
    fn varied(&self, loads: &[Load<'_>]) -> Vec<(usize, TaskId)> {
        let members = loads[self.first..].iter().zip(self.ranked).zip(self.first..);
        let varied = members.filter_map(|((load, ranked), at)| {
            let Competitor::Member(Member::Task(id)) = ranked.who else { return None };
            let task = self.system.task(id);
            let is_one_job =
                id == self.task || load.cost == task.wcet && !takes_packets(self.system, id);
            (!task.execution.is_empty() && is_one_job).then_some((at, id))
        });
        varied.collect()
    }

    /// How many jobs of each of them count; `None` out of range.
    fn jobs(
        &self,
        loads: &[Load<'_>],
        varied: &[(usize, TaskId)],
        (busy, limit): (Duration, Duration),
    ) -> Option<Vec<Jobs>> {
        let of = |&(at, id): &(usize, TaskId)| {
            let is_own = at == self.place;
            let load = if is_own { self.own } else { &loads[at] };
            let until = if is_own { Duration::RESOLUTION } else { limit };
            let window = busy.checked_add(until)?;
            Some(Jobs::new(load.occurrences(window), &self.system.task(id).execution))
        };
        varied.iter().map(of).collect()
    }
}

fn takes_packets(system: &System, task: TaskId) -> bool {
    Card::polled_by(system, task).or_else(|| Card::read_by(system, task)).is_some()
}

/// Which thresholds were found for these tasks, and by how many jobs each may be exceeded.
fn derive(
    to: &mut Derivation,
    system: &System,
    limit: Duration,
    found: Option<&Thresholds>,
    (tasks, jobs): (&[TaskId], &[Jobs]),
) {
    let Some(Thresholds { times, .. }) = found else {
        return to.push(OfProbability::NoThresholds { limit });
    };
    to.push(OfProbability::Thresholds { limit });
    to.indented(|to| {
        for ((&task, jobs), &threshold) in tasks.iter().zip(jobs).zip(times) {
            let execution = &system.task(task).execution;
            let all = execution.iter().map(|&(_, weight)| u64::from(weight)).sum();
            let longer = execution.iter().filter(|&&(time, _)| time > threshold);
            let longer = longer.map(|&(_, weight)| u64::from(weight)).sum();
            let jobs = jobs.count();
            to.push(OfProbability::Threshold { task, threshold, jobs, longer, all });
        }
    });
}
