//! Interrupts that come again and again: a timer of the kernel on one processor (`perf_event_open(2)`, for which
//! no library has a safe call).
//!
//! **Model.** An event that samples the processor's clock is a timer of the kernel that restarts itself in its
//! own interrupt, whatever runs or sleeps, also on a real-time kernel; the samples are dropped. It ends with
//! its file.
#![expect(unsafe_code, reason = "a system call without a wrapper")]

use std::io;
use std::os::fd::{FromRawFd as _, OwnedFd};

/// `PERF_TYPE_SOFTWARE`; its first event is `PERF_COUNT_SW_CPU_CLOCK`.
const SOFTWARE: u32 = 1;
/// `PERF_FLAG_FD_CLOEXEC`.
const CLOSE_ON_EXEC: libc::c_ulong = 8;
const ANY_THREAD: libc::pid_t = -1;
const NO_GROUP: libc::c_int = -1;

/// `struct perf_event_attr` in its first version (`include/uapi/linux/perf_event.h`).
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    event: u64,
    period: u64,
    zeros: [u64; 5],
}

const SIZE: u32 = 64;
const _: () = assert!(size_of::<Attributes>() == SIZE as usize, "the kernel's first version");

/// A timer that interrupts a processor every so many nanoseconds, until it is dropped.
///
/// # Errors
/// The kernel refuses.
pub(crate) fn start(cpu: usize, every: u64) -> io::Result<OwnedFd> {
    let attributes =
        Attributes { kind: SOFTWARE, size: SIZE, period: every, ..Attributes::default() };
    let cpu = libc::c_int::try_from(cpu).map_err(io::Error::other)?;
    // SAFETY: the structure outlives the call, which only reads `size` bytes of it.
    let file = unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            &raw const attributes,
            ANY_THREAD,
            cpu,
            NO_GROUP,
            CLOSE_ON_EXEC,
        )
    };
    match i32::try_from(file) {
        // SAFETY: the kernel has just opened it, and nothing else has it.
        Ok(file) if file >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(file) }),
        _ => Err(io::Error::last_os_error()),
    }
}
