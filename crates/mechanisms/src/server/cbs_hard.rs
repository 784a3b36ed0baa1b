//! Constant-bandwidth server, hard: an exhausted budget waits for the deadline.
//!
//! ```text
//!  Q=2, T=5; the guest has work from 1 on, alone
//!  budget   2 1 0 . . 2 1 0 . . 2
//!          ·|###·····|####·····|       # the guest runs   · waits for d
//!          0 1   3   6    8    11
//!  deadline  6       11        16
//! ```
//!
//! The wake-up rule is in `cbs.rs`.
//!
//! **Invariant.** The budget never exceeds `Q`; it is zero only while waiting for the deadline.
//!
//! Reference: L. Abeni, G. Buttazzo, Integrating multimedia applications in hard real-time
//! systems, RTSS 1998 (the soft server; at `c = 0` this one waits instead of postponing `d`).

use super::cbs::Pair;
use super::{Server, Violation, assert_invariant};
use vorrang_time::{Duration, Instant};

/// State of a hard constant-bandwidth server.
#[derive(Clone, Debug)]
pub struct CbsHard {
    pair: Pair,
}

impl CbsHard {
    /// A server of bandwidth `full / period`, without a deadline until its guest has work.
    pub fn new(full: Duration, period: Duration) -> Self {
        Self { pair: Pair::new(full, period) }
    }
}

impl Server for CbsHard {
    #[inline]
    fn budget(&self) -> Duration {
        self.pair.budget
    }

    #[inline]
    fn consume(&mut self, _now: Instant, amount: Duration) {
        assert_invariant(self);
        self.pair.budget -= amount;
        assert_invariant(self);
    }

    fn due(&self) -> Instant {
        if self.pair.budget.is_zero() { self.pair.deadline } else { Instant::NEVER }
    }

    fn replenish(&mut self, _now: Instant) {
        assert_invariant(self);
        self.pair.postpone();
        assert_invariant(self);
    }

    fn wake(&mut self, now: Instant) {
        assert_invariant(self);
        self.pair.wake(now);
        assert_invariant(self);
    }

    fn deadline(&self) -> Instant {
        self.pair.deadline
    }

    fn check(&self) -> Result<(), Violation> {
        self.pair.check()
    }
}
