//! The scheduling policy of a thread of Linux, with all its parameters: `sched_getattr(2)` and
//! `sched_setattr(2)`, for which no library has safe calls.
//!
//! **Assumptions.** Linux 3.14 or newer. The system calls themselves are made: what the C library of
//! musl calls `sched_setscheduler` does nothing.

use serde::{Deserialize, Serialize};
use std::io;

/// A scheduling policy with all its parameters, as the kernel keeps it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Its number: one of the constants of this type.
    pub policy: u32,
    /// Flags, [`Policy::RECLAIM`] among them.
    pub flags: u64,
    /// Of [`Policy::OTHER`] and [`Policy::BATCH`]: -20 to 19.
    pub nice: i32,
    /// Of [`Policy::FIFO`] and [`Policy::ROUND_ROBIN`]: 1 to 99.
    pub priority: u32,
    /// Of [`Policy::DEADLINE`], in nanoseconds.
    pub runtime: u64,
    /// Of [`Policy::DEADLINE`], relative, in nanoseconds.
    pub deadline: u64,
    /// Of [`Policy::DEADLINE`], in nanoseconds.
    pub period: u64,
}

impl Policy {
    /// `SCHED_OTHER`, of which all threads are at first.
    pub const OTHER: u32 = 0;
    /// `SCHED_FIFO`.
    pub const FIFO: u32 = 1;
    /// `SCHED_RR`.
    pub const ROUND_ROBIN: u32 = 2;
    /// `SCHED_BATCH`.
    pub const BATCH: u32 = 3;
    /// `SCHED_IDLE`: runs when nothing else wants to.
    pub const IDLE: u32 = 5;
    /// `SCHED_DEADLINE`.
    pub const DEADLINE: u32 = 6;
    /// `SCHED_FLAG_RECLAIM`: takes bandwidth that other reservations leave (GRUB).
    pub const RECLAIM: u64 = 2;

    /// A policy without parameters.
    pub fn plain(policy: u32) -> Self {
        Self { policy, ..Self::default() }
    }

    /// `SCHED_FIFO` at a priority from 1 to 99.
    pub fn fifo(priority: u32) -> Self {
        Self { priority, ..Self::plain(Self::FIFO) }
    }

    /// `SCHED_RR` at a priority from 1 to 99.
    pub fn round_robin(priority: u32) -> Self {
        Self { priority, ..Self::plain(Self::ROUND_ROBIN) }
    }

    /// `SCHED_DEADLINE`; times in nanoseconds.
    pub fn deadline(runtime: u64, deadline: u64, period: u64) -> Self {
        Self { runtime, deadline, period, ..Self::plain(Self::DEADLINE) }
    }
}

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
const _: () = assert!(size_of::<Attributes>() == SIZE as usize, "the kernel's first version");

/// The policy of a thread (0: the calling one).
///
/// # Errors
/// There is no such thread, or this process may not ask.
#[expect(unsafe_code, reason = "a system call without a wrapper")]
pub fn get(thread: i32) -> io::Result<Policy> {
    let mut attributes = Attributes::default();
    // SAFETY: the kernel writes at most `SIZE` bytes, which is the size of the structure, all of
    // whose bit patterns are valid.
    let result =
        unsafe { libc::syscall(libc::SYS_sched_getattr, thread, &raw mut attributes, SIZE, 0) };
    if result != 0 {
        return Err(io::Error::last_os_error());
    }
    let Attributes { policy, flags, nice, priority, deadline, period, mut runtime, .. } =
        attributes;
    if policy != Policy::DEADLINE {
        // Of the others newer kernels tell the slice, whether it was chosen or not: setting it again
        // would choose it.
        runtime = 0;
    }
    Ok(Policy { policy, flags, nice, priority, runtime, deadline, period })
}

/// Sets the policy of a thread (0: the calling one).
///
/// # Errors
/// There is no such thread, the kernel does not admit the policy, or this process may not set it.
#[expect(unsafe_code, reason = "a system call without a wrapper")]
pub fn set(thread: i32, policy: Policy) -> io::Result<()> {
    let Policy { policy, flags, nice, priority, runtime, deadline, period } = policy;
    let attributes =
        Attributes { size: SIZE, policy, flags, nice, priority, runtime, deadline, period };
    // SAFETY: the kernel reads `size` bytes, which is the size of the structure.
    let result =
        unsafe { libc::syscall(libc::SYS_sched_setattr, thread, &raw const attributes, 0) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::Policy;

    /// Every process may ask for its own policy, and set the one that it has.
    #[test]
    fn the_own_policy_can_be_asked_for_and_set_again() {
        let own = super::get(0).expect("it may ask");
        super::set(0, own).expect("it may keep what it has");
        assert_eq!(super::get(0).expect("it may ask"), own);
    }

    /// The lowest policy needs no privilege. In a thread, which ends with it.
    #[test]
    fn what_was_set_is_what_is_asked_for() {
        let idle = Policy::plain(Policy::IDLE);
        let thread = std::thread::spawn(move || {
            super::set(0, idle).expect("it needs no privilege");
            super::get(0).expect("it may ask").policy
        });
        assert_eq!(thread.join().expect("it ends"), Policy::IDLE);
    }

    #[test]
    fn what_the_kernel_does_not_admit_is_an_error() {
        let gone = super::get(i32::MAX).expect_err("there is no such thread");
        assert_eq!(gone.raw_os_error(), Some(libc::ESRCH));
        let more_than_all = super::set(0, Policy::deadline(2_000_000, 1_000_000, 1_000_000));
        let refused = more_than_all.expect_err("a runtime beyond its deadline");
        assert_eq!(refused.raw_os_error(), Some(libc::EINVAL));
        assert!(super::set(0, Policy::fifo(1000)).is_err());
    }
}
