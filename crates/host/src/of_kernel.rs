//! Threads of the kernel that are lent to: those of interrupts, and those that poll a card.
//!
//! **Model.** The kernel lets no other thread wait for a lock that it considers held by one of its own (`FUTEX_LOCK_PI` is
//! refused for them with `EPERM`). So such a thread has no lender: a loan changes its own policy, and without one it has
//! `SCHED_IDLE`. Its interrupt goes to the processor, and the thread follows.
//!
//! Without a loan it is below everything else, but no group stops it: Linux 7.2 stops a thread when it returns to its
//! program, which these never do, and the kernel keeps those of interrupts in the first group. So beyond its budget it has
//! time that no other thread wants, and about 3 of 1000 parts of what threads of `SCHED_OTHER` share.
//!
//! **Assumption.** Nothing else in the kernel waits for these threads but for their interrupt or card. Of others of
//! its threads that is not known, so they are refused.

use std::io;
use vorrang_enforce::{
    Change, Kernel, Policy, Thread, await_affinity, interrupt_of, is_of_kernel, may_not_be_moved,
};
use vorrang_model::system::Selector;
use vorrang_quote::visible;

/// What is assumed of them, as a sentence without a full stop.
pub(crate) const ASSUMED: &str = "beyond its budget a thread of the kernel has processor time that nothing else wants, by SCHED_IDLE: \
     no group stops it";

/// Whether it is one.
///
/// # Errors
/// It is unknown, as a sentence.
pub fn is(kernel: &dyn Kernel, thread: &Thread) -> Result<bool, String> {
    is_of_kernel(kernel, thread).map_err(|why| format!("{}: {why}", visible(&thread.name)))
}

/// Why one cannot be lent to.
pub(crate) fn unfit(name: &str, thread: &Thread) -> Option<String> {
    let is_known = interrupt_of(&thread.name).is_some() || thread.name.starts_with("napi/");
    (!is_known).then(|| {
        format!(
            "{name}: {} ({}) is a thread of the kernel for which others of it may wait; of these, the threads of interrupts and those \
             that poll a card are lent to",
            visible(&thread.name),
            thread.thread
        )
    })
}

/// What may help where there is no such thread.
pub(crate) fn remedy(selector: &Selector) -> String {
    match selector {
        Selector::Napi(interface, _) => {
            let interface = visible(interface);
            format!(
                "; `echo 1 > /sys/class/net/{interface}/threaded` makes {interface} poll in threads"
            )
        }
        _ => String::new(),
    }
}

/// The changes that park it on a processor: its interrupt goes there, it follows or is moved, and has no priority any more.
pub(crate) fn parked(kernel: &dyn Kernel, cpu: u32, thread: &Thread) -> io::Result<Vec<Change>> {
    let mut changes = placed(kernel, cpu, thread)?;
    // Also where it has that already: a loan that remains is undone by this.
    let (policy, before) = (Policy::plain(Policy::IDLE), kernel.policy(thread.thread)?);
    let (label, thread) = (visible(&thread.name), thread.clone());
    changes.push(Change::SetPolicy { label, thread, policy, before });
    Ok(changes)
}

/// The changes after which it is on a processor: its interrupt goes there, and it follows or is moved.
pub(crate) fn placed(kernel: &dyn Kernel, cpu: u32, thread: &Thread) -> io::Result<Vec<Change>> {
    let mut changes = Vec::new();
    if let Some(number) = interrupt_of(&thread.name) {
        let path = affinity_of(number);
        let before = kernel.read(&path)?.trim().to_owned();
        let text = cpu.to_string();
        if before != text {
            changes.push(Change::Write { path, text, undo: Some(before) });
        }
    }
    let (cpus, before) = (vec![cpu], kernel.affinity(thread.thread)?);
    if before != cpus && !may_not_be_moved(kernel, thread)? {
        changes.push(Change::SetAffinity { thread: thread.clone(), cpus, before });
    }
    Ok(changes)
}

/// Where an interrupt may go.
fn affinity_of(interrupt: u32) -> String {
    format!("/proc/irq/{interrupt}/smp_affinity_list")
}

/// Whether a change is made for one of these threads, though it names an interrupt and no thread.
pub(crate) fn is_for(path: &str, threads: &[Thread]) -> bool {
    threads.iter().any(|one| interrupt_of(&one.name).is_some_and(|own| path == affinity_of(own)))
}

/// Whether a file says where an interrupt may go.
pub(crate) fn is_affinity(path: &str) -> bool {
    path.starts_with("/proc/irq/")
}

/// Waits until the kernel has moved those of these threads that are its own.
///
/// # Errors
/// It does not, as a sentence.
pub(crate) fn are_there(kernel: &dyn Kernel, cpu: u32, threads: &[Thread]) -> Result<(), String> {
    for thread in threads {
        if is(kernel, thread)? {
            await_affinity(kernel, thread, cpu)
                .map_err(|why| format!("{}: {why}", visible(&thread.name)))?;
        }
    }
    Ok(())
}
