//! Time slices of members of equal priority.
//!
//! ```text
//!  slice 2; A, B of one priority, C of a higher one; # runs  - ready
//!  A  |##--##-·           at 2 its slice is used up: behind B
//!  B  |--#---#-           at 3 preempted: first of its priority, with the rest of its slice
//!  C     ·##
//! ```
//!
//! **Model.** Each member has a slice. Supply time that it receives is taken from it; when nothing is left the member goes
//! behind all ready members of its priority and has a whole slice again. What is left is kept, whatever preempts the
//! member and while it is not ready. A member in the background, or without slices, is never moved.
//!
//! **Assumptions.** 1. Consumption is reported before anything else of the same instant, and never more than what is left.
//!
//! **Cost.** Constant time.

use super::Key;
use alloc::vec::Vec;
use vorrang_time::Duration;

/// What is left of the slice of each member of a supply.
#[derive(Clone, Debug)]
pub struct TimeSlices {
    slice: Duration,
    /// By place in the order of declaration; `None`: the member has no slices.
    left: Vec<Option<Duration>>,
}

impl TimeSlices {
    /// Slices of this length, above zero, for those of the members that have them.
    pub fn new(slice: Duration, members: impl Iterator<Item = bool>) -> Self {
        let left = members.map(|has_slices| has_slices.then_some(slice)).collect();
        Self { slice, left }
    }

    /// The rest of the slice of the member with this key.
    #[inline]
    pub fn left(&self, key: Key) -> Option<Duration> {
        if key.is_background() {
            return None;
        }
        self.left.get(key.member() as usize).copied().flatten()
    }

    /// The member with this key has used `amount` of its slice; returns whether that was the rest of it.
    pub(super) fn consume(&mut self, key: Key, amount: Duration) -> bool {
        let Some(left) = self.left(key) else { return false };
        let rest = left - amount;
        let is_over = rest.is_zero();
        self.left[key.member() as usize] = Some(if is_over { self.slice } else { rest });
        is_over
    }
}
