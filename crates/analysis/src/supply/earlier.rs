//! Work that may have used budget before a window.
//!
//! **Model.** From `a − s` to `a` a job can have used the server if it is not complete before: each counts from its
//! arrival to its longest response time. Earlier jobs of the task that asks are complete some time before: what they have used
//! is no more than what `s` is longer than that.
//!
//! **Assumptions.** 1. Every job is complete within its longest response time.
//!
//! Theory: docs/theory/idle-start.md.

use crate::demand::{Load, Loads};
use crate::ground::{Effort, LONGEST_WINDOW, NoBound};
use vorrang_time::Duration;

/// Work that does not count in a window of the guest, but may have used budget before.
#[derive(Clone, Copy, Debug)]
pub enum Earlier<'a> {
    /// As much as there is budget.
    Anything,
    /// These, in windows that begin anywhere, and earlier jobs of the task that asks.
    Known(&'a [Load<'a>], Option<&'a Own<'a>>),
}

/// Earlier jobs of the task that asks.
#[derive(Clone, Copy, Debug)]
pub struct Own<'a> {
    /// They are complete so long before a job arrives with all its jitter.
    pub from: Duration,
    /// All jobs, the one that asks included, in windows that end with its release.
    pub up_to: Load<'a>,
    /// In windows that end anywhere.
    pub anywhere: Load<'a>,
}

/// What can have been used from some time before a window on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Used {
    others: Duration,
    own: Duration,
    from: Duration,
}

impl Used {
    /// All of it, if there was time.
    pub(super) fn all(&self, budget: Duration) -> Duration {
        (self.others + self.own).min(budget)
    }

    /// From when before the window on there was time for all of it.
    pub(super) fn since(&self, budget: Duration) -> Duration {
        let all = self.all(budget);
        let own = all.saturating_sub(self.others);
        if own.is_zero() { all } else { all.max(self.from + own) }
    }

    /// What was pending of it in the time `before`, were there time for all of it.
    fn pending(&self, before: Duration) -> Duration {
        self.others + self.own.min(before.saturating_sub(self.from))
    }

    /// What was used of it in the time `before`.
    pub(super) fn within(&self, before: Duration, budget: Duration) -> Duration {
        self.pending(before).min(before).min(budget)
    }
}

impl<'a> Earlier<'a> {
    /// Earlier jobs of the task that asks.
    pub(super) fn own(&self) -> Option<&'a Own<'a>> {
        match *self {
            Self::Anything => None,
            Self::Known(_, own) => own,
        }
    }

    /// The most of it, and of `more`, that can have been pending in the time `before` a window, its beginning included; of
    /// anything a `budget`.
    ///
    /// # Errors
    /// [`NoBound::TooLong`] or [`NoBound::Effort`].
    pub(super) fn pending(
        &self,
        before: Duration,
        more: &[Load<'_>],
        budget: Duration,
        effort: &Effort,
    ) -> Result<Used, NoBound> {
        let nothing = Duration::ZERO;
        let Self::Known(others, own) = *self else {
            return Ok(Used { others: budget, own: nothing, from: nothing });
        };
        effort.spend(others.len() + more.len() + 1)?;
        let others = sum(others, more, before + Duration::RESOLUTION)?;
        let Some(&Own { from, up_to, .. }) = own else {
            return Ok(Used { others, own: nothing, from: nothing });
        };
        let own = if before < from { nothing } else { up_to.begun_by(before)? - up_to.cost };
        Ok(Used { others, own, from })
    }

    /// The most of it that can have been used in so long before a window, were there time for it: what is complete when that begins has used nothing.
    ///
    /// # Errors
    /// As [`Earlier::pending`].
    pub(super) fn used_in(&self, before: Duration, effort: &Effort) -> Result<Duration, NoBound> {
        let Some(since) = before.as_ns().checked_sub(1).map(Duration::from_ns) else {
            return Ok(before);
        };
        Ok(self.pending(since, &[], LONGEST_WINDOW, effort)?.pending(before))
    }

    /// The same of it and of `more`, before a window that begins some time before the task asks.
    ///
    /// # Errors
    /// As [`Earlier::pending`].
    pub(super) fn used_in_any(
        &self,
        before: Duration,
        more: &[Load<'_>],
        effort: &Effort,
    ) -> Result<Duration, NoBound> {
        let Self::Known(others, own) = *self else { return Ok(LONGEST_WINDOW) };
        effort.spend(others.len() + more.len() + 1)?;
        let own = own.map_or(Ok(Duration::ZERO), |own| own.anywhere.in_window(before))?;
        sum(others, more, before)?.checked_add(own).ok_or(NoBound::TooLong)
    }

    /// When more of it can have been pending.
    pub(super) fn next_pending(&self, before: Duration, more: &[Load<'_>]) -> Duration {
        let (others, own): (&[Load<'_>], _) = match *self {
            Self::Anything => (&[], None),
            Self::Known(others, own) => (others, own),
        };
        let next = |load: &Load<'_>| load.next_begin(before);
        let own = own.map(|own| if before < own.from { own.from } else { next(&own.up_to) });
        others.iter().chain(more).map(next).chain(own).fold(LONGEST_WINDOW, Duration::min)
    }
}

fn sum(some: &[Load<'_>], more: &[Load<'_>], before: Duration) -> Result<Duration, NoBound> {
    Loads::new(some).after(more).in_window(before)
}
