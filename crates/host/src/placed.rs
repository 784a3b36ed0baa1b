//! The changes of a machine for tasks that stand on the core itself: each of their threads gets its processor and its priority.
//!
//! **Model.** It is not parked, and stays in its group: no group limits `SCHED_FIFO`. The policy is its own, not a loan. So the
//! kernel fires the timers on which it sleeps in their interrupts, as it does for every real-time thread, and the module
//! `timer_shield` knows how urgent they are. It has the priority until the changes are undone, also if the run is killed.

use crate::of_kernel;
use crate::scope::Scope;
use vorrang_enforce::{Change, Kernel, Policy, Thread, find_thread};
use vorrang_model::system::Selector;
use vorrang_quote::visible;

/// The threads of the tasks of each core; problems are added.
pub(crate) fn threads(
    kernel: &dyn Kernel,
    scopes: &[Scope],
    problems: &mut Vec<String>,
) -> Vec<Vec<Thread>> {
    let mut found = |scope: &Scope| {
        let mut threads = Vec::new();
        for task in &scope.tasks {
            match find_thread(kernel, &task.selector) {
                Ok(thread) => {
                    problems.extend(unfit(kernel, &task.name, &thread));
                    threads.push(thread);
                }
                Err(why) => {
                    let remedy = of_kernel::remedy(&task.selector);
                    problems.push(format!("{}: {why}{remedy}", task.name));
                }
            }
        }
        threads
    };
    scopes.iter().map(&mut found).collect()
}

/// Why a thread cannot have a priority of its own.
fn unfit(kernel: &dyn Kernel, name: &str, thread: &Thread) -> Option<String> {
    match of_kernel::is(kernel, thread) {
        Ok(false) => None,
        Ok(true) => of_kernel::unfit(name, thread),
        Err(why) => Some(format!("{name}: {why}")),
    }
}

/// The changes for the tasks of a core.
///
/// # Errors
/// A thread cannot be looked at, a sentence each.
pub(crate) fn changes(
    kernel: &dyn Kernel,
    scope: &Scope,
    threads: &[Thread],
) -> Result<Vec<Change>, Vec<String>> {
    let mut changes = Vec::new();
    for ((task, &priority), thread) in scope.tasks.iter().zip(scope.levels.tasks()).zip(threads) {
        let failed =
            |why: &dyn std::fmt::Display| vec![format!("{}: {why}", visible(&thread.name))];
        if of_kernel::is(kernel, thread).map_err(|why| vec![why])? {
            let placed = of_kernel::placed(kernel, scope.cpu, thread);
            changes.extend(placed.map_err(|why| failed(&why))?);
        } else {
            let (cpus, before) = (vec![scope.cpu], kernel.affinity(thread.thread));
            let before = before.map_err(|why| failed(&why))?;
            if before != cpus {
                changes.push(Change::SetAffinity { thread: thread.clone(), cpus, before });
            }
        }
        let (policy, before) = (Policy::fifo(priority), kernel.policy(thread.thread));
        let before = before.map_err(|why| failed(&why))?;
        if before != policy {
            let (label, thread) = (task.name.clone(), thread.clone());
            changes.push(Change::SetPolicy { label, thread, policy, before });
        }
    }
    Ok(changes)
}

/// A thread of the kernel gets this priority, unless it has as high a one; it does not exist without `PREEMPT_RT`.
pub(crate) fn above(kernel: &dyn Kernel, name: String, priority: u32) -> Option<Change> {
    let thread = find_thread(kernel, &Selector::Name(name.clone())).ok()?;
    let before = kernel.policy(thread.thread).ok()?;
    let is_below = before.policy != Policy::FIFO || before.priority < priority;
    let policy = Policy::fifo(priority);
    is_below.then_some(Change::SetPolicy { label: name, thread, policy, before })
}
