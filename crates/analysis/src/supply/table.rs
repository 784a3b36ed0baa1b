//! The same windows of every period.
//!
//! **Model.** Windows never move. Of all windows of time that contain a given amount of supply, the longest begin at the end of a window:
//! one that begins earlier, without supply before that end, is contained in one that begins at the end before; one that begins inside of a
//! window has more than one that begins at its end. So
//! `time_for(k Θ + r) = k Π + max over the ends e of (the time from e until r is provided)`, for 0 < r <= Θ, which is exact.
//! A slot is a table of one window: a gap Π − Θ for each Θ of work, `time_for(w) = w + (Π − Θ) ceil(w / Θ)`.
//!
//! **Assumptions.** 1. The windows stand at fixed offsets of every period. Under a scheduler that moves a slot (global fixed priority
//! or EDF) this is optimistic by up to Π − Θ: a VM that Kaiser and Zöbel's criterion accepts misses its deadline there
//! (`examples/proxy-edf.toml`).
//!
//! Reference: Mok, Feng, Chen 2001 (static partitions: the least supply over the ends of windows). Kaiser, Zöbel 2009 (slots: proxy
//! process with the disturbance as one task).
//!
//! Theory: docs/theory/tables.md, docs/theory/fixed-slot.md.

use super::{BoundedDelay, Linear, Placed, Supply};
use crate::derivation::{Derivation, OfRule};
use crate::ground::NoBound;
use crate::ground::Rate;
use crate::ground::Repetition;
use crate::ground::Source;
use vorrang_model::system::Window;
use vorrang_time::Duration;

/// Windows at fixed offsets of every Π, Θ together.
#[derive(Clone, Debug)]
pub struct Table {
    of: Source,
    /// By their starts.
    windows: Vec<Window>,
    budget: Duration,
    period: Duration,
}

impl Table {
    /// The windows of every `period` (Π), by their starts.
    ///
    /// # Panics
    /// There is none, one is empty or leaves the period, or two overlap.
    pub fn new(of: Source, windows: &[Window], period: Duration) -> Self {
        let mut last = Duration::ZERO;
        for window in windows {
            assert!(!window.length.is_zero() && last <= window.offset);
            last = window.offset + window.length;
        }
        assert!(!last.is_zero() && last <= period);
        let budget = windows.iter().map(|window| window.length).sum();
        Self { of, windows: windows.to_vec(), budget, period }
    }

    /// A slot of length `budget` (Θ) in every `period` (Π); where it begins does not matter.
    ///
    /// # Panics
    /// Unless 0 < budget <= period.
    pub fn slot(of: Source, budget: Duration, period: Duration) -> Self {
        Self::new(of, &[Window { offset: Duration::ZERO, length: budget }], period)
    }

    /// Whether it is a slot.
    pub fn is_slot(&self) -> bool {
        self.windows.len() == 1
    }

    /// From the end of a window on: after which time each of the next ones begins, and how long it is.
    fn after(&self, end: usize) -> impl Iterator<Item = (Duration, Duration)> + '_ {
        let own = self.windows[end];
        let from = own.offset + own.length;
        let count = self.windows.len();
        (end + 1..=end + count).map(move |next| {
            let later = if next < count { Duration::ZERO } else { self.period };
            let window = self.windows[next % count];
            (window.offset + later - from, window.length)
        })
    }

    /// From the end of a window until so much is provided, of which there is one period's at most.
    fn until(&self, end: usize, work: Duration) -> Duration {
        let mut left = work;
        for (begin, length) in self.after(end) {
            if left <= length {
                return begin + left;
            }
            left -= length;
        }
        unreachable!("a period provides all of its windows")
    }

    /// How many whole periods, and what more than that: some of it.
    fn parts(&self, work: Duration) -> (u64, Duration) {
        let periods = work.div_ceil(self.budget).saturating_sub(1);
        (periods, work - self.budget * periods)
    }
}

impl Linear for Table {
    /// No corner of what is provided from the end of a window on lies below it; corners are where windows begin.
    fn linear(&self) -> BoundedDelay {
        let (budget, period) = (self.budget, self.period);
        let mut delay = Duration::ZERO;
        for end in 0..self.windows.len() {
            let mut before = Duration::ZERO;
            for (begin, length) in self.after(end) {
                let line = u128::from(before.as_ns()) * u128::from(period.as_ns())
                    / u128::from(budget.as_ns());
                let line = u64::try_from(line).map_or(Duration::MAX, Duration::from_ns);
                delay = delay.max(begin.saturating_sub(line));
                before += length;
            }
        }
        BoundedDelay::new(self.of, budget, period, delay)
    }

    fn least_delay(&self) -> Duration {
        Duration::ZERO
    }
}

impl Supply for Table {
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        if work.is_zero() {
            return Ok(Duration::ZERO);
        }
        let (periods, rest) = self.parts(work);
        let longest = (0..self.windows.len()).map(|end| self.until(end, rest)).max();
        let whole = self.period.checked_mul(periods).ok_or(NoBound::TooLong)?;
        whole.checked_add(longest.unwrap_or_default()).ok_or(NoBound::TooLong)
    }

    fn placed(&self) -> Option<Placed<'_>> {
        let Self { of, budget, period, .. } = *self;
        Some(Placed::new(of, &self.windows, (budget, period)))
    }

    fn repeats(&self) -> Option<Repetition> {
        Some(Repetition { work: self.budget, time: self.period })
    }

    fn rate_ceil(&self) -> Rate {
        Rate::ceil(self.budget, self.period)
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        let Ok(time) = self.time_for(work) else { return };
        if self.is_slot() {
            let Self { of, budget, period, .. } = *self;
            to.push(OfRule::FixedSlot { of, budget, period, work });
            return to.cite("fixed slot, Kaiser, Zöbel 2009; docs/theory/fixed-slot.md");
        }
        let (of, budget, period, windows) =
            (self.of, self.budget, self.period, self.windows.len() as u64);
        to.push(OfRule::Table { of, windows, budget, period, work, time });
        to.cite("table of windows, Mok, Feng, Chen 2001; docs/theory/tables.md");
    }
}
