//! The common part of the two constant-bandwidth servers: the pair of budget and deadline, and the wake-up
//! rule by which it is kept.
//!
//! At `t` the pair (`c`, `d`) is kept only if the remaining budget over the remaining time is below the
//! bandwidth: `t < d` and `c·T < (d − t)·Q`. Otherwise it starts afresh with `(Q, t + T)`; so it does
//! at equality (`SCHED_DEADLINE` of Linux keeps the pair there).
//!
//! Reference: L. Abeni, G. Buttazzo, Integrating multimedia applications in hard real-time
//! systems, RTSS 1998.

use super::{Violation, require};
use vorrang_time::{Duration, Instant};

/// Budget and deadline of a constant-bandwidth server.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    full: Duration,
    period: Duration,
    pub(super) budget: Duration,
    pub(super) deadline: Instant,
}

impl Pair {
    /// Of a server of bandwidth `full / period` whose guest never had work.
    pub(super) fn new(full: Duration, period: Duration) -> Self {
        Self { full, period, budget: full, deadline: Instant::ZERO }
    }

    /// The guest has work, having had none.
    pub(super) fn wake(&mut self, now: Instant) {
        if self.is_stale(now) {
            self.deadline = now + self.period;
            self.budget = self.full;
        }
    }

    /// A full budget for the next period.
    pub(super) fn postpone(&mut self) {
        self.deadline += self.period;
        self.budget = self.full;
    }

    /// Whether the pair would let the server exceed its bandwidth from `now`.
    fn is_stale(&self, now: Instant) -> bool {
        let left = u128::from(self.deadline.saturating_since(now).as_ns());
        let budget = u128::from(self.budget.as_ns());
        self.deadline <= now
            || budget * u128::from(self.period.as_ns()) >= left * u128::from(self.full.as_ns())
    }

    pub(super) fn check(&self) -> Result<(), Violation> {
        require(self.budget <= self.full, "the budget exceeds a full one")?;
        require(self.full <= self.period, "the budget exceeds the period")
    }
}
