//! A supply whose time is worth less at first: the cache of a virtual processor is cold whenever
//! another context had the core.
//!
//! **Model.** Each cold start loses at most `L` of the supply's time, so
//! `time_for(w)` is the least `x = supply(w + L + sum over what may come between ceil((x + J) / T) L)`.
//!
//! A run that is short loses less. With a line `a + b t` above what is lost in a run of `t`, all runs together lose `a` for each start and
//! a share `b` of all time: the same with `a` for `L`, and `w / (1 − b)` for `w`. The least over all lines, and `L` alone, counts.
//!
//! ```text
//!   lost |        . - '' - - - -  L
//!        |     .'
//!        |   .'  <- a + b t touches it
//!        | .'
//!        '------------------------ t
//! ```
//!
//! **Assumptions.** 1. Every start is cold. 2. Budget is charged by time.
//!
//! Reference: Kaiser 2008 for the curves; the count and the lines are derived in docs/theory/cold-caches.md.

use super::{Residual, Supply};
use crate::demand::{Load, Loads};
use crate::derivation::{Derivation, OfSupply};
use crate::ground::Rate;
use crate::ground::Repetition;
use crate::ground::Source;
use crate::ground::{Effort, NoBound};
use vorrang_time::Duration;

/// What is lost at most in a run of any length: something at once, and a share of its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LossLine {
    /// Whenever a run begins.
    pub at_once: Duration,
    /// Of the time of the run, in units of 2^-32; less than all of it.
    pub share: u64,
}

impl LossLine {
    /// Binary places of the share.
    pub const PLACES: u32 = 32;
    /// All of the time.
    pub const WHOLE: u64 = 1 << Self::PLACES;

    /// What is lost at most in a run of this length.
    pub(crate) fn lost_in(self, run: Duration) -> Duration {
        let lost = (u128::from(run.as_ns()) * u128::from(self.share)).div_ceil(Self::WHOLE.into());
        // A share of the run is no longer than that.
        self.at_once + Duration::from_ns(u64::try_from(lost).unwrap_or(run.as_ns()))
    }

    /// The time in which so much is not lost by the share.
    ///
    /// # Errors
    /// [`NoBound::TooLong`] if that is out of range.
    pub(crate) fn time_with(self, work: Duration) -> Result<Duration, NoBound> {
        let time = u128::from(work.as_ns()) << Self::PLACES;
        let time = time.div_ceil(u128::from(Self::WHOLE - self.share));
        u64::try_from(time).map(Duration::from_ns).map_err(|_| NoBound::TooLong)
    }
}

/// A supply of whose time a share is lost.
#[derive(Clone, Copy)]
struct Slow<'a> {
    supply: &'a dyn Supply,
    line: LossLine,
}

impl Supply for Slow<'_> {
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        self.supply.time_for(self.line.time_with(work)?)
    }

    fn rate_ceil(&self) -> Rate {
        let left = Duration::from_ns(LossLine::WHOLE - self.line.share);
        self.supply.rate_ceil().part_ceil(left, Duration::from_ns(LossLine::WHOLE))
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        if let Ok(time) = self.line.time_with(work) {
            self.supply.derive(time, to);
        }
    }
}

/// What a line leaves of a supply.
struct ByLine<'a> {
    slow: Slow<'a>,
    at_first: Duration,
    starts: Vec<Load<'a>>,
}

/// A supply with a cold cache.
pub struct ColdCache<'a> {
    of: Source,
    supply: &'a dyn Supply,
    left: Residual<'a>,
    loss: Duration,
    starts: Loads<'a>,
    lines: Vec<ByLine<'a>>,
    effort: &'a Effort,
}

impl<'a> ColdCache<'a> {
    /// The time of `supply` less `loss` at first and at each of `starts`.
    pub fn new(
        of: Source,
        supply: &'a dyn Supply,
        loss: Duration,
        starts: Loads<'a>,
        effort: &'a Effort,
    ) -> Self {
        let left = Residual::new(supply, starts, effort).blocked(loss);
        Self { of, supply, left, loss, starts, lines: Vec::new(), effort }
    }

    /// The same where a start loses `each`, or what these lines allow.
    #[must_use]
    pub fn along(self, each: Duration, lines: &[LossLine]) -> Self {
        let Self { supply, loss, starts, .. } = self;
        let is_less = |line: &&LossLine| line.at_once < each;
        let by_line = |&line: &LossLine| {
            let of = |cost: Duration| line.at_once.checked_mul(cost.div_ceil(each));
            let start = |load: &Load<'a>| Some(Load { cost: of(load.cost)?, ..*load });
            let starts = starts.iter().map(start).collect::<Option<_>>()?;
            Some(ByLine { slow: Slow { supply, line }, at_first: of(loss)?, starts })
        };
        let lines = lines.iter().filter(is_less).filter_map(by_line).collect();
        Self { lines, ..self }
    }

    fn by_line<'b>(&'b self, line: &'b ByLine<'a>) -> Residual<'b> {
        let ByLine { slow, at_first, starts } = line;
        Residual::new(slow, Loads::new(starts), self.effort).blocked(*at_first)
    }

    /// The line by which the work takes the shortest, if one is better than `L` alone.
    fn best(&self, work: Duration) -> (Result<Duration, NoBound>, Option<&ByLine<'a>>) {
        let mut best = (self.left.time_for(work), None);
        for line in &self.lines {
            let found = self.by_line(line).time_for(work);
            let is_less = match (&best.0, &found) {
                (Ok(known), Ok(time)) => time < known,
                (Err(_), Ok(_)) => true,
                (_, Err(_)) => false,
            };
            if is_less {
                best = (found, Some(line));
            }
        }
        best
    }
}

impl Supply for ColdCache<'_> {
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        self.best(work).0
    }

    fn repeats(&self) -> Option<Repetition> {
        if self.lines.is_empty() { self.left.repeats() } else { None }
    }

    fn rate_ceil(&self) -> Rate {
        let lines = self.lines.iter().map(|line| self.by_line(line).rate_ceil());
        lines.fold(self.left.rate_ceil(), Rate::max)
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        let (Ok(window), line) = self.best(work) else { return };
        let of = self.of;
        let Some(ByLine { slow, at_first, starts }) = line else {
            to.push(OfSupply::ColdCache { of, work, window, loss: self.loss });
            let demand = to.terms(work + self.loss, self.starts, window);
            return self.supply.derive(demand, to);
        };
        let starts = Loads::new(starts);
        let all = starts.in_window(window).map(|starts| work + *at_first + starts);
        let time = all.and_then(|all| Ok((all, slow.line.time_with(all)?)));
        let share = time.map_or(Duration::ZERO, |(all, time)| time.saturating_sub(all));
        to.push(OfSupply::ShortRuns { of, work, window, loss: *at_first, share });
        let demand = to.terms(work + *at_first, starts, window);
        slow.derive(demand, to);
    }
}
