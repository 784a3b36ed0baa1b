//! After how much work, and how long, a supply is at most where it was.
//!
//! **Model.** `time_for(w + work) <= time_for(w) + time` for every `w > 0`. What comes in periods has that for whole periods; what loads
//! leave of it has it for a common multiple of its time and their periods, less what they take in that.
//!
//! **Assumptions.** 1. A load takes no more in a window that is longer by a multiple of its periods than it does in so many periods.
//!
//! **Cost.** A common multiple for each load; none is found where it exceeds the longest window.
//!
//! Theory: docs/theory/full-load.md.

use super::LONGEST_WINDOW;
use super::common_multiple;
use vorrang_time::Duration;

/// So much work more takes no more than so much time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The work.
    pub work: Duration,
    /// The time.
    pub time: Duration,
}

impl Repetition {
    /// The same over a multiple of its time that is one of `period`, too; `None` if that is too long.
    #[must_use]
    pub fn over(self, period: Duration) -> Option<Self> {
        let time = common_multiple(self.time, period).filter(|time| *time <= LONGEST_WINDOW)?;
        let work = self.work.checked_mul(time.div_floor(self.time))?;
        Some(Self { work, time })
    }

    /// What is left of it for others, where something takes `cost` in every `period`; `None` if that is more than there is.
    #[must_use]
    pub fn without(self, cost: Duration, period: Duration) -> Option<Self> {
        let whole = self.over(period)?;
        let taken = cost.checked_mul(whole.time.div_floor(period))?;
        (taken <= whole.work).then(|| Self { work: whole.work - taken, ..whole })
    }
}
