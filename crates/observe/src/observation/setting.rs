//! Whether a thread ran where and as the description says: otherwise its bounds do not apply to it.
//!
//! **Assumptions.** 1. A thread keeps the policy with which it last had a processor in the trace, unless it
//! had the described one before. 2. One that had that, and was more urgent besides, inherited a priority: it held
//! what a more urgent thread waited for.
//!
//! **Does not cover** runtime and period of a reservation, which no trace shows.

use super::{Look, Seen};
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
        let had = |priority| self.schedule.had.contains_key(&(thread, priority));
        let wrong = seen.zip(priority).filter(|&(seen, stated)| seen != stated && !had(stated));
        let otherwise = wrong.map(|(seen, stated)| {
            format!("{name}: it last ran as {}, not as {}", policy(seen), policy(stated))
        });
        elsewhere.into_iter().chain(otherwise).collect()
    }

    /// What the thread of a task on a core inherited: the description covers it if one of those for whom it may
    /// be in the way states how long (`blocking`).
    pub(super) fn inheritance(&self, id: TaskId, thread: u32, seen: &mut Seen) {
        let Some(stated) = self.kernel_priority(id) else { return };
        if !self.schedule.had.contains_key(&(thread, stated)) {
            return;
        }
        let lent = self.schedule.inherited.iter().filter(|one| one.thread == thread);
        let lent = lent.map(|one| (one.priority, one.at));
        let ran = self.schedule.had.iter().filter(|((of, _), _)| *of == thread);
        let ran = ran.map(|(&(_, priority), &at)| (priority, at));
        let mut raised: Vec<(i32, u64)> =
            lent.clone().chain(ran).filter(|&(priority, _)| priority < stated).collect();
        raised.sort_unstable();
        let Some(&(most, at)) = raised.first() else { return };
        let name = &self.system.task(id).name;
        let how = match lent.count() {
            0 => "which looks like priority inheritance".to_owned(),
            1 => "by priority inheritance (sched_pi_setprio)".to_owned(),
            times => format!("by priority inheritance (sched_pi_setprio, {times} times)"),
        };
        let text = format!(
            "{name}: it was {}, not {}, at {}, {how}: a more urgent thread waited for what it held",
            policy(most),
            policy(stated),
            seconds(at)
        );
        if self.is_stated(id) {
            seen.remarks.push(text);
        } else {
            seen.notes.push(format!("{text}, and no more urgent task states `blocking`"));
        }
    }

    /// Whether one that is more urgent than a task beside it states how long it may be blocked.
    fn is_stated(&self, id: TaskId) -> bool {
        let task = self.system.task(id);
        let mut others = self.system.tasks.iter().filter(|other| other.on == task.on);
        others.any(|other| other.priority.0 > task.priority.0 && !other.blocking.is_zero())
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

/// An instant as a trace writes it.
fn seconds(at: u64) -> String {
    format!("{}.{:06}", at / 1_000_000_000, at % 1_000_000_000 / 1_000)
}

/// What a priority of the kernel means.
fn policy(priority: i32) -> String {
    match priority {
        RESERVED => "SCHED_DEADLINE".to_owned(),
        0..=98 => format!("SCHED_FIFO (or _RR), {}", MOST_URGENT - priority),
        _ => "SCHED_OTHER".to_owned(),
    }
}
