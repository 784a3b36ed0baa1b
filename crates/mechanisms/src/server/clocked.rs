//! The budget that periodic, polling and deferrable servers have in common: full again at every
//! start + k·T, whatever happened before.
//!
//! **Invariant.** The budget never exceeds `Q`, and `Q` not the period.

use super::{Violation, require};
use vorrang_time::{Duration, Instant};

/// A budget and the clock that refills it.
#[derive(Clone, Debug)]
pub(super) struct Clocked {
    full: Duration,
    period: Duration,
    /// The remaining budget until the next replenishment.
    pub(super) budget: Duration,
    /// The next replenishment, which is the end of the current period.
    pub(super) next: Instant,
}

impl Clocked {
    /// `budget` until `start` after the beginning, then `full` every `period`.
    pub(super) fn new(full: Duration, period: Duration, budget: Duration, start: Duration) -> Self {
        Self { full, period, budget, next: Instant::ZERO + start }
    }

    /// Takes `amount` out of the budget.
    #[inline]
    pub(super) fn consume(&mut self, amount: Duration) {
        self.assert_invariant();
        self.budget -= amount;
        self.assert_invariant();
    }

    /// Begins the next period.
    pub(super) fn replenish(&mut self) {
        self.assert_invariant();
        self.budget = self.full;
        self.next += self.period;
        self.assert_invariant();
    }

    /// Removes the remaining budget.
    pub(super) fn drop_rest(&mut self) {
        self.assert_invariant();
        self.budget = Duration::ZERO;
        self.assert_invariant();
    }

    fn assert_invariant(&self) {
        debug_assert_eq!(self.check(), Ok(()));
    }

    /// The invariant.
    pub(super) fn check(&self) -> Result<(), Violation> {
        require(self.budget <= self.full, "the budget exceeds a full one")?;
        require(self.full <= self.period, "the budget exceeds the period")
    }
}
