//! What the parent of a server that keeps its budget provides to it.
//!
//! **Model.** Under fixed priority the parent provides the same to the level of the server, whenever it wants time
//! ([`Residual`]). By deadlines it depends on where the period of the server begins, and on what the guest has used before
//! (`edf/idle_level.rs`).
//!
//! **Assumptions.** 1. Those of each.
//!
//! Theory: docs/theory/idle-start.md, docs/theory/idle-start-edf.md.

use super::{Residual, Supply};
use crate::derivation::Derivation;
use crate::ground::NoBound;
use vorrang_time::Duration;

/// The most that a guest can have used of its server in so long before it wants time, were there time for it; it grows.
pub type UsedBefore<'a> = &'a dyn Fn(Duration) -> Result<Duration, NoBound>;

/// How long a server that keeps its budget waits for the time of its parent.
pub trait Parent {
    /// Until `work`, at most a budget, is received that is wanted from an instant on, if there is budget throughout.
    ///
    /// # Errors
    /// Why there is no such time.
    fn with_budget(&self, work: Duration, used: UsedBefore<'_>) -> Result<Duration, NoBound>;

    /// Until a period ends before the budget is used up, what of it is received by then left aside.
    ///
    /// # Errors
    /// As [`Parent::with_budget`].
    fn until_period_ends(
        &self,
        budget: Duration,
        used: UsedBefore<'_>,
    ) -> Result<Duration, NoBound>;

    /// Until `work`, at most a budget, is received that is wanted from the beginning of a period on.
    ///
    /// # Errors
    /// As [`Parent::with_budget`].
    fn in_period(&self, work: Duration) -> Result<Duration, NoBound>;

    /// How it comes about that `work` takes that `time`.
    fn derive(&self, work: Duration, time: Duration, to: &mut Derivation);
}

impl Parent for Residual<'_> {
    fn with_budget(&self, work: Duration, _: UsedBefore<'_>) -> Result<Duration, NoBound> {
        self.time_for(work)
    }

    fn until_period_ends(&self, budget: Duration, _: UsedBefore<'_>) -> Result<Duration, NoBound> {
        Ok(self.time_for(budget)? - budget)
    }

    fn in_period(&self, work: Duration) -> Result<Duration, NoBound> {
        self.time_for(work)
    }

    fn derive(&self, work: Duration, _: Duration, to: &mut Derivation) {
        Supply::derive(self, work, to);
    }
}
