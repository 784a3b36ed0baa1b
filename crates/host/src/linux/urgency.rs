//! Priorities of `SCHED_FIFO`: the order in which threads run on the processor.
//!
//! ```text
//!   98  guard         ends the loans of a dispatcher that is late: must preempt it
//!   97  dispatcher    decides; above all that it decides about
//!   96  keeper        waits for signals and for the guard's end
//!   ..  threads of interrupts (50, unless somebody changed it)
//!   21  the kernel's thread for timers of SCHED_OTHER, which wakes who is parked (`changes.rs`)
//!   20  who is lent to
//!   19  watcher       runs when who is lent to does not: so it tells that
//!   --  SCHED_OTHER: everything else, and who is parked
//! ```

use std::io;
use vorrang_sched::Policy;

pub(super) const GUARD: u32 = 98;
pub(super) const DISPATCHER: u32 = 97;
pub(super) const KEEPER: u32 = 96;
/// Of what is lent to.
pub const LENT: u32 = 20;
pub(super) const WATCHER: u32 = 19;

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
