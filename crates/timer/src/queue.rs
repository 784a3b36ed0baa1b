//! What both kinds of queue can be told and asked.

use crate::Urgency;
use vorrang_time::Instant;

/// An invariant that does not hold, in words. Always a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation(pub &'static str);

/// `Err(Violation(what))` unless it `holds`.
pub(crate) fn require(holds: bool, what: &'static str) -> Result<(), Violation> {
    if holds { Ok(()) } else { Err(Violation(what)) }
}

/// A timer that is armed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// When it expires.
    pub at: Instant,
    /// How urgent its owner was when it was armed, or re-keyed since.
    pub urgency: Urgency,
}

/// The timers of one core on one clock. A timer is a slot, `0..capacity`.
///
/// A timer keeps its urgency when it expires and when it is cancelled, until it is armed or
/// re-keyed with another: what restarts itself from its callback is [restarted](Self::restart),
/// and does not become as urgent as what it interrupted.
///
/// # Panics
/// Every method that takes a timer panics if there is no such slot: that is a bug of the caller.
pub trait TimerQueue {
    /// Whether a timer waits while something more urgent runs.
    fn shields(&self) -> bool;

    /// How many timers there are; their slots are `0..capacity`.
    fn capacity(&self) -> u32;

    /// Arms a timer, at a new instant if it is pending. At [`Instant::NEVER`] it is not pending.
    fn arm(&mut self, timer: u32, at: Instant, urgency: Urgency);

    /// Makes a timer not pending; whether it was.
    fn cancel(&mut self, timer: u32) -> bool;

    /// Changes the urgency of a timer, pending or not: that of its owner has changed.
    fn rekey(&mut self, timer: u32, urgency: Urgency);

    /// The urgency with which a timer was armed or re-keyed last; at first [`Urgency::MOST`].
    fn urgency(&self, timer: u32) -> Urgency;

    /// When a timer expires; `None`: it is not pending.
    fn expiry(&self, timer: u32) -> Option<Instant>;

    /// Takes out the first timer that has expired by `now` and whose callback may run while the
    /// core runs something of urgency `running`. Timers come in the order of expiry, those of
    /// one instant in the order of their slots.
    fn expire(&mut self, now: Instant, running: Urgency) -> Option<u32>;

    /// The expiry of the timer that [`expire`](Self::expire) would take out next, if it were
    /// late enough; `None`: of none.
    fn next_event(&self, running: Urgency) -> Option<Instant>;

    /// The invariant, asserted by every mutator at its end in debug builds.
    ///
    /// # Errors
    /// The first violated clause.
    fn check(&self) -> Result<(), Violation>;

    /// Arms a timer with the urgency that it had.
    fn restart(&mut self, timer: u32, at: Instant) {
        let urgency = self.urgency(timer);
        self.arm(timer, at, urgency);
    }

    /// A timer with its urgency, if it is pending.
    fn pending(&self, timer: u32) -> Option<Pending> {
        self.expiry(timer).map(|at| Pending { at, urgency: self.urgency(timer) })
    }

    /// All pending timers, whatever runs, by slot.
    fn iter(&self) -> impl Iterator<Item = (u32, Pending)> + '_ {
        (0..self.capacity()).filter_map(|timer| Some((timer, self.pending(timer)?)))
    }
}
