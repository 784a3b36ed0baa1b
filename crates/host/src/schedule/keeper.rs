//! What the keeper waits for: a signal, a guard's end, the time, or that another run gives way.

use crate::linux::{Ending, clock};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::SignalFd;
use std::os::fd::{AsFd as _, OwnedFd};

/// How often it is looked whether another run has given way, in milliseconds.
const EVERY: u16 = 10;

/// What ends a wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Woken {
    /// A signal has come.
    Signal,
    /// The time is over, or every dispatcher has ended.
    Planned,
    /// Something that should not be, as a sentence.
    Failed(String),
}

/// Signals, and guards with what they guard.
pub(super) struct Keeper {
    signals: SignalFd,
    guards: Vec<(OwnedFd, Ending)>,
}

/// The signals that end a run, from here on as a file.
///
/// # Errors
/// As a sentence.
pub(super) fn signals() -> Result<SignalFd, String> {
    let signals = SigSet::from_iter([Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]);
    signals.thread_block().map_err(|why| format!("signals: {why}"))?;
    SignalFd::new(&signals).map_err(|why| format!("signals: {why}"))
}

impl Keeper {
    pub(super) fn new(signals: SignalFd, guards: Vec<(OwnedFd, Ending)>) -> Self {
        Self { signals, guards }
    }

    /// Waits until something ends the run, at the latest a little after `end` by the monotonic clock in nanoseconds.
    pub(super) fn keep(&self, end: Option<u64>) -> Woken {
        loop {
            let is_late = || end.is_some_and(|end| clock() >= end);
            if let Some(woken) = self.wait(timeout(end)) {
                return woken;
            }
            if is_late() {
                return Woken::Planned;
            }
        }
    }

    /// Waits until `is_over`, unless something ends the run before.
    pub(super) fn keep_until(&self, mut is_over: impl FnMut() -> bool) -> Option<Woken> {
        loop {
            if is_over() {
                return None;
            }
            if let Some(woken) = self.wait(PollTimeout::from(EVERY)) {
                return Some(woken);
            }
        }
    }

    /// Waits for so long.
    fn wait(&self, timeout: PollTimeout) -> Option<Woken> {
        // One whose dispatcher has come to its end has nothing to guard any more.
        let left = || self.guards.iter().filter(|(_, ending)| !ending.has_come());
        if left().next().is_none() {
            return Some(Woken::Planned);
        }
        let files = left().map(|(guard, _)| guard.as_fd()).chain([self.signals.as_fd()]);
        let mut files: Vec<_> = files.map(|file| PollFd::new(file, PollFlags::POLLIN)).collect();
        match poll(&mut files, timeout) {
            Ok(0) | Err(Errno::EINTR) => None,
            Err(why) => Some(Woken::Failed(format!("the keeper: {why}"))),
            Ok(_) if files.last().is_some_and(|signal| signal.any() == Some(true)) => {
                Some(Woken::Signal)
            }
            // One that has ended as planned is known by what it guarded.
            Ok(_) if left().count() < files.len() - 1 => None,
            Ok(_) => {
                let sentence = "a guard ended, and nothing is run without one";
                Some(Woken::Failed(sentence.to_owned()))
            }
        }
    }
}

/// A little after the end.
fn timeout(end: Option<u64>) -> PollTimeout {
    let Some(end) = end else { return PollTimeout::NONE };
    let left = end.saturating_sub(clock()) / 1_000_000 + 1;
    PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX)
}
