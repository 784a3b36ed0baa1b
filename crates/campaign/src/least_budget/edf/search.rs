//! The times at which a guest may need more than a budget.
//!
//! **Model.** Two ways through the times up to a horizon.
//!
//! [`Search::down`] goes from the last to the first and skips what cannot need more: if
//! `g = time_for(w(t))` is below t, the same holds from g to t. What needs more raises the budget and is done
//! then; what was passed before holds with more, too.
//!
//! [`Search::windows`] leaves out most of them before: only where `sum u_i φ_i(t) < R` ([`super::line`]) is
//! anything to be looked at, so only for `R / u` after each deadline of a task. The task with the most work leaves
//! the shortest windows, of which many pass before R is zero, and few of them have deadlines of the others near them:
//!
//! ```text
//!   deadlines of the first   |                  |                  |                  |
//!   R / u after them         |====|             |====|             |====|             |====|
//!   of the second, R / u     |==|       |==|       |==|       |==|       |==|       |==|
//!                            looked at             with the others
//! ```
//!
//! How long before a window the second had its last deadline grows by the same from one window to the next, modulo its
//! period: an addition instead of a division.
//!
//! **Assumptions.** Those of [`super::line`].
//!
//! Theory: docs/theory/periodic-resource.md.

use super::line::Line;
use crate::least_budget::Resource;
use std::cmp::Reverse;
use vorrang_analysis::NoBound;
use vorrang_analysis::fixed_priority::SporadicTask;
use vorrang_time::{Divisor, Duration};

/// Terms and windows that one search may evaluate: some 5 ms of work.
const MOST: u64 = 1_000_000;

/// A task, with what is divided by and multiplied with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    wcet: Duration,
    period: Duration,
    periods: Divisor,
    /// Period less deadline: by so much more than a period each deadline is before the next.
    ahead: Duration,
    /// Utilisation in units of 2^-32: no more, and no less.
    pub(super) share: (u64, u64),
}

impl Term {
    /// `None`: it is more than its period.
    ///
    /// # Panics
    /// If the period is zero or the limit exceeds it.
    #[inline]
    pub(super) fn new(task: &SporadicTask) -> Option<Self> {
        let SporadicTask { wcet, period, limit } = *task;
        assert!(limit <= period, "a deadline is before the next release");
        let periods = Divisor::new(period);
        (wcet <= period).then(|| Self {
            wcet,
            period,
            periods,
            ahead: period - limit,
            share: periods.share_of(wcet),
        })
    }

    /// The key by which what takes most is first.
    #[inline]
    pub(super) fn least_work_first(&self) -> Reverse<Duration> {
        Reverse(self.wcet)
    }

    /// How many deadlines were up to `time`, and how long ago the last was (φ).
    #[inline]
    pub(super) fn until(&self, time: Duration) -> (u64, Duration) {
        self.periods.parts_of(time + self.ahead)
    }

    /// All φ with `u φ` below `left` are shorter than this.
    #[inline]
    pub(super) fn within(&self, left: u64) -> Duration {
        let (share, _) = self.share;
        if share == 0 { Duration::MAX } else { Duration::from_ns(left.div_ceil(share)) }
    }

    /// `u φ`, or less.
    #[inline]
    pub(super) fn of(&self, phase: Duration) -> u64 {
        self.share.0.saturating_mul(phase.as_ns())
    }
}

/// The utilisation in units of 2^-32: no more, and no less.
pub(super) fn utilisation(terms: &[Term]) -> (u64, u64) {
    terms.iter().fold((0, 0), |(low, high), term| (low + term.share.0, high + term.share.1))
}

/// A budget that is raised by what is found to need more.
pub(super) struct Search<'a> {
    resource: Resource,
    /// What takes most is first.
    terms: &'a [Term],
    utilisation: u64,
    /// `sum u_i (T_i − D_i)`
    ahead: u128,
    budget: Duration,
    budgets: Divisor,
    line: Line,
    left: u64,
}

impl<'a> Search<'a> {
    /// With a budget that is more than its share and no more than the least.
    pub(super) fn new(resource: Resource, terms: &'a [Term], budget: Duration) -> Self {
        let (_, utilisation) = utilisation(terms);
        let ahead = |term: &Term| u128::from(term.share.1) * u128::from(term.ahead.as_ns());
        let ahead = terms.iter().map(ahead).sum();
        let mut search = Self {
            resource,
            terms,
            utilisation,
            ahead,
            budget,
            budgets: resource.periods,
            line: Line { at_zero: 0, falls: 0 },
            left: MOST,
        };
        search.raise(budget);
        search
    }

    pub(super) fn budget(&self) -> Duration {
        self.budget
    }

    pub(super) fn line(&self) -> Line {
        self.line
    }

    fn raise(&mut self, budget: Duration) {
        self.budget = budget;
        self.budgets = Divisor::new(budget);
        let (share, share_high) = self.resource.periods.share_of(budget);
        let gaps = (self.resource.period - budget) * 2;
        self.line = Line {
            at_zero: self.ahead + u128::from(share_high) * u128::from(gaps.as_ns()),
            falls: share.saturating_sub(self.utilisation),
        };
    }

    #[inline]
    fn spend(&mut self, terms: u64) -> Result<(), NoBound> {
        self.left = self.left.checked_sub(terms).ok_or(NoBound::Effort)?;
        Ok(())
    }

    /// What has its deadline within `time`, and the last of these deadlines.
    #[inline]
    fn due(&self, time: Duration) -> (Duration, Duration) {
        let (mut work, mut last) = (Duration::ZERO, Duration::ZERO);
        for term in self.terms {
            let (deadlines, ago) = term.until(time);
            work += term.wcet * deadlines;
            last = last.max(time.saturating_sub(ago));
        }
        (work, last)
    }

    /// Raises the budget to what is enough for all times up to `horizon` and after `known`; false: not even the
    /// whole period is.
    pub(super) fn down(&mut self, horizon: Duration, known: Duration) -> Result<bool, NoBound> {
        let mut time = horizon;
        while time > known {
            self.spend(self.terms.len() as u64)?;
            let (work, last) = self.due(time);
            let gap = self.resource.period - self.budget;
            let gaps = gap.checked_mul(self.budgets.ceil_of(work) + 1);
            let enough = gaps.and_then(|gaps| gaps.checked_add(work)).ok_or(NoBound::TooLong)?;
            let before = last.saturating_sub(Duration::RESOLUTION);
            if enough > last {
                let Some(more) = self.resource.least(last, work) else { return Ok(false) };
                self.raise(more);
            }
            time = enough.min(before);
        }
        Ok(true)
    }

    /// The same, where `known` is no earlier than any first deadline.
    pub(super) fn windows(&mut self, known: Duration, horizon: Duration) -> Result<bool, NoBound> {
        self.by_windows(known, horizon, Self::down)
    }

    /// Looks at the times of each window up to its end and after another time.
    pub(super) fn by_windows(
        &mut self,
        known: Duration,
        horizon: Duration,
        mut look: impl FnMut(&mut Self, Duration, Duration) -> Result<bool, NoBound>,
    ) -> Result<bool, NoBound> {
        let [first, second, others @ ..] = self.terms else { return look(self, horizon, known) };
        let Some(mut near) = Near::of(self, known) else { return look(self, horizon, known) };
        let (_, ago) = first.until(known);
        let mut start = known - ago;
        let (_, mut phase) = second.until(start);
        let grows = first.period.modulo(second.period);
        let (more, _) = first.periods.parts_of(horizon - start);
        self.spend(more + 1)?;
        for _ in 0..=more {
            let is_near = phase < near.after || phase > near.before;
            if is_near
                && self.may_need_more(start.max(known), start, near.window, (second, phase), others)
            {
                let end = (start + near.window - Duration::RESOLUTION).min(horizon);
                let before = start.max(known + Duration::RESOLUTION) - Duration::RESOLUTION;
                if !look(self, end, before)? {
                    return Ok(false);
                }
                if self.budget != near.budget {
                    let Some(with) = Near::of(self, known) else { return look(self, horizon, end) };
                    near = with;
                }
            }
            start += first.period;
            phase += grows;
            if phase >= second.period {
                phase -= second.period;
            }
        }
        Ok(true)
    }

    /// Whether `sum u_i φ_i < R` may be somewhere in a window that begins at a deadline of the first, no earlier than
    /// `from`; with φ of the second there.
    ///
    /// Up to the next deadline of another no φ is less than in the beginning; from then on none is of those without a
    /// deadline in the window, and they and the first are longer by what has passed.
    #[inline]
    fn may_need_more(
        &self,
        from: Duration,
        start: Duration,
        window: Duration,
        second: (&Term, Duration),
        others: &[Term],
    ) -> bool {
        let Some(left) = self.line.left_at(from) else { return true };
        let (mut passing, mut ending, mut next) = (0_u64, 0_u64, window);
        let mut shares = self.terms[0].share.0;
        let mut others = others.iter();
        let (mut term, mut phase) = second;
        loop {
            let until_next = term.period - phase;
            if until_next < window {
                next = next.min(until_next);
                ending = ending.saturating_add(term.of(phase));
            } else {
                shares += term.share.0;
                passing = passing.saturating_add(term.of(phase));
                if passing >= left {
                    return false;
                }
            }
            let Some(other) = others.next() else { break };
            (term, phase) = (other, other.until(start).1);
        }
        passing.saturating_add(ending) < left
            || passing.saturating_add(shares.saturating_mul(next.as_ns())) < left
    }
}

/// How near deadlines of the first two tasks must be to each other with a budget.
#[derive(Clone, Copy)]
struct Near {
    budget: Duration,
    /// How long after a deadline of the first is looked.
    window: Duration,
    /// φ of the second there is less than this,
    after: Duration,
    /// or more than this: its next deadline is in the window.
    before: Duration,
}

impl Near {
    /// After `known`; `None`: all is near to a deadline of the first, or there is no second.
    fn of(search: &Search<'_>, known: Duration) -> Option<Self> {
        let [first, second, ..] = search.terms else { return None };
        let left = search.line.left_at(known)?;
        let window = first.within(left);
        let before = second.period.saturating_sub(window);
        let near = Self { budget: search.budget, window, after: second.within(left), before };
        (window < first.period).then_some(near)
    }
}
