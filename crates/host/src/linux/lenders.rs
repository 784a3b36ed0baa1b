//! The lenders.
//!
//! **Model.** A *lender* waits forever for a lock that the kernel considers held by the lent thread
//! (`FUTEX_LOCK_PI` on a word with that thread's number). So the lent thread inherits the lender's
//! priority: when it is raised, the loan begins; when it is lowered, it ends. The lent thread is not
//! involved, and need not run for it. The end of a lender ends its loan; but a killed lender has the
//! same priority as the lent thread, and does not run to its end while that computes: so the lenders
//! of a dispatcher are lowered before it is killed (`guard.rs`).
//!
//! For a thread of the kernel no thread may wait (`of_kernel.rs`). It is its own lender.

use super::call;
use super::privileges::{self, Needs};
use super::shared::Shared;
use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;
use std::io;
use std::sync::atomic::Ordering::SeqCst;
use std::thread;

/// Memory is locked: no more stack than these threads need.
const STACK: usize = 64 << 10;

/// Starts the lender of a thread, with its priority still to be lent.
///
/// # Errors
/// The thread cannot be started.
pub(super) fn start(shared: &'static Shared, place: usize, thread: i32) -> io::Result<()> {
    let owner = u32::try_from(thread).expect("a number of a thread");
    shared.owners[place].store(owner, SeqCst);
    let lend = move || {
        if let Err(why) = privileges::keep(Needs::Nothing) {
            let error = why.raw_os_error().unwrap_or(0);
            return shared.ended[place].store(1 + error.unsigned_abs(), SeqCst);
        }
        shared.lenders[place].store(call::own_number(), SeqCst);
        let error = match call::wait_for_owner(&shared.owners[place]) {
            Ok(()) => 0,
            Err(why) => why.raw_os_error().unwrap_or(0),
        };
        shared.lenders[place].store(0, SeqCst);
        shared.ended[place].store(1 + error.unsigned_abs(), SeqCst);
    };
    thread::Builder::new().name(format!("lender/{place}")).stack_size(STACK).spawn(lend)?;
    Ok(())
}

/// A thread of the kernel has no lender: what would be changed of that is changed of itself, from now on.
pub(super) fn is_its_own(shared: &Shared, place: usize, thread: i32) {
    shared.lenders[place].store(thread, SeqCst);
}

/// Lets the calling thread run on one processor only.
///
/// # Errors
/// As the kernel says.
pub(super) fn pin(cpu: u32) -> io::Result<()> {
    let mut set = CpuSet::new();
    set.set(cpu as usize)?;
    Ok(sched_setaffinity(Pid::from_raw(0), &set)?)
}
