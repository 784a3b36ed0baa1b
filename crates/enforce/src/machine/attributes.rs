//! `sched_getattr(2)` and `sched_setattr(2)`, for which no library has safe calls.
#![expect(unsafe_code, reason = "system calls without wrappers")]

use super::Policy;
use std::io;

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
/// The number of `SCHED_DEADLINE`.
const DEADLINE: u32 = 6;
const _: () = assert!(size_of::<Attributes>() == SIZE as usize, "the kernel's first version");

/// The policy of a thread.
pub(super) fn get(thread: i32) -> io::Result<Policy> {
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
    if policy != DEADLINE {
        // Of the others newer kernels tell the slice, whether it was chosen or not: setting it again
        // would choose it.
        runtime = 0;
    }
    Ok(Policy { policy, flags, nice, priority, runtime, deadline, period })
}

/// Sets it.
pub(super) fn set(thread: i32, policy: &Policy) -> io::Result<()> {
    let Policy { policy, flags, nice, priority, runtime, deadline, period } = *policy;
    let attributes =
        Attributes { size: SIZE, policy, flags, nice, priority, runtime, deadline, period };
    // SAFETY: the kernel reads `size` bytes, which is the size of the structure.
    let result =
        unsafe { libc::syscall(libc::SYS_sched_setattr, thread, &raw const attributes, 0) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    /// Every process may ask for its own policy, and set the one that it has.
    #[test]
    fn the_own_policy_can_be_asked_for_and_set_again() {
        let own = super::get(0).expect("it may ask");
        super::set(0, &own).expect("it may keep what it has");
        assert_eq!(super::get(0).expect("it may ask"), own);
    }

    #[test]
    fn a_thread_that_is_not_there_is_an_error() {
        let refused = super::get(i32::MAX).expect_err("there is no such thread");
        assert_eq!(refused.raw_os_error(), Some(libc::ESRCH));
    }
}
