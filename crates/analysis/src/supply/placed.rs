//! What windows of every period provide from an instant of the clock on, less what comes before the work in them.
//!
//! **Model.** Let nothing of what comes before and no work be there just before s, and some of it at every instant from s until the work is done.
//! Then the windows after s are used for it without a pause, so the work is done after the least `y` for which the windows in
//! `[s, s + y)` are as long as the work, the blocking and all that comes before in a window of `y`, together.
//!
//! **Assumptions.** 1. The windows stand at fixed offsets of every period of the clock. 2. Those of `residual.rs`, with windows that begin
//! when both it and the work have nothing left.
//!
//! **Cost.** One fixed point for each evaluation.
//!
//! Theory: docs/theory/by-the-clock.md.

use crate::demand::Loads;
use crate::derivation::{Derivation, OfSupply};
use crate::ground::{Effort, NoBound, Source, least_fixed_point};
use vorrang_model::system::Window;
use vorrang_time::Duration;

/// Windows by the clock, and what comes before the work in them.
#[derive(Debug)]
pub struct Placed<'a> {
    of: Source,
    /// By their starts.
    windows: &'a [Window],
    /// All of them together, in every period.
    budget: Duration,
    period: Duration,
    before: Vec<Loads<'a>>,
    blocking: Duration,
}

impl<'a> Placed<'a> {
    /// Nothing comes before the work.
    pub(super) fn new(
        of: Source,
        windows: &'a [Window],
        (budget, period): (Duration, Duration),
    ) -> Self {
        Self { of, windows, budget, period, before: Vec::new(), blocking: Duration::ZERO }
    }

    /// The same where that does; `None`: out of range.
    pub(super) fn after(mut self, loads: Loads<'a>, blocking: Duration) -> Option<Self> {
        self.before.push(loads);
        Some(Self { blocking: self.blocking.checked_add(blocking)?, ..self })
    }

    /// From an instant of the clock on until so much work is done.
    ///
    /// # Errors
    /// Why there is no such time.
    pub(crate) fn time_for(
        &self,
        begin: i128,
        work: Duration,
        effort: &Effort,
    ) -> Result<Duration, NoBound> {
        if work.is_zero() {
            return Ok(Duration::ZERO);
        }
        let work = work.checked_add(self.blocking).ok_or(NoBound::TooLong)?;
        let start = self.time_from(begin, work)?;
        if self.before.iter().all(Loads::is_empty) {
            return effort.known(start);
        }
        let terms = 1 + self.before.iter().map(Loads::len).sum::<usize>();
        least_fixed_point(effort, terms, start, |window| {
            let all = self.before.iter().try_fold(work, |sum, loads| {
                sum.checked_add(loads.in_window(window)?).ok_or(NoBound::TooLong)
            })?;
            self.time_from(begin, all)
        })
    }

    /// The period of its windows, and when they end in that.
    pub(crate) fn ends(&self) -> (i128, Vec<i128>) {
        let ends = self.windows.iter().map(|window| (window.offset + window.length).as_ns().into());
        (self.period.as_ns().into(), ends.collect())
    }

    /// From an instant of the clock until so much is provided: whole periods, and the rest of it in the windows after it.
    fn time_from(&self, begin: i128, work: Duration) -> Result<Duration, NoBound> {
        if work.is_zero() {
            return Ok(Duration::ZERO);
        }
        let periods = work.div_ceil(self.budget).saturating_sub(1);
        let mut left = work - self.budget * periods;
        let begin = begin.rem_euclid(self.period.as_ns().into());
        let from = Duration::from_ns(u64::try_from(begin).map_err(|_| NoBound::TooLong)?);
        let whole = self.period.checked_mul(periods).ok_or(NoBound::TooLong)?;
        for later in [Duration::ZERO, self.period] {
            for window in self.windows {
                let end = later + window.offset + window.length;
                let start = from.max(later + window.offset);
                let length = end.saturating_sub(start);
                if left <= length {
                    return whole.checked_add(start + left - from).ok_or(NoBound::TooLong);
                }
                left -= length;
            }
        }
        unreachable!("a period provides all of its windows")
    }

    /// How so much work comes to be done in such a window.
    pub(crate) fn derive(&self, work: Duration, window: Duration, to: &mut Derivation) {
        to.indented(|to| to.blocking(self.blocking));
        let mut all = work + self.blocking;
        for loads in &self.before {
            all = to.terms(all, *loads, window);
        }
        to.push(OfSupply::Placed { of: self.of, work: all, window });
        to.cite("windows by the clock from the beginning on; docs/theory/by-the-clock.md");
    }
}
