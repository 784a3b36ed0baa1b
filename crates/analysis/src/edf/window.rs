//! The longest window of an EDF supply that need be looked at.
//!
//! **Model.** The longest busy window, where there is one. Beside soft servers, and where members take all of the supply, none ends:
//! then it is the window from which on nothing is later than in a shorter one.
//!
//! **Assumptions.** 1. Members are bounded as `demand.rs` says.
//!
//! Theory: docs/theory/edf-response.md, docs/theory/full-load.md.

use super::demand::Contender;
use super::total::Total;
use crate::ground::{Effort, LONGEST_WINDOW, LongRun, NoBound, least_fixed_point};
use crate::supply::Supply;
use vorrang_time::Duration;

impl Total<'_> {
    /// The longest window that need be looked at, of those that are `from` or longer.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn longest_window_from<S: Supply + ?Sized>(
        &self,
        from: Duration,
        supply: &S,
        effort: &Effort,
    ) -> Result<Duration, NoBound> {
        if !self.has_soft_members() {
            return self.longest_busy_window(supply, effort);
        }
        let more = self.longest_window_beside_soft(supply, effort)?;
        from.checked_add(more).ok_or(NoBound::TooLong)
    }

    /// From which window on nothing is later than in a shorter one, where soft servers leave no end
    /// to busy windows. Let the supply provide in `span` all that is due by the end of a window and
    /// was not due `span` before: then what is due by the end of a window is complete by at most
    /// `span` more than what is due by the end of the window that is `span` shorter, which is as late.
    ///
    /// ```text
    ///   time_for(demand(t + span)) <= time_for(demand(t)) + time_for(more(span)) <= ... + span
    /// ```
    ///
    /// **Assumption.** `time_for(v + w) <= time_for(v) + time_for(w)`, as a window is made of two.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn longest_window_beside_soft<S: Supply + ?Sized>(
        &self,
        supply: &S,
        effort: &Effort,
    ) -> Result<Duration, NoBound> {
        let span = least_fixed_point(effort, self.members.len(), Duration::RESOLUTION, |span| {
            Ok(supply.time_for(self.due_more(span)?)?.max(Duration::RESOLUTION))
        })?;
        // From there on all blocking is known, wherever the jobs of a member begin to be due.
        let blocking = self.blocking.last().map_or(Duration::ZERO, |last| last.0);
        let jitter = self.members.iter().map(Contender::jitter).max().unwrap_or_default();
        let longest = span.checked_add(blocking).and_then(|sum| sum.checked_add(jitter));
        longest.filter(|window| *window <= LONGEST_WINDOW).ok_or(NoBound::TooLong)
    }

    /// The longest window that need be looked at where the members take all that there is, and busy windows need not end: what is due
    /// or complete later is no later than what is a repetition before it; `None`: none is found.
    ///
    /// Theory: docs/theory/full-load.md.
    pub(super) fn longest_window_at_full_load<S: Supply + ?Sized>(
        &self,
        supply: &S,
    ) -> Option<Duration> {
        if !self.guests.is_empty() {
            return None;
        }
        let mut members = self.members.iter();
        let whole = members.try_fold(supply.repeats()?, |left, member| {
            let (cost, time) = member.each_cycle()?;
            left.without(cost, time)
        })?;
        // From there on all blocking is known, and something is due.
        let blocking = self.blocking.last().map_or(Duration::ZERO, |last| last.0);
        let jitter = self.members.iter().map(Contender::jitter).max().unwrap_or_default();
        let due = self.members.iter().map(Contender::deadline).min().unwrap_or_default();
        let first = blocking.checked_add(jitter)?.max(due);
        whole.time.checked_add(first).filter(|window| *window <= LONGEST_WINDOW)
    }

    /// The longest window that need be looked at, of those that are `from` or longer, where so much of the supply is wanted.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn longest_window<S: Supply + ?Sized>(
        &self,
        (from, wanted): (Duration, LongRun),
        supply: &S,
        effort: &Effort,
    ) -> Result<Duration, NoBound> {
        let found = self.longest_window_from(from, supply, effort);
        let Err(why) = found else { return found };
        let repeated = match wanted {
            LongRun::Less => None,
            LongRun::All => self.longest_window_at_full_load(supply),
        };
        let last = repeated.ok_or(wanted.reason(why))?;
        effort.restart_at_full_load(4 * self.members.len());
        Ok(last.max(from))
    }

    /// How long the supply can be busy without a pause.
    pub(super) fn longest_busy_window<S: Supply + ?Sized>(
        &self,
        supply: &S,
        effort: &Effort,
    ) -> Result<Duration, NoBound> {
        least_fixed_point(effort, self.members.len(), Duration::RESOLUTION, |window| {
            // Without a member it is the least window.
            Ok(supply.time_for(self.released_in(window)?)?.max(Duration::RESOLUTION))
        })
    }
}
