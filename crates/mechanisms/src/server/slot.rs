//! Fixed slot: the same interval of every period, whether or not the guest has work.
//!
//! ```text
//!  offset 1, Q=2, T=5
//!          ·[####]······[####]····     # the server's alone
//!          0 1    3      6    8
//! ```
//!
//! **Invariant.** `due` is the next end if the slot is open and the next start if it is not.

use super::{Server, Violation, assert_invariant, require};
use vorrang_time::{Duration, Instant};

/// State of a slot.
#[derive(Clone, Debug)]
pub struct Slot {
    length: Duration,
    period: Duration,
    open: bool,
    due: Instant,
}

impl Slot {
    /// The slots `[offset + k·period, offset + k·period + length)` for all integers k.
    pub fn new(length: Duration, period: Duration, offset: Duration) -> Self {
        let start = offset.modulo(period);
        let began_ago = if start.is_zero() { Duration::ZERO } else { period - start };
        // A slot that starts at the very start of the history is opened there like any other.
        let open = !began_ago.is_zero() && began_ago < length;
        let due = if open { length - began_ago } else { start };
        Self { length, period, open, due: Instant::ZERO + due }
    }
}

impl Server for Slot {
    /// Unlimited inside the slot: its end is a matter of the clock, not of consumption.
    #[inline]
    fn budget(&self) -> Duration {
        if self.open { Duration::MAX } else { Duration::ZERO }
    }

    #[inline]
    fn consume(&mut self, _now: Instant, _amount: Duration) {}

    #[inline]
    fn due(&self) -> Instant {
        self.due
    }

    fn replenish(&mut self, _now: Instant) {
        assert_invariant(self);
        if self.length == self.period {
            self.open = true;
            self.due += self.period;
        } else if self.open {
            self.open = false;
            self.due += self.period - self.length;
        } else {
            self.open = true;
            self.due += self.length;
        }
        assert_invariant(self);
    }

    fn idles(&self) -> bool {
        true
    }

    fn check(&self) -> Result<(), Violation> {
        require(self.length <= self.period, "the slot is longer than its period")
    }
}
