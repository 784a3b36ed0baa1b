//! How long a deferrable server waits under EDF for what its guest wants, from an instant on at which that was idle.
//!
//! **Theorem.** Let all deadlines be met, let the guest want time throughout from `a` on, and let `E(e)` be the most that it has
//! used of the server in `[a − e, a)`. Let
//!
//! ```text
//!   X(w, g) = max over e >= 0 of x(e) − e,   x(e) = supply(B(δ) + w + E(e) + sum over others of min(by release in x, by deadline up to δ)),   δ = e + g + T
//! ```
//!
//! | while the budget is not used up, `w` is received within | |
//! |---|---|
//! | `min(X(w, 0), T)` | if no period ends before |
//! | the lesser of `X(w, g)` and `min(X(Q, 0), T) − Q + R(w)` | if one ends first, `g` after `a` at most, `g = min(X(w, 0) − 1, T − Q + w − 1)` |
//!
//! with `R` the response time of a part of a budget ([`Portion`]).
//!
//! **Assumptions.** 1. Those of [`Portion`]. 2. All deadlines are met. 3. `E` grows with `e`.
//!
//! **Cost.** A search for each amount of work; of those from the beginning of a period on the first [`ONE_BY_ONE`] amounts have their own.
//!
//! Theory: docs/theory/idle-start-edf.md.

use super::{Deliveries, Portion};
use crate::derivation::{Derivation, OfSupply};
use crate::ground::NoBound;
use crate::supply::{Parent, UsedBefore};
use core::cell::RefCell;
use std::collections::BTreeMap;
use vorrang_time::Duration;

/// Parts of a budget of which the response time is looked for one by one.
const ONE_BY_ONE: usize = 16;

/// A deferrable server under EDF.
pub(crate) struct IdleLevel<'a> {
    deliveries: &'a Deliveries<'a>,
    budget: Duration,
    period: Duration,
    /// By when a part of a budget is delivered after its period began; of the whole one at first.
    known: RefCell<BTreeMap<Duration, Duration>>,
}

impl<'a> IdleLevel<'a> {
    /// A server that delivers its whole budget `by` after its period began.
    pub(crate) fn new(
        deliveries: &'a Deliveries<'a>,
        (budget, period): (Duration, Duration),
        by: Duration,
    ) -> Self {
        Self { deliveries, budget, period, known: RefCell::new(BTreeMap::from([(budget, by)])) }
    }

    /// X: from an idle guest on, if the deadline of the budget is up to `deadline` away.
    fn after(
        &self,
        work: Duration,
        deadline: Duration,
        used: UsedBefore<'_>,
    ) -> Result<Duration, NoBound> {
        self.deliveries.after_idle(Portion { work, deadline }, used)
    }
}

impl Parent for IdleLevel<'_> {
    fn with_budget(&self, work: Duration, used: UsedBefore<'_>) -> Result<Duration, NoBound> {
        let Self { budget, period, .. } = *self;
        let work = work.min(budget);
        let straight = self.after(work, period, used)?;
        let gap = straight.min(period - budget + work) - Duration::RESOLUTION;
        let later = self.after(work, period + gap, used)?;
        if later <= straight.min(period) {
            return Ok(straight.min(period));
        }
        let from_next = self.until_period_ends(budget, used)? + self.in_period(work)?;
        Ok(straight.min(period).max(later.min(from_next)))
    }

    fn until_period_ends(
        &self,
        budget: Duration,
        used: UsedBefore<'_>,
    ) -> Result<Duration, NoBound> {
        Ok(self.after(budget, self.period, used)?.min(self.period) - budget)
    }

    fn in_period(&self, work: Duration) -> Result<Duration, NoBound> {
        let mut known = self.known.borrow_mut();
        if let Some(by) = known.get(&work) {
            return Ok(*by);
        }
        // What is not wanted of a part takes its time at least.
        let (more, by) = known.range(work..).next().expect("of a whole budget it is known");
        let most = *by - (*more - work);
        let least = known.range(..work).next_back().map(|(less, by)| *by + (work - *less));
        if known.len() > ONE_BY_ONE {
            return Ok(most);
        }
        let found = self.deliveries.of(Portion { work, deadline: self.period });
        let by = found.map_or(most, |found| found.min(most)).max(least.unwrap_or_default());
        known.insert(work, by);
        Ok(by)
    }

    fn derive(&self, work: Duration, time: Duration, to: &mut Derivation) {
        to.push(OfSupply::ByDeadlines { work, time });
        to.cite("part of a budget by the demand of all members, after Spuri 1996; docs/theory/idle-start-edf.md");
    }
}
