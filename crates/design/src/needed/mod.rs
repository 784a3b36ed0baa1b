//! The least budget that a server needs in one history, whatever analysis is asked: below it a job is late, so no
//! true bound proves the design.
//!
//! **Model.** All tasks in the server arrive together, at an instant at which its whole budget Q has just
//! returned, and then as often as they may; nothing else runs. From there on the server gives at most Q in
//! each period T, so what has to be done first is done no sooner than after
//!
//! ```text
//!   P(w) = w + (ceil(w / Q) − 1) (T − Q)
//! ```
//!
//! What is due by an instant must be done by then, whatever schedules the guest; and by priority a
//! task waits for those that are more urgent. P falls as Q grows, so the least Q is found by halving.
//!
//! **Assumptions.** 1. The history is one: tasks are sporadic, and the instant can be chosen; those with an offset are
//! left out. Budgets of
//! periodic, polling and deferrable servers return every T from an instant on that no description fixes; that
//! of a sporadic server counts from when its level became active, which is that instant, as nothing more
//! urgent need run.
//!
//! **Cost.** [`DEADLINES`] for each task, and a response time for each.
//!
//! **Does not cover** other kinds of servers, cores with a kernel, overruns or timers (what is in [`Needed`]
//! is empty then), and what is in servers in the server, but for its work.

use crate::around::{chain, has_pseudo_vcpu};
use vorrang_model::system::{
    Activation, Member, RequirementKind, Scheduler, ServerKind, Supply, SupplyId, TaskId,
};
use vorrang_model::{Allowed, Open, OpenKey, System};
use vorrang_time::Duration;

/// Deadlines of each task that are looked at.
const DEADLINES: u64 = 8;

/// What is required in a server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Needed {
    jobs: Vec<Jobs>,
}

/// The jobs of a task that must be in time.
#[derive(Clone, Debug)]
struct Jobs {
    wcet: Duration,
    period: Duration,
    limit: Duration,
    /// Execution time and period of what runs before it in the server.
    above: Vec<(Duration, Duration)>,
}

impl Needed {
    pub(crate) fn new(open: &Open, system: &System, id: SupplyId) -> Self {
        if !is_known(open, system, id) {
            return Self::default();
        }
        let supply = system.supply(id);
        let tasks: Vec<TaskId> = supply
            .members
            .iter()
            .filter_map(|member| match member {
                Member::Task(task) => Some(*task),
                Member::Server(_) => None,
            })
            .filter(|task| {
                let own = system.task(*task);
                own.activation == Activation::Sporadic
                    && own.distances.is_none()
                    && own.offset.is_none()
            })
            .collect();
        let chosen = |task: TaskId| {
            let name = &system.task(task).name;
            let mut values = open.values().iter();
            values.any(|value| value.key == OpenKey::Priority && value.of == *name)
        };
        let by_priority = supply.scheduler == Scheduler::FixedPriority;
        let by_priority = by_priority && !tasks.iter().any(|task| chosen(*task));
        let above = |own: TaskId| {
            let urgency = |task: TaskId| system.task(task).priority;
            let above =
                tasks.iter().filter(|task| urgency(**task).is_more_urgent_than(urgency(own)));
            above.map(|task| takes(system, *task)).collect()
        };
        let required = system.requirements.iter().filter(|of| of.probability.is_none());
        let jobs = required.filter_map(|of| {
            let RequirementKind::Deadline(task) = of.kind else { return None };
            let (wcet, period) = takes(system, task);
            tasks.contains(&task).then(|| Jobs {
                wcet,
                period,
                limit: of.limit,
                above: if by_priority { above(task) } else { Vec::new() },
            })
        });
        Self { jobs: jobs.collect() }
    }

    /// The least budget in a period; more than the period: none is enough.
    pub(crate) fn least(&self, period: Duration) -> Duration {
        let mut budget = Duration::RESOLUTION;
        for own in &self.jobs {
            budget = least(budget, period, |budget| {
                own.completes(Budget { budget, period }).is_some_and(|time| time <= own.limit)
            });
            for job in 0..DEADLINES {
                let time = own.limit + own.period * job;
                let work = self.due(time);
                budget = least(budget, period, |budget| {
                    Budget { budget, period }.done(work).is_some_and(|done| done <= time)
                });
            }
        }
        budget
    }

    /// What must be done by some time.
    fn due(&self, time: Duration) -> Duration {
        let jobs = self.jobs.iter().filter(|own| own.limit <= time);
        jobs.map(|own| own.wcet * ((time - own.limit).div_floor(own.period) + 1)).sum()
    }
}

impl Jobs {
    /// When the first job is complete; `None`: not by its limit.
    fn completes(&self, of: Budget) -> Option<Duration> {
        let mut time = Duration::ZERO;
        loop {
            let before =
                self.above.iter().map(|(wcet, period)| *wcet * time.div_ceil(*period).max(1));
            let next = of.done(before.fold(self.wcet, |sum, own| sum + own))?;
            if next > self.limit {
                return None;
            }
            if next == time {
                return Some(time);
            }
            time = next;
        }
    }
}

/// A budget that returns every period.
#[derive(Clone, Copy)]
struct Budget {
    budget: Duration,
    period: Duration,
}

impl Budget {
    /// When some work is done at the earliest; `None`: beyond what can be said.
    fn done(self, work: Duration) -> Option<Duration> {
        let waits = work.div_ceil(self.budget).saturating_sub(1);
        (self.period - self.budget).checked_mul(waits)?.checked_add(work)
    }
}

/// The least budget from `first` on with which something holds; a step more than the period if it does not even then.
fn least(first: Duration, period: Duration, holds: impl Fn(Duration) -> bool) -> Duration {
    let none = period + Duration::RESOLUTION;
    if first > period || holds(first) {
        return first;
    }
    if !holds(period) {
        return none;
    }
    let (mut below, mut enough) = (first.as_ns(), period.as_ns());
    while enough - below > 1 {
        let middle = below.midpoint(enough);
        if holds(Duration::from_ns(middle)) {
            enough = middle;
        } else {
            below = middle;
        }
    }
    Duration::from_ns(enough)
}

fn takes(system: &System, task: TaskId) -> (Duration, Duration) {
    let task = system.task(task);
    (task.wcet, task.min_interarrival)
}

/// Whether the history is one of the server.
fn is_known(open: &Open, system: &System, id: SupplyId) -> bool {
    let core = system.core_of(id);
    let of_core = system.supply(core);
    let Some(server) = system.supply(id).server() else { return false };
    let idles = |kind: ServerKind| kind == ServerKind::Periodic;
    let kind = match server.kind() {
        ServerKind::Periodic | ServerKind::Polling | ServerKind::Deferrable => true,
        // One that idles its budget away makes levels active without work.
        ServerKind::Sporadic => {
            let servers = system.supplies.iter().filter_map(Supply::server);
            let may_idle = |allowed: &Allowed| match allowed {
                Allowed::Kinds(kinds) => kinds.iter().any(|kind| idles(*kind)),
                _ => false,
            };
            !servers.into_iter().any(|other| idles(other.kind()))
                && !open.values().iter().any(|value| may_idle(&value.allowed))
        }
        ServerKind::CbsHard
        | ServerKind::CbsSoft
        | ServerKind::SchedDeadline
        | ServerKind::Slot
        | ServerKind::Table
        | ServerKind::PosixSporadic
        | ServerKind::RefillQueue
        | ServerKind::Share
        | ServerKind::Level => false,
    };
    kind && of_core.kernel.is_none()
        && of_core.overrun.is_zero()
        && system.timers_on(core).next().is_none()
        && !chain(system, id).iter().any(|own| has_pseudo_vcpu(system, *own))
}

#[cfg(test)]
mod tests;
