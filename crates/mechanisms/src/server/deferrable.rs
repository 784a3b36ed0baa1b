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

use super::clocked::Clocked;
use super::{Server, Violation};
use vorrang_time::{Duration, Instant};

/// State of a deferrable server.
#[derive(Clone, Debug)]
pub struct Deferrable {
    clocked: Clocked,
}

impl Deferrable {
    /// A server of `full` budget every `period`, first replenished at `phase` (below `period`);
    /// full before that.
    pub fn new(full: Duration, period: Duration, phase: Duration) -> Self {
        Self { clocked: Clocked::new(full, period, full, phase) }
    }
}

impl Server for Deferrable {
    #[inline]
    fn budget(&self) -> Duration {
        self.clocked.budget
    }

    #[inline]
    fn consume(&mut self, _now: Instant, amount: Duration) {
        self.clocked.consume(amount);
    }

    #[inline]
    fn due(&self) -> Instant {
        self.clocked.next
    }

    fn replenish(&mut self, _now: Instant) {
        self.clocked.replenish();
    }

    /// The end of the current period.
    fn deadline(&self) -> Instant {
        self.clocked.next
    }

    fn check(&self) -> Result<(), Violation> {
        self.clocked.check()
    }
}
