//! A notice for the dispatcher: the lent thread has left the processor, or the run ends.
//!
//! **Model.** A word for which the dispatcher waits; where it also waits for interrupts of guests, which are files, a file
//! beside it. The word takes fewer instructions, and who gives the notice has no lock when the dispatcher wakes.
//!
//! **Assumption.** One thread waits.

use super::call::{self, Among};
use super::interrupts::MOST_RINGS;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::eventfd::{EfdFlags, EventFd};
use nix::sys::time::TimeSpec;
use smallvec::SmallVec;
use std::io;
use std::os::fd::AsFd as _;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

/// As many files as there may be rings of interrupts, and one.
const MOST: usize = 1 + MOST_RINGS;

/// A notice, given or not.
#[derive(Debug)]
pub(super) struct Notice {
    /// 1: it is given.
    is_given: AtomicU32,
    file: Option<EventFd>,
}

impl Notice {
    /// One that is not given, for which one waits and for nothing else, for as long as the process lives.
    pub(super) fn alone() -> &'static Self {
        Self::with(None)
    }

    /// One that is waited for together with files.
    ///
    /// # Errors
    /// As the kernel says.
    pub(super) fn among_files() -> io::Result<&'static Self> {
        let file = EventFd::from_flags(EfdFlags::EFD_NONBLOCK | EfdFlags::EFD_CLOEXEC)?;
        Ok(Self::with(Some(file)))
    }

    fn with(file: Option<EventFd>) -> &'static Self {
        Box::leak(Box::new(Self { is_given: AtomicU32::new(0), file }))
    }

    /// Gives it, and wakes who waits.
    pub(super) fn give(&self) {
        self.is_given.store(1, SeqCst);
        match &self.file {
            None => call::wake(&self.is_given, Among::Threads),
            // It fails only where so many are unread that the file can be read anyway.
            Some(file) => drop(file.write(1)),
        }
    }

    /// Takes it back.
    pub(super) fn forget(&self) {
        if self.is_given.swap(0, SeqCst) != 0
            && let Some(file) = &self.file
        {
            let _there_was_none = file.read();
        }
    }

    /// Whether it is given.
    pub(super) fn is_given(&self) -> bool {
        self.is_given.load(SeqCst) != 0
    }

    /// Waits until it is given or one of the other files can be read, up to an instant of the monotonic clock, which says
    /// `now`. Returns whether that is still to come.
    pub(super) fn wait<'f>(
        &self,
        others: impl Iterator<Item = PollFd<'f>>,
        now: u64,
        until: u64,
    ) -> bool {
        if until <= now {
            return false;
        }
        let Some(file) = &self.file else {
            return call::wait(&self.is_given, 0, Among::Threads, Some(until));
        };
        // Where there are few, no more than these are written, for it is done before each sleep.
        let mut files = SmallVec::<[PollFd<'_>; MOST]>::new();
        files.push(PollFd::new(file.as_fd(), PollFlags::POLLIN));
        for other in others {
            files.push(other);
        }
        let timeout = TimeSpec::from_duration(Duration::from_nanos(until - now));
        let woken = ppoll(&mut files, Some(timeout), None);
        if files[0].any() == Some(true) && !self.is_given() {
            // It was forgotten before the file was written.
            let _of_a_notice_that_is_over = file.read();
        }
        woken != Ok(0)
    }
}
