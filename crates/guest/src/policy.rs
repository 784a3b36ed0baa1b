//! Setting a scheduling policy: `sched_setattr(2)`, for which no library has a safe call.
#![expect(unsafe_code, reason = "a system call without a wrapper")]

use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;
use std::io;
use vorrang_guest::Policy;

/// `struct sched_attr` in its first version (`include/uapi/linux/sched/types.h`).
#[repr(C)]
#[derive(Default)]
struct Attributes {
    size: u32,
    policy: u32,
    flags: u64,
    nice: i32,
    priority: u32,
    runtime: u64,
    deadline: u64,
    period: u64,
}

const SIZE: u32 = 48;
/// `SCHED_FLAG_RECLAIM`.
const RECLAIM: u64 = 2;
const _: () = assert!(size_of::<Attributes>() == SIZE as usize, "the kernel's first version");

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

/// Sets the policy of a thread (0: the calling one).
///
/// # Errors
/// The kernel refuses.
pub(crate) fn set(thread: i32, policy: Policy) -> io::Result<()> {
    let attributes = match policy {
        Policy::Other => Attributes { size: SIZE, ..Attributes::default() },
        Policy::Fifo(priority) => {
            Attributes { size: SIZE, policy: 1, priority, ..Attributes::default() }
        }
        Policy::RoundRobin(priority) => {
            Attributes { size: SIZE, policy: 2, priority, ..Attributes::default() }
        }
        Policy::Ext(nice) => Attributes { size: SIZE, policy: 7, nice, ..Attributes::default() },
        Policy::Deadline { runtime, deadline, period, reclaims } => {
            let flags = if reclaims { RECLAIM } else { 0 };
            Attributes {
                size: SIZE,
                policy: 6,
                flags,
                runtime,
                deadline,
                period,
                ..Attributes::default()
            }
        }
    };
    // SAFETY: the structure outlives the call, which only reads `size` bytes of it.
    let result =
        unsafe { libc::syscall(libc::SYS_sched_setattr, thread, &raw const attributes, 0) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// The policy of a thread, as text; `None` if it has ended.
pub(crate) fn told(thread: i32) -> Option<String> {
    let mut attributes = Attributes::default();
    // SAFETY: the kernel writes at most `SIZE` bytes, which is the size of the structure, all of
    // whose bit patterns are valid.
    let result =
        unsafe { libc::syscall(libc::SYS_sched_getattr, thread, &raw mut attributes, SIZE, 0) };
    let Attributes { policy, flags, nice, priority, runtime, deadline, period, .. } = attributes;
    // Of other policies newer kernels tell a slice, which they change as they see fit.
    let times =
        if policy == 6 { format!(" times {runtime} {deadline} {period}") } else { String::new() };
    (result == 0)
        .then(|| format!("policy {policy} flags {flags} nice {nice} priority {priority}{times}"))
}
