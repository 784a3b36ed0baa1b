//! Ending a schedule, by its own process and from outside.
//!
//! **Model.** A killed thread must run once more to end, and a lender runs no sooner than the thread that it
//! lends to. So all threads are lowered first, which ends every loan, by a caller with a higher priority than
//! lent threads.

use super::call::{self, Among};
use super::notice::Notice;
use super::shared::Shared;
use super::urgency;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::atomic::Ordering::SeqCst;
use std::thread;
use std::time::Duration;

/// Looks at whether they have ended, ten milliseconds apart.
const LOOKS: u32 = 500;

/// Ends a schedule.
#[derive(Clone, Copy, Debug)]
pub struct Ending(pub(super) &'static Shared, pub(super) &'static Notice);

impl Ending {
    /// The dispatcher ends its loans, and then itself.
    pub fn end(self) {
        self.0.stop.store(1, SeqCst);
        self.1.give();
        for watched in &self.0.watched {
            watched.arm();
        }
        call::wake(&self.0.stop, Among::Threads);
    }

    /// It will not begin: nothing is lent, and nothing will be.
    pub fn give_up(self) {
        self.0.finished.store(1, SeqCst);
    }

    /// Whether it has ended.
    pub fn has_come(self) -> bool {
        self.0.finished.load(SeqCst) != 0
    }

    /// Whether it shall end.
    pub fn is_wanted(self) -> bool {
        self.0.stop.load(SeqCst) != 0
    }
}

/// Another process, and whether it still runs.
#[derive(Debug)]
pub struct Alive(OwnedFd);

impl Alive {
    /// The process with that number.
    ///
    /// # Errors
    /// There is none.
    pub fn of(process: i32) -> io::Result<Self> {
        Ok(Self(call::process(process)?))
    }

    /// Whether it still runs: one system call.
    pub fn is_there(&self) -> bool {
        let mut files = [PollFd::new(self.0.as_fd(), PollFlags::POLLIN)];
        !poll(&mut files, PollTimeout::ZERO).is_ok_and(|ready| ready > 0)
    }
}

/// Ends processes by their numbers, of which `threads` tells the threads that are left; the caller has no priority
/// afterwards.
///
/// # Errors
/// The caller may not, or some do not end.
pub fn end_processes(processes: &[i32], threads: impl Fn() -> Vec<i32>) -> io::Result<()> {
    if processes.is_empty() {
        return Ok(());
    }
    urgency::raise(0, urgency::KEEPER)?;
    let ended = end(processes, threads);
    urgency::lower(0)?;
    ended
}

fn end(processes: &[i32], threads: impl Fn() -> Vec<i32>) -> io::Result<()> {
    for _ in 0..LOOKS {
        let left = threads();
        if left.is_empty() {
            return Ok(());
        }
        for thread in left {
            let _it_has_ended = urgency::lower(thread);
        }
        for &process in processes {
            if let Ok(process) = call::process(process) {
                call::kill(&process);
            }
        }
        thread::sleep(Duration::from_millis(10));
    }
    Err(io::Error::new(io::ErrorKind::TimedOut, "processes that were killed do not end"))
}
