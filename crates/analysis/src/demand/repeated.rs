//! What loads leave of a supply that repeats.
//!
//! **Model.** In a window that is longer by a multiple of its periods a load takes as much more as in so many periods: true of
//! arrivals with jitter, and of budgets of which a part was kept.
//!
//! **Assumptions.** 1. Of two limits, or of budgets and the work that they are used for, the one that counts may change in
//! between: the larger growth of both is taken.
//!
//! Theory: docs/theory/full-load.md.

use super::{Load, Loads};
use crate::arrival::Limit;
use crate::ground::Repetition;
use vorrang_time::Duration;

impl Load<'_> {
    /// The same repetition over a multiple of the periods of this load; `None` if that is too long.
    fn repeats_in(&self, whole: Repetition) -> Option<Repetition> {
        let whole = whole.over(self.arrivals.spacing().cycle().1)?;
        let whole = self.arrivals.limit.map_or(Some(whole), |limit| whole.over(limit.period))?;
        let mut inside = self.used_by.unwrap_or_default().iter();
        inside.try_fold(whole, |whole, load| load.repeats_in(whole))
    }

    /// The most that it takes more in a window that is longer by `span`, a multiple of all its periods.
    fn more_in(&self, span: Duration) -> Option<Duration> {
        let (each, time) = self.arrivals.spacing().cycle();
        let arrived = span.div_floor(time).checked_mul(each)?;
        let let_through = |limit: Limit| limit.count.checked_mul(span.div_floor(limit.period));
        // Of two limits the lesser counts; which one that is may change in between.
        let count = self
            .arrivals
            .limit
            .map_or(Some(arrived), |limit| let_through(limit).map(|count| arrived.max(count)));
        let budgets = self.cost.checked_mul(count?)?;
        let inside = self
            .used_by
            .unwrap_or_default()
            .iter()
            .try_fold(Duration::ZERO, |sum: Duration, load| sum.checked_add(load.more_in(span)?));
        Some(budgets.max(inside?))
    }
}

impl Loads<'_> {
    /// What they leave of a repetition, over a multiple of their periods; `None` if they take more, or that is too long.
    pub(crate) fn leave(&self, whole: Repetition) -> Option<Repetition> {
        let whole = self.terms().try_fold(whole, |whole, load| load.repeats_in(whole))?;
        let taken = self.terms().try_fold(Duration::ZERO, |sum: Duration, load| {
            sum.checked_add(load.more_in(whole.time)?)
        })?;
        (taken <= whole.work).then(|| Repetition { work: whole.work - taken, ..whole })
    }
}
