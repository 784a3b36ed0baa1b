//! Polling server: a full budget every period, lost as soon as the guest has nothing ready.
//!
//! ```text
//!  Q=2, T=5, phase 0; the guest has work in [3, 7) and from 10 on
//!  budget  0 . . . . 2 1 0 . . 2
//!          |·········|####·····|##     # the guest runs   · no budget
//!          0    3    5    7    10      at 0 nothing is ready: all is lost until 5
//! ```
//!
//! **Invariant.** The budget never exceeds `Q`; nothing is carried over a replenishment.
//!
//! **Before the first replenishment** the server has no budget.
//!
//! Reference: L. Sha, J. Lehoczky, R. Rajkumar, Solutions for some practical problems in
//! prioritized preemptive scheduling, RTSS 1986.

use super::clocked::Clocked;
use super::{Server, Violation};
use vorrang_time::{Duration, Instant};

/// State of a polling server.
#[derive(Clone, Debug)]
pub struct Polling {
    clocked: Clocked,
}

impl Polling {
    /// A server of `full` budget every `period`, first replenished at `phase` (below `period`).
    pub fn new(full: Duration, period: Duration, phase: Duration) -> Self {
        Self { clocked: Clocked::new(full, period, Duration::ZERO, phase) }
    }
}

impl Server for Polling {
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

    fn sleep(&mut self, _now: Instant) {
        self.clocked.drop_rest();
    }

    /// The end of the current period.
    fn deadline(&self) -> Instant {
        self.clocked.next
    }

    fn check(&self) -> Result<(), Violation> {
        self.clocked.check()
    }
}
