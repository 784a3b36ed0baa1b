//! Whether a thread ran where and as the description says: otherwise its bounds do not apply to it.
//!
//! **Assumptions.** 1. A thread keeps the policy with which it last had a processor in the trace; one that
//! inherits a priority at the end is said to have that.
//!
//! **Does not cover** runtime and period of a reservation, which no trace shows.

use super::Look;
use std::collections::BTreeSet;
use vorrang_model::system::{Scheduler, SupplyId, TaskId};

/// Of `SCHED_DEADLINE`, as the kernel counts.
pub(super) const RESERVED: i32 = -1;
/// The kernel counts from the most urgent on, `SCHED_FIFO` from the least.
const MOST_URGENT: i32 = 99;

impl Look<'_> {
    /// Notes on where and how a thread of something ran.
    pub(super) fn strange(
        &self,
        name: &str,
        on: SupplyId,
        thread: u32,
        priority: Option<i32>,
    ) -> Vec<String> {
        let own = self.schedule.all_runs().filter(|run| run.thread == thread);
        let elsewhere = self.elsewhere(name, on, own.map(|run| run.cpu));
        let seen = self.schedule.priorities.get(&thread).copied();
        let wrong = seen.zip(priority).filter(|(seen, stated)| seen != stated);
        let otherwise = wrong.map(|(seen, stated)| {
            format!("{name}: it last ran as {}, not as {}", policy(seen), policy(stated))
        });
        elsewhere.into_iter().chain(otherwise).collect()
    }

    /// Processors that are not that of a core.
    pub(super) fn elsewhere(
        &self,
        name: &str,
        on: SupplyId,
        cpus: impl Iterator<Item = usize>,
    ) -> Option<String> {
        let core = &self.system.supply(self.system.core_of(on)).name;
        let stated = *self.system.host.cpus.get(core)?;
        let others: BTreeSet<usize> = cpus.filter(|&cpu| cpu != stated as usize).collect();
        let others: Vec<String> = others.iter().map(usize::to_string).collect();
        (!others.is_empty()).then(|| {
            format!("{name}: it ran on processor {}, not only on {stated}", others.join(", "))
        })
    }

    /// The priority of a task's thread as the kernel counts, where the description says more than an order.
    pub(super) fn kernel_priority(&self, id: TaskId) -> Option<i32> {
        let task = self.system.task(id);
        let supply = self.system.supply(task.on);
        let priority = i32::try_from(task.priority.0).ok()?;
        let is_of_linux = supply.scheduler == Scheduler::Linux;
        (is_of_linux && (1..=MOST_URGENT).contains(&priority)).then_some(MOST_URGENT - priority)
    }
}

/// What a priority of the kernel means.
fn policy(priority: i32) -> String {
    match priority {
        RESERVED => "SCHED_DEADLINE".to_owned(),
        0..=98 => format!("SCHED_FIFO (or _RR), {}", MOST_URGENT - priority),
        _ => "SCHED_OTHER".to_owned(),
    }
}
