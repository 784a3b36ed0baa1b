//! Processors and scheduling policies of threads: a plan as system calls.

use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;
use std::io;
use vorrang_guest::Policy;

/// Leaves a thread (0: the calling one) one processor, if one is stated.
///
/// # Errors
/// The kernel refuses.
pub(crate) fn place(thread: i32, cpu: Option<usize>) -> io::Result<()> {
    let Some(cpu) = cpu else { return Ok(()) };
    let mut set = CpuSet::new();
    set.set(cpu)?;
    Ok(sched_setaffinity(Pid::from_raw(thread), &set)?)
}

/// Lets the calling thread run on every processor.
///
/// # Errors
/// The kernel refuses.
pub(crate) fn place_anywhere() -> io::Result<()> {
    let mut set = CpuSet::new();
    (0..CpuSet::count()).try_for_each(|cpu| set.set(cpu))?;
    Ok(sched_setaffinity(Pid::from_raw(0), &set)?)
}

/// Sets the policy of a thread (0: the calling one).
///
/// # Errors
/// The kernel refuses.
pub(crate) fn set(thread: i32, policy: Policy) -> io::Result<()> {
    use vorrang_sched::Policy as Kernels;
    let asked = match policy {
        Policy::Other => Kernels::plain(Kernels::OTHER),
        Policy::Fifo(priority) => Kernels::fifo(priority),
        Policy::RoundRobin(priority) => Kernels::round_robin(priority),
        Policy::Deadline { runtime, deadline, period, reclaims } => Kernels {
            flags: if reclaims { Kernels::RECLAIM } else { 0 },
            ..Kernels::deadline(runtime, deadline, period)
        },
    };
    vorrang_sched::set(thread, asked)
}

/// The policy of a thread, as text; `None` if it has ended.
pub(crate) fn told(thread: i32) -> Option<String> {
    let own = vorrang_sched::get(thread).ok()?;
    let vorrang_sched::Policy { policy, flags, nice, priority, runtime, deadline, period } = own;
    let times = if policy == vorrang_sched::Policy::DEADLINE {
        format!(" times {runtime} {deadline} {period}")
    } else {
        String::new()
    };
    Some(format!("policy {policy} flags {flags} nice {nice} priority {priority}{times}"))
}
