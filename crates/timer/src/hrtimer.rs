//! Timers in the order of expiry, whatever runs.
//!
//! **Model.** A tree of minima (`tournament.rs`) whose places are the timers. What is not
//! pending stands there at [`Instant::NEVER`].
//!
//! **Cost**, with n the capacity: `arm`, `cancel`: at most eight instants on each of log₈ n tiers
//! (seven for a million timers); `expire`: twice that; all others: constant. Memory: 17.2 bytes
//! for each timer.
//!
//! Reference: the order is that of hrtimers in Linux.

use crate::Urgency;
use crate::queue::{TimerQueue, Violation, require};
use crate::tournament::Tournament;
use alloc::vec::Vec;
use vorrang_time::Instant;

/// A queue in the order of expiry.
#[derive(Clone, Debug)]
pub struct HrTimer {
    expiries: Tournament,
    urgencies: Vec<Urgency>,
}

impl HrTimer {
    /// A queue for the timers `0..capacity`, none of them pending. Allocates, and never again.
    pub fn with_capacity(capacity: u32) -> Self {
        let slots = capacity as usize;
        Self {
            expiries: Tournament::with_capacity(slots),
            urgencies: alloc::vec![Urgency::MOST; slots],
        }
    }

    /// Changes when a timer expires; when it did before.
    fn set(&mut self, timer: u32, at: Instant) -> Instant {
        assert!(timer < self.capacity(), "there is no timer {timer}");
        let before = self.expiries.get(timer as usize);
        self.expiries.set(timer as usize, at);
        debug_assert_eq!(self.check(), Ok(()));
        before
    }
}

impl TimerQueue for HrTimer {
    fn shields(&self) -> bool {
        false
    }

    fn capacity(&self) -> u32 {
        u32::try_from(self.urgencies.len()).expect("it was made from such a number")
    }

    fn arm(&mut self, timer: u32, at: Instant, urgency: Urgency) {
        self.set(timer, at);
        self.urgencies[timer as usize] = urgency;
    }

    fn cancel(&mut self, timer: u32) -> bool {
        self.set(timer, Instant::NEVER) != Instant::NEVER
    }

    fn rekey(&mut self, timer: u32, urgency: Urgency) {
        self.urgencies[timer as usize] = urgency;
    }

    fn urgency(&self, timer: u32) -> Urgency {
        self.urgencies[timer as usize]
    }

    fn expiry(&self, timer: u32) -> Option<Instant> {
        assert!(timer < self.capacity(), "there is no timer {timer}");
        Some(self.expiries.get(timer as usize)).filter(|at| *at != Instant::NEVER)
    }

    fn expire(&mut self, now: Instant, running: Urgency) -> Option<u32> {
        self.next_event(running).filter(|at| *at <= now)?;
        let timer = u32::try_from(self.expiries.first_place()).expect("a timer's slot");
        self.set(timer, Instant::NEVER);
        Some(timer)
    }

    fn next_event(&self, _running: Urgency) -> Option<Instant> {
        Some(self.expiries.first()).filter(|at| *at != Instant::NEVER)
    }

    fn check(&self) -> Result<(), Violation> {
        require(self.expiries.is_tournament(), "a minimum is not the least of its node")
    }
}
