//! By how much deadlines of an EDF supply are missed at most.
//!
//! **Model.** Let `demand(t)` bound what is released in a window of length `t` with deadlines in it,
//! blocking included, and let the supply provide `w` within `time_for(w)`. What has its deadline `t`
//! after the start of its window is complete by `t + L`, with
//!
//! ```text
//!   L = max over t >= from of (time_for(demand(t)) - t),  at least 0
//!
//!   nothing due by d pending      d     d + L
//!   ───────|──────────────────────|───────|──>
//!          <────────── t ─────────>
//!          <─ time_for(demand(t)) ──────>
//! ```
//!
//! **Argument.** Let a piece of work with the deadline `d` be incomplete at `d + L`, and let `t0` be
//! the last instant up to its release before which nothing due by `d` was pending. From `t0` on the
//! supply is wanted throughout for work released at `t0` or later and due by `d`: at most
//! `demand(d − t0)`, which is provided by `t0 + time_for(demand(d − t0)) <= d + L`. A server that was
//! late with one budget is replenished late for the next, but with the deadline that it would have had
//! in time; and until then its earlier budget was pending, so `t0` lies before the first late one.
//! So `demand` need not know of lateness.
//!
//! `from` is the least distance from the start of a window to the deadline: what is released a
//! relative deadline ahead need not look at shorter windows, a budget that was kept must.
//!
//! **Assumptions.** 1. Those of `feasibility.rs`. 2. A late server is replenished with the deadline that it would have had in
//! time; so it must not be later than a period, which is for the caller to look at.
//!
//! **Search.** It goes down from the longest busy window. With `g(t) = time_for(demand(t))`, no
//! `u` between `g(t) − L` and `t` is later than the `L` that is known, for `g(u) <= g(t)`. Where servers
//! demand a share of every window, `g(u)` is less than that, and more is skipped.
//!
//! **Cost.** One evaluation for each skip, as in `feasibility.rs`.
//!
//! Beside soft servers, whose busy windows have no end, it goes down from a window from which on
//! nothing is later than in a shorter one (`total.rs`).
//!
//! Derived in docs/theory/lateness.md; the skips are those of Zhang, Burns 2009 (QPA).

use super::demand::Contender;
use super::feasibility::utilisation_is_enough;
use super::total::Total;
use crate::ground::{Effort, NoBound};
use crate::supply::Supply;
use vorrang_time::Duration;

/// How late work is complete at most that is due `from` or more after the start of its window.
/// `on_bare_core` is as in [`super::meets_all_deadlines`].
///
/// # Errors
/// Why there is no bound.
pub fn lateness<S: Supply + ?Sized>(
    supply: &S,
    on_bare_core: bool,
    members: &[Contender<'_>],
    from: Duration,
    effort: &Effort,
) -> Result<Duration, NoBound> {
    if on_bare_core && let Some(enough) = utilisation_is_enough(members) {
        return if enough { Ok(Duration::ZERO) } else { Err(NoBound::Overload) };
    }
    let total = Total::new(members);
    let wanted = total.expect(supply, effort)?;
    let from = from.max(Duration::RESOLUTION);
    let last = total.longest_window((from, wanted), supply, effort)?;
    let search = Search { supply, total: &total, effort };
    search.latest(from, last)
}

struct Search<'a, S: ?Sized> {
    supply: &'a S,
    total: &'a Total<'a>,
    effort: &'a Effort,
}

impl<S: Supply + ?Sized> Search<'_, S> {
    fn latest(&self, from: Duration, last: Duration) -> Result<Duration, NoBound> {
        let mut late = self.somewhere(from, last)?;
        let mut window = last;
        while window >= from {
            let needed = self.needed(window)?;
            if needed.saturating_sub(window) > late {
                late = self.climb(window, from, needed.saturating_sub(window))?;
            }
            // Between this and the next nothing is later.
            let Some(next) = self.total.longest_later(window, needed, late) else { break };
            window = next;
        }
        Ok(late)
    }

    /// How late something is at one of a few windows, each twice the one before: with most of the
    /// lateness known the search skips most of the windows.
    fn somewhere(&self, from: Duration, last: Duration) -> Result<Duration, NoBound> {
        let mut late = Duration::ZERO;
        let mut window = from;
        while window <= last {
            late = late.max(self.needed(window)?.saturating_sub(window));
            window = window * 2;
        }
        Ok(late)
    }

    /// Work often completes with what is due much later, and is then later itself: goes down in
    /// growing strides as long as that is so.
    fn climb(
        &self,
        mut window: Duration,
        from: Duration,
        mut late: Duration,
    ) -> Result<Duration, NoBound> {
        let mut stride = 1;
        while stride > 0 && window > from {
            let earlier = window.saturating_sub(Duration::from_ns(stride)).max(from);
            let found = self.needed(earlier)?.saturating_sub(earlier);
            if found > late {
                (late, window) = (found, earlier);
                stride *= 2;
            } else {
                stride /= 4;
            }
        }
        Ok(late)
    }

    fn needed(&self, window: Duration) -> Result<Duration, NoBound> {
        self.effort.spend(self.total.members.len())?;
        self.supply.time_for(self.total.due_by(window)?)
    }
}
