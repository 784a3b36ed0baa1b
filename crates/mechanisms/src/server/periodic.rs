//! Periodic server: a full budget every period, idled away when the guest has no work.
//!
//! ```text
//!  Q=2, T=5, phase 0; the guest has work only in [6, 8)
//!  budget  2 1 0 . . 2 1 0 . . 2
//!          |#####····|#####····|       # chosen, whether or not the guest has work
//!          0    2    5    7    10
//! ```
//!
//! **Invariant.** The budget never exceeds `Q`; the next replenishment is at `start + k·T`.
//!
//! **Before the start** the server has no budget.

use super::{Server, Violation, assert_invariant, require};
use vorrang_time::{Duration, Instant};

/// State of a periodic (idling) server.
#[derive(Clone, Debug)]
pub struct Periodic {
    full: Duration,
    period: Duration,
    budget: Duration,
    next: Instant,
}

impl Periodic {
    /// A server of `full` budget every `period`, started `start` after the beginning.
    pub fn new(full: Duration, period: Duration, start: Duration) -> Self {
        Self { full, period, budget: Duration::ZERO, next: Instant::ZERO + start }
    }
}

impl Server for Periodic {
    #[inline]
    fn budget(&self) -> Duration {
        self.budget
    }

    #[inline]
    fn consume(&mut self, _now: Instant, amount: Duration) {
        assert_invariant(self);
        self.budget -= amount;
        assert_invariant(self);
    }

    #[inline]
    fn due(&self) -> Instant {
        self.next
    }

    fn replenish(&mut self, _now: Instant) {
        assert_invariant(self);
        self.budget = self.full;
        self.next += self.period;
        assert_invariant(self);
    }

    /// The end of the current period.
    fn deadline(&self) -> Instant {
        self.next
    }

    fn idles(&self) -> bool {
        true
    }

    fn check(&self) -> Result<(), Violation> {
        require(self.budget <= self.full, "the budget exceeds a full one")?;
        require(self.full <= self.period, "the budget exceeds the period")
    }
}
