//! A notice for the dispatcher: the lent thread has left the processor, or the run ends.
//!
//! **Model.** A flag, and a file by which it is waited for, together with others.
//!
//! **Assumption.** One thread waits.

use super::clock;
use super::interrupts::MOST_RINGS;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::eventfd::{EfdFlags, EventFd};
use nix::sys::time::TimeSpec;
use smallvec::SmallVec;
use std::io;
use std::os::fd::AsFd as _;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

/// As many files as there may be rings of interrupts, and one.
const MOST: usize = 1 + MOST_RINGS;

/// A notice, given or not.
#[derive(Debug)]
pub(super) struct Notice {
    is_given: AtomicBool,
    file: EventFd,
}

impl Notice {
    /// One that is not given, for as long as the process lives.
    ///
    /// # Errors
    /// As the kernel says.
    pub(super) fn new() -> io::Result<&'static Self> {
        let file = EventFd::from_flags(EfdFlags::EFD_NONBLOCK | EfdFlags::EFD_CLOEXEC)?;
        Ok(Box::leak(Box::new(Self { is_given: AtomicBool::new(false), file })))
    }

    /// Gives it, and wakes who waits.
    pub(super) fn give(&self) {
        self.is_given.store(true, SeqCst);
        // It fails only where so many are unread that the file can be read anyway.
        let _can_be_read = self.file.write(1);
    }

    /// Takes it back.
    pub(super) fn forget(&self) {
        if self.is_given.swap(false, SeqCst) {
            let _there_was_none = self.file.read();
        }
    }

    /// Whether it is given.
    pub(super) fn is_given(&self) -> bool {
        self.is_given.load(SeqCst)
    }

    /// Waits until it is given or one of the other files can be read, up to an instant of the monotonic clock. Returns
    /// whether that is still to come.
    pub(super) fn wait<'f>(&self, others: impl Iterator<Item = PollFd<'f>>, until: u64) -> bool {
        let left = until.saturating_sub(clock::now());
        if left == 0 {
            return false;
        }
        // Where there are few, no more than these are written, for it is done before each sleep.
        let mut files = SmallVec::<[PollFd<'_>; MOST]>::new();
        files.push(PollFd::new(self.file.as_fd(), PollFlags::POLLIN));
        for other in others {
            files.push(other);
        }
        let timeout = TimeSpec::from_duration(Duration::from_nanos(left));
        let _checked_by_the_caller = ppoll(&mut files, Some(timeout), None);
        if files[0].any() == Some(true) && !self.is_given() {
            // It was forgotten before the file was written.
            let _of_a_notice_that_is_over = self.file.read();
        }
        true
    }
}
