//! How close arrivals may come, whatever delays them afterwards.
//!
//! **Model.** `d(n)` is the least time from one to the `n`-th after it: `n T` where the least time between two is all that is
//! known, else as [`Distances`] says. In a window of length `x`, its end not included, there are at most as many as
//! `d(n − 1) < x` allows.
//!
//! **Assumptions.** None.
//!
//! Theory: docs/theory/distances.md.

use crate::ground::LONGEST_WINDOW;
use vorrang_model::system::Distances;
use vorrang_time::Duration;

/// How close arrivals may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spacing<'a> {
    /// The least time between two of them.
    pub least: Duration,
    /// What is known of more than two; its first is `least`.
    pub further: Option<&'a Distances>,
}

impl Spacing<'_> {
    /// How many there are in a window.
    #[inline]
    pub fn within(&self, window: Duration) -> u64 {
        match self.further {
            None => window.div_ceil(self.least),
            Some(_) if window.is_zero() => 0,
            Some(further) => further.below(window) + 1,
        }
    }

    /// How many there are by an instant, that one included, from one at zero on.
    #[inline]
    pub fn by(&self, instant: Duration) -> u64 {
        match self.further {
            None => instant.div_floor(self.least) + 1,
            Some(further) => further.below(instant + Duration::RESOLUTION) + 1,
        }
    }

    /// The least time from one to the `steps`-th after it; `None` if that is out of range.
    #[inline]
    pub fn after(&self, steps: u64) -> Option<Duration> {
        match self.further {
            None => self.least.checked_mul(steps),
            Some(further) => further.after(steps),
        }
    }

    /// When the next one after an instant can be, from one at zero on.
    pub fn next(&self, instant: Duration) -> Duration {
        self.after(self.by(instant)).unwrap_or(LONGEST_WINDOW * 2)
    }

    /// When the last one up to an instant can be, from one at zero on.
    pub fn last(&self, instant: Duration) -> Duration {
        self.after(self.by(instant) - 1).unwrap_or(instant)
    }

    /// In a window that is longer by a multiple of this time there are at most so many times more; in the long run as many.
    #[inline]
    pub fn cycle(&self) -> (u64, Duration) {
        self.further.map_or((1, self.least), Distances::cycle)
    }

    /// How much longer a window is at most that holds so many more; `None` if that is out of range.
    pub fn more(&self, count: u64) -> Option<Duration> {
        self.further.map_or(self.least, Distances::widest).checked_mul(count)
    }
}
