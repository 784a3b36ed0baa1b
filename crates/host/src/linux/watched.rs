//! Whether the watcher of a loan is to tell, and whether it has told.
//!
//! ```text
//!          arm                 tell
//!   rest ───────▶ to tell ───────────▶ told
//!     ▲              │                   │     arm: from there too
//!     └──── rest ────┴───────────────────┘
//! ```
//!
//! **Model.** The watcher goes from *to tell* to *told* by an exchange, so that what it tells is of the loan for which it was armed
//! last. It may be preempted in between, and go on during the next loan: the watcher of a thread that was lent to first has a
//! higher priority than the thread behind it.

use super::call::{self, Among};
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::SeqCst;

const REST: u32 = 0;
const TO_TELL: u32 = 1;
const TOLD: u32 = 2;

/// The word between the dispatcher and a watcher; zero at first.
#[derive(Debug)]
#[repr(transparent)]
pub(super) struct Watched(AtomicU32);

impl Watched {
    /// It is to tell, which it has not done.
    pub(super) fn arm(&self) {
        if self.0.swap(TO_TELL, SeqCst) != TO_TELL {
            call::wake(&self.0, Among::Threads);
        }
    }

    /// It is not to tell.
    pub(super) fn rest(&self) {
        self.0.store(REST, SeqCst);
    }

    /// The watcher tells, if it is to; if not, it waits until it is armed, and has told nothing.
    pub(super) fn tell_or_wait(&self) -> bool {
        let told = self.0.compare_exchange(TO_TELL, TOLD, SeqCst, SeqCst);
        if let Err(word) = told {
            call::wait(&self.0, word, Among::Threads, None);
        }
        told.is_ok()
    }

    /// Whether it has told since it was armed.
    pub(super) fn is_told(&self) -> bool {
        self.0.load(SeqCst) == TOLD
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_tells_once() {
        let watched = Watched(AtomicU32::new(REST));
        watched.arm();
        assert!(!watched.is_told());
        assert!(watched.tell_or_wait());
        assert!(watched.is_told());
        watched.arm();
        assert!(!watched.is_told(), "that was of the loan before");
    }

    /// The dispatcher comes between the watcher's turn and what it tells: the loan is over, so there is nothing to tell.
    #[test]
    fn nothing_is_told_of_a_loan_that_is_over() {
        let watched = Box::leak(Box::new(Watched(AtomicU32::new(REST))));
        watched.arm();
        watched.rest();
        let other = std::thread::spawn(|| while !watched.tell_or_wait() {});
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(!watched.is_told() && !other.is_finished());
        watched.arm();
        other.join().expect("it tells");
        assert!(watched.is_told());
    }
}
