//! Constant-bandwidth server, soft: an exhausted budget is refilled at once, for a later deadline.
//!
//! ```text
//!  Q=2, T=5; the guest has work in [1, 6), alone
//!  budget    2 1 2 1 2 1               # never zero after the events of an instant
//!          ·|##########|····
//!          0 1   3   5  6
//!  deadline  6   11  16
//! ```
//!
//! It never waits: only its deadline, and so its urgency, gets worse. The wake-up rule is in `cbs.rs`.
//!
//! **Model.** A budget that reaches zero is due at that very instant, so that the caller sees it exhausted
//! and replenished like any other, with its new deadline in between.
//!
//! **Invariant.** The budget never exceeds `Q`; it is zero only until the replenishment that is
//! due at once.
//!
//! Reference: L. Abeni, G. Buttazzo, Integrating multimedia applications in hard real-time
//! systems, RTSS 1998.

use super::cbs::Pair;
use super::{Server, Violation, assert_invariant, require};
use vorrang_time::{Duration, Instant};

/// State of a soft constant-bandwidth server.
#[derive(Clone, Debug)]
pub struct CbsSoft {
    pair: Pair,
    /// When the budget became zero, if it is.
    exhausted: Option<Instant>,
}

impl CbsSoft {
    /// A server of bandwidth `full / period`, without a deadline until its guest has work.
    pub fn new(full: Duration, period: Duration) -> Self {
        Self { pair: Pair::new(full, period), exhausted: None }
    }
}

impl Server for CbsSoft {
    #[inline]
    fn budget(&self) -> Duration {
        self.pair.budget
    }

    #[inline]
    fn consume(&mut self, now: Instant, amount: Duration) {
        assert_invariant(self);
        self.pair.budget -= amount;
        if self.pair.budget.is_zero() {
            self.exhausted = Some(now);
        }
        assert_invariant(self);
    }

    fn due(&self) -> Instant {
        self.exhausted.unwrap_or(Instant::NEVER)
    }

    fn replenish(&mut self, _now: Instant) {
        assert_invariant(self);
        self.pair.postpone();
        self.exhausted = None;
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
        require(
            self.exhausted.is_some() == self.pair.budget.is_zero(),
            "an exhausted budget is not due",
        )?;
        self.pair.check()
    }
}
