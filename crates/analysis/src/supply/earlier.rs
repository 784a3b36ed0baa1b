//! Work that may have used budget before a window.
//!
//! Theory: docs/theory/idle-start.md.

use crate::demand::Load;
use crate::effort::{Effort, LONGEST_WINDOW, NoBound};
use vorrang_time::Duration;

/// Work that does not count in a window of the guest, but may have used budget before.
#[derive(Clone, Copy, Debug)]
pub enum Earlier<'a> {
    /// As much as there is budget.
    Anything,
    /// These, each from so long before the window on, in windows that begin anywhere.
    Known(&'a [(Duration, Load<'a>)]),
}

impl Earlier<'_> {
    /// The most of it, and of `more`, that can have been pending in the time `before` a window; of anything a `budget`.
    ///
    /// # Errors
    /// [`NoBound::TooLong`] or [`NoBound::Effort`].
    pub(super) fn pending(
        &self,
        before: Duration,
        more: &[Load<'_>],
        budget: Duration,
        effort: &Effort,
    ) -> Result<Duration, NoBound> {
        let Self::Known(earlier) = self else { return Ok(budget) };
        effort.spend(earlier.len() + more.len())?;
        let of_more = more.iter().map(|load| load.begun_by(before));
        let of_other = earlier.iter().map(|(from, load)| {
            if before < *from { Ok(Duration::ZERO) } else { load.begun_by(before - *from) }
        });
        of_other
            .chain(of_more)
            .try_fold(Duration::ZERO, |sum, used| sum.checked_add(used?).ok_or(NoBound::TooLong))
    }

    /// When more of it can have been pending.
    pub(super) fn next_pending(&self, before: Duration, more: &[Load<'_>]) -> Duration {
        let earlier = match *self {
            Self::Anything => &[],
            Self::Known(earlier) => earlier,
        };
        let of_more = more.iter().map(|load| load.next_begin(before));
        let of_other = earlier.iter().map(|(from, load)| {
            if before < *from { *from } else { *from + load.next_begin(before - *from) }
        });
        of_other.chain(of_more).fold(LONGEST_WINDOW, Duration::min)
    }
}
