//! Several windows of every period, at fixed places.
//!
//! **Model.** The worst window of interest begins just as one of the windows of the table ends:
//!
//! ```text
//!   |██·····███·····|██·····███·····|
//!     :·····███·····██       begins after the first
//!              :·····██·····███   or after the second
//! ```
//!
//! `time_for(w)`: whole rounds of the table for all but the last round's work, and for the rest the
//! longest of the walks that begin at an end.
//!
//! **Assumptions.** 1. The windows never move.
//!
//! **Cost.** The square of the number of windows, for each evaluation.
//!
//! No description has a server with several slots yet; with a single window this is
//! [`super::FixedSlot`].
//!
//! Reference: Mok, Feng, Chen 2001 (static partitions).
//!
//! Theory: docs/theory/fixed-slot.md.

use super::Supply;
use crate::derivation::{Derivation, OfRule};
use crate::ground::NoBound;
use crate::ground::Rate;
use crate::ground::Source;
use vorrang_time::Duration;

/// One window of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// From the start of the period.
    pub offset: Duration,
    /// How long it is.
    pub length: Duration,
}

/// Windows of every period.
#[derive(Clone, Debug)]
pub struct SlotTable {
    of: Source,
    period: Duration,
    /// Each with the gap before it.
    windows: Vec<(Duration, Duration)>,
    total: Duration,
}

impl SlotTable {
    /// A table of windows, in the order of their offsets.
    ///
    /// # Panics
    /// Unless there are windows, none is empty, none overlaps the next, and all lie in the period.
    pub fn new(of: Source, windows: &[Window], period: Duration) -> Self {
        let last = windows.last().expect("a table has a window");
        let end = |window: &Window| window.offset + window.length;
        assert!(end(last) <= period, "the windows lie in the period");
        let mut before = (period - end(last), Duration::ZERO);
        let mut gaps = Vec::with_capacity(windows.len());
        for window in windows {
            assert!(!window.length.is_zero() && before.1 <= window.offset, "in order and apart");
            gaps.push((before.0 + (window.offset - before.1), window.length));
            before = (Duration::ZERO, end(window));
        }
        let total = windows.iter().map(|window| window.length).sum();
        Self { of, period, windows: gaps, total }
    }

    /// The time until `work`, at most a round's, is done from the end of a window before `first`.
    fn walk(&self, first: usize, work: Duration) -> Duration {
        let mut left = work;
        let mut time = Duration::ZERO;
        for &(gap, length) in self.windows[first..].iter().chain(&self.windows[..first]) {
            if left.is_zero() {
                break;
            }
            let done = left.min(length);
            time += gap + done;
            left -= done;
        }
        time
    }
}

impl Supply for SlotTable {
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        if work.is_zero() {
            return Ok(Duration::ZERO);
        }
        let rounds = work.div_ceil(self.total) - 1;
        let rest = work - self.total * rounds;
        let longest = (0..self.windows.len()).map(|first| self.walk(first, rest)).max();
        let rounds = self.period.checked_mul(rounds).ok_or(NoBound::TooLong)?;
        rounds.checked_add(longest.unwrap_or_default()).ok_or(NoBound::TooLong)
    }

    fn rate_ceil(&self) -> Rate {
        Rate::ceil(self.total, self.period)
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        let Ok(time) = self.time_for(work) else { return };
        let Self { of, total, period, .. } = *self;
        let windows = self.windows.len();
        to.push(OfRule::SlotTable { of, total, windows, period, work, time });
        to.cite("static partition, Mok, Feng, Chen 2001");
    }
}
