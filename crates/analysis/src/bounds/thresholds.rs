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

use super::found::{Seldom, Sum, task_of};
use super::{Node, Walk};
use crate::assumed::{assumptions, no_own_storm};
use crate::assumption::Assumption;
use crate::competitor::{Competitor, Ranked};
use crate::derivation::{Derivation, OfProbability};
use crate::device::Card;
use crate::effort::{Effort, NoBound};
use crate::finding::{Local, Method};
use crate::fixed_priority::{Response, response_time};
use crate::load::{Load, Loads};
use crate::reason::Reason;
use crate::stochastic::{Jobs, Probability, Thresholds};
use vorrang_model::system::{Activation, Member, System, TaskId};
use vorrang_time::Duration;

/// What is before the end of a job of a task, and the job itself.
pub(super) struct Level<'a> {
    /// The jobs of the task.
    pub(super) own: &'a Load<'a>,
    pub(super) blocking: Duration,
    /// What is at least as urgent on the supply, the task at `place` included; from `first` on the members in
    /// order of urgency.
    pub(super) loads: &'a [Load<'a>],
    pub(super) place: usize,
    pub(super) first: usize,
    /// What comes before them besides.
    pub(super) before: &'a [Load<'a>],
    /// The members in order of urgency.
    pub(super) ranked: &'a [Ranked<'a>],
}

impl Level<'_> {
    /// Of a job that takes `cost`, after jobs of others that take what is in `loads`.
    fn response_time(
        &self,
        node: Node<'_>,
        loads: &[Load<'_>],
        cost: Duration,
        effort: &Effort,
    ) -> Result<Response, NoBound> {
        let own = Load { cost, ..*self.own };
        let before = Loads::without(loads, self.place).after(self.before);
        response_time(node.supply, &own, self.blocking, before, effort)
    }
}

impl Walk<'_> {
    /// For each limit that a task must keep with a probability: how often it does not, at most.
    pub(super) fn seldom_later(
        &mut self,
        node: Node<'_>,
        task: TaskId,
        level: &Level<'_>,
        effort: &Effort,
    ) {
        let system = self.system;
        let asked = system.requirements.iter().filter(|required| {
            required.probability.is_some() && task_of(system, required.kind) == Some(task)
        });
        for limit in asked.map(|required| required.limit) {
            let method = Method { local: Local::Thresholds, form: node.form };
            let found = self.sum((node, method), task, (level, limit), effort);
            self.seldom[task.0].push(Seldom { limit, method, found });
        }
    }

    fn sum(
        &self,
        (node, method): (Node<'_>, Method),
        task: TaskId,
        (level, limit): (&Level<'_>, Duration),
        effort: &Effort,
    ) -> Result<Sum, Reason> {
        let system = self.system;
        let unknown = |why| Reason::NoReservation { what: system.task(task).name.clone(), why };
        if takes_packets(system, task) {
            return Err(unknown("a job takes as many packets as wait"));
        }
        effort.restart(level.loads.len());
        // Servers count with their budgets, whatever is asked of them.
        let loads: Vec<Load<'_>> =
            level.loads.iter().map(|load| Load { used_by: None, ..*load }).collect();
        let level = &Level { loads: &loads, ..*level };
        let around = node.around_job(task);
        let longest = level
            .response_time(node, level.loads, level.own.cost + around, effort)
            .map_err(|why| self.why.no_bound(node.id, why))?;
        let varied = self.varied(level, task);
        let jobs: Option<Vec<Jobs>> = varied
            .iter()
            .map(|&(at, id)| {
                let is_own = at == level.place;
                let load = if is_own { level.own } else { &level.loads[at] };
                let until = if is_own { Duration::RESOLUTION } else { limit };
                let window = longest.busy.checked_add(until)?;
                Some(Jobs::new(load.occurrences(window), &system.task(id).execution))
            })
            .collect();
        let jobs = jobs.ok_or_else(|| unknown("its busy window is too long to count jobs"))?;
        let mut shorter = level.loads.to_vec();
        effort.restart_for_all();
        let found = Thresholds::least(&jobs, |times| {
            let mut own = level.own.cost;
            for (&(at, _), &time) in varied.iter().zip(times) {
                shorter[at].cost = time;
                own = if at == level.place { time } else { own };
            }
            let found = level.response_time(node, &shorter, own + around, effort);
            found.is_ok_and(|response| response.bound <= limit)
        });
        let mut assumed = assumptions(system, node.id, method);
        assumed.push(Assumption::Independence);
        if let Activation::Interrupt(id) = system.task(task).activation {
            assumed.extend(no_own_storm(system, system.interrupt(id)));
        }
        assumed.sort_unstable();
        let later = found.as_ref().map_or(Probability::ONE, |found| found.exceeded);
        let mut derivation = Derivation::of(OfProbability::Busy { task, busy: longest.busy });
        let tasks: Vec<TaskId> = varied.iter().map(|&(_, id)| id).collect();
        derive(&mut derivation, system, limit, found.as_ref(), (&tasks, &jobs));
        derivation.push(OfProbability::Exceeds { limit, later });
        derivation.cite("Boole's inequality over the jobs of a busy window, each against a threshold; docs/theory/thresholds.md");
        Ok(Sum { later, assumptions: assumed, derivation })
    }

    /// The tasks of a level that state how often a job takes which time, where a load is one job of them.
    fn varied(&self, level: &Level<'_>, own: TaskId) -> Vec<(usize, TaskId)> {
        let members = level.loads[level.first..].iter().zip(level.ranked).zip(level.first..);
        let varied = members.filter_map(|((load, ranked), at)| {
            let Competitor::Member(Member::Task(id)) = ranked.who else { return None };
            let task = self.system.task(id);
            let is_one_job = id == own || load.cost == task.wcet && !takes_packets(self.system, id);
            (!task.execution.is_empty() && is_one_job).then_some((at, id))
        });
        varied.collect()
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
