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

use super::clocked::Clocked;
use super::{Server, Violation};
use vorrang_time::{Duration, Instant};

/// State of a periodic (idling) server.
#[derive(Clone, Debug)]
pub struct Periodic {
    clocked: Clocked,
}

impl Periodic {
    /// A server of `full` budget every `period`, started `start` after the beginning.
    pub fn new(full: Duration, period: Duration, start: Duration) -> Self {
        Self { clocked: Clocked::new(full, period, Duration::ZERO, start) }
    }
}

impl Server for Periodic {
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

    fn idles(&self) -> bool {
        true
    }

    fn check(&self) -> Result<(), Violation> {
        self.clocked.check()
    }
}
