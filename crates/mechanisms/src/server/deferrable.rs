//! Deferrable server: a full budget every period, kept until the period ends.
//!
//! ```text
//!  Q=2, T=5, phase 0; the guest has work in [3, 7)
//!  budget  2 2 2 2 1 2 1 0 . . 2
//!          |------###|####·····|       # the guest runs   - budget kept   · exhausted
//!          0    3    5    7    10      two budgets back to back in [3, 7)
//! ```
//!
//! **Invariant.** The budget never exceeds `Q`; nothing is carried over a replenishment.

use super::{Server, Violation, assert_invariant, require};
use vorrang_time::{Duration, Instant};

/// State of a deferrable server.
#[derive(Clone, Debug)]
pub struct Deferrable {
    full: Duration,
    period: Duration,
    budget: Duration,
    next: Instant,
}

impl Deferrable {
    /// A server of `full` budget every `period`, first replenished at `phase` (below `period`);
    /// full before that.
    pub fn new(full: Duration, period: Duration, phase: Duration) -> Self {
        Self { full, period, budget: full, next: Instant::ZERO + phase }
    }
}

impl Server for Deferrable {
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

    fn check(&self) -> Result<(), Violation> {
        require(self.budget <= self.full, "the budget exceeds a full one")?;
        require(self.full <= self.period, "the budget exceeds the period")
    }
}
