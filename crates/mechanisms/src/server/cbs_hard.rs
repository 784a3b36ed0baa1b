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
//! Work that finds the guest without work, at `t`, keeps the pair (budget `c`, deadline `d`) only
//! if what is left of both is below the bandwidth: `c·T < (d − t)·Q`. Otherwise it starts afresh
//! with `(Q, t + T)`.
//!
//! **Invariant.** The budget never exceeds `Q`; it is zero only while waiting for the deadline.
//!
//! Reference: L. Abeni, G. Buttazzo, Integrating multimedia applications in hard real-time
//! systems, RTSS 1998 (the soft server; at `c = 0` this one waits instead of postponing `d`).

use super::{Server, Violation, assert_invariant, require};
use vorrang_time::{Duration, Instant};

/// State of a hard constant-bandwidth server.
#[derive(Clone, Debug)]
pub struct CbsHard {
    full: Duration,
    period: Duration,
    budget: Duration,
    deadline: Instant,
}

impl CbsHard {
    /// A server of bandwidth `full / period`, without a deadline until its guest has work.
    pub fn new(full: Duration, period: Duration) -> Self {
        Self { full, period, budget: full, deadline: Instant::ZERO }
    }

    /// Whether the pair (budget, deadline) would let the server exceed its bandwidth from `now`.
    fn is_stale(&self, now: Instant) -> bool {
        let left = u128::from(self.deadline.saturating_since(now).as_ns());
        let budget = u128::from(self.budget.as_ns());
        self.deadline <= now
            || budget * u128::from(self.period.as_ns()) >= left * u128::from(self.full.as_ns())
    }
}

impl Server for CbsHard {
    #[inline]
    fn budget(&self) -> Duration {
        self.budget
    }

    #[inline]
    fn consume(&mut self, _now: Instant, amount: Duration) {
        self.budget -= amount;
    }

    fn due(&self) -> Instant {
        if self.budget.is_zero() { self.deadline } else { Instant::NEVER }
    }

    fn replenish(&mut self, _now: Instant) {
        assert_invariant(self);
        self.budget = self.full;
        self.deadline += self.period;
        assert_invariant(self);
    }

    fn wake(&mut self, now: Instant) {
        assert_invariant(self);
        if self.is_stale(now) {
            self.deadline = now + self.period;
            self.budget = self.full;
        }
        assert_invariant(self);
    }

    fn deadline(&self) -> Instant {
        self.deadline
    }

    fn check(&self) -> Result<(), Violation> {
        require(self.budget <= self.full, "the budget exceeds a full one")?;
        require(self.full <= self.period, "the budget exceeds the period")
    }
}
