//! Priorities of `SCHED_FIFO`: the order in which threads run on the processor.
//!
//! ```text
//!   98  guard         ends the loans of a dispatcher that is late: must preempt it
//!   97  dispatcher    decides; above all threads that it schedules
//!   97  the kernel's thread that wakes the dispatcher for interrupts of guests (`changes.rs`): it does so with a lock that
//!       the dispatcher takes first of all, which would have to wait for it if it came before it
//!   96  keeper        waits for signals and for the guard's end
//!   ..  threads of interrupts (50, unless changed)
//!   21  the kernel's thread for timers of SCHED_OTHER, which wakes parked threads (`changes.rs`); above all tasks on the core
//!       and all levels, where there are some (`levels.rs`)
//!   20  the thread that is lent to first, for an interrupt of a guest
//!   19  its watcher   runs when that thread does not, and reports that
//!   18  the lent thread
//!   17  its watcher
//!   --  SCHED_OTHER: everything else, and parked threads
//!   --  SCHED_IDLE: parked threads of the kernel, which no group stops (`of_kernel.rs`)
//! ```

use nix::sys::mman::{MlockAllFlags, mlockall};
use std::io;
use vorrang_sched::Policy;

pub(super) const GUARD: u32 = 98;
/// The priority of the dispatcher.
pub const DISPATCHER: u32 = 97;
pub(super) const KEEPER: u32 = 96;

/// Gives a thread (0: the calling one) such a priority.
///
/// # Errors
/// As the kernel says.
pub(super) fn raise(thread: i32, priority: u32) -> io::Result<()> {
    vorrang_sched::set(thread, Policy::fifo(priority))
}

/// Gives it none.
///
/// # Errors
/// As the kernel says.
pub(super) fn lower(thread: i32) -> io::Result<()> {
    vorrang_sched::set(thread, Policy::plain(Policy::OTHER))
}

/// Parks a thread that no group stops: it runs when nothing else wants to.
///
/// # Errors
/// As the kernel says.
pub(super) fn idle(thread: i32) -> io::Result<()> {
    vorrang_sched::set(thread, Policy::plain(Policy::IDLE))
}

/// The calling thread has no priority above others while it does something that takes long.
///
/// # Errors
/// The kernel refuses: as a sentence.
pub fn at_leisure<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let failed = |why: io::Error| format!("priorities: {why}");
    lower(0).map_err(failed)?;
    let done = work();
    raise(0, KEEPER).map_err(failed)?;
    done
}

/// The calling thread has no priority above others any more.
pub fn rest() {
    // It had one: it may give that up.
    let _lowered = lower(0);
}

/// Locks the memory of this process; from here on the calling thread has a higher priority than lent threads.
///
/// # Errors
/// The kernel refuses: as a sentence.
pub fn rise() -> Result<(), String> {
    let all = MlockAllFlags::MCL_CURRENT | MlockAllFlags::MCL_FUTURE;
    mlockall(all).map_err(|why| format!("locked memory: {why}"))?;
    raise(0, KEEPER).map_err(|why| format!("priorities of SCHED_FIFO: {why}"))
}
