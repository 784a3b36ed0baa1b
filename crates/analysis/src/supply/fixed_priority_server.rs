//! A periodic, polling, deferrable or sporadic server, or a queue of refills, under fixed priority.
//!
//! **Model.** The window begins just after the budget Q was used up as early as possible, so
//! nothing comes for T − Q. Then every period T brings Q; the last, partial budget is delayed by
//! what is more urgent only from the start of its own period on:
//!
//! ```text
//!   window begins                                        done
//!      :  T−Q  |      T, brings Q      |  rest r, y(r)     |
//!   ███:·······|··▒▒███▒▒███···········|▒▒██▒▒▒██·······
//! ```
//!
//! `time_for(w) = W + k T + y(w − k Q)` with the wait `W = T − Q`, `k = ceil(w / Q) − 1`, where `y(r)` is the time the
//! parent takes for `r` after the load of higher or equal priority ([`Residual`]).
//!
//! **Assumptions.** 1. `y(Q) <= T`: the budget is received within each period (asserted). 2. The
//! server wants time throughout the window. 3. Nothing is known about the phase between arrivals
//! and replenishments. 4. The server itself is not blocked by less urgent work.
//!
//! **Argument** for windows that begin elsewhere: with `c` left `x` after the start of a period,
//! `c >= Q − x` since at most `x` was used; `y` grows at least as fast as its argument, so what
//! is left is received by the end of the period (as `y(Q) <= T`), which is never later than in
//! the case drawn. For sporadic servers a chunk `c_j` of the used budget was activated at the
//! latest `c_j + … + c_n` before the last was used up, hence returns no later than T less that.
//!
//! In a queue of refills no unit comes back later than `T` from now, however often it was put off; but
//! once in a window the last refill may be, by `T − Q` more: `W = 2 (T − Q)`. Where less than a least
//! budget `m` waits for the next refill, it provides what one of `Q − m + 1` does. docs/theory/refill-queue.md has
//! the proof.
//!
//! A deferrable server beside equally urgent members may have kept them waiting with the budget of the
//! period before: its `y` counts that ([`Residual::after_own`]; docs/theory/fixed-priority-server.md#equal-priority).
//!
//! **Other waits.** A polling server that found nothing one unit before the window has no budget
//! for `W = T − 1`: what arrives together with the poll is still seen; `W = T` where it may not be.
//!
//! Reference: Davis, Burns 2005, eq. 6–8 (with release jitter T − Q for all tasks of the server;
//! on a dedicated core the two are the same equation).
//!
//! Theory: docs/theory/fixed-priority-server.md, docs/theory/polling-server.md,
//! docs/theory/refill-queue.md.

use super::{Residual, Supply};
use crate::derivation::{Derivation, OfSupply};
use crate::ground::NoBound;
use crate::ground::Rate;
use crate::ground::Repetition;
use crate::ground::Source;
use vorrang_time::Duration;

/// A server under fixed priority that receives its budget in every period.
#[derive(Clone, Copy)]
pub struct FixedPriorityServer<'a> {
    of: Source,
    level: Residual<'a>,
    budget: Duration,
    period: Duration,
    /// Until the first of the periods that bring a whole budget.
    wait: Duration,
}

impl<'a> FixedPriorityServer<'a> {
    /// A server on what is left at its level, with the longest time that it takes to receive
    /// the whole budget once it is replenished: at most the period, or there is no such server.
    ///
    /// # Errors
    /// The response time of the budget if it exceeds the period; why there is none.
    pub fn new(
        of: Source,
        level: Residual<'a>,
        budget: Duration,
        period: Duration,
    ) -> Result<Self, Result<Duration, NoBound>> {
        match level.time_for(budget) {
            Ok(response) if response <= period => {
                Ok(Self { of, level, budget, period, wait: period - budget })
            }
            other => Err(other),
        }
    }

    /// A budget that is not wanted at the start of its period, so long or more before a window, is
    /// lost.
    ///
    /// # Panics
    /// Unless `before` is at most the period.
    #[must_use]
    pub fn polled(self, before: Duration) -> Self {
        Self { wait: self.period - before, ..self }
    }

    /// Once in each window a part of the budget may be put off, and `left_behind` again and again.
    ///
    /// # Panics
    /// Unless `left_behind` is less than the budget.
    #[must_use]
    pub fn put_off(self, left_behind: Duration) -> Self {
        assert!(left_behind < self.budget, "nothing of the budget can be relied on");
        let budget = self.budget - left_behind;
        Self { budget, wait: (self.period - budget) * 2, ..self }
    }

    /// k whole periods and the rest of the work after them.
    fn split(&self, work: Duration) -> (u64, Duration) {
        let whole = work.div_ceil(self.budget) - 1;
        (whole, work - self.budget * whole)
    }
}

impl Supply for FixedPriorityServer<'_> {
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        if work.is_zero() {
            return Ok(Duration::ZERO);
        }
        let (whole, rest) = self.split(work);
        let wait = self.period.checked_mul(whole).ok_or(NoBound::TooLong)?;
        let last = self.wait + self.level.time_for(rest)?;
        wait.checked_add(last).ok_or(NoBound::TooLong)
    }

    fn repeats(&self) -> Option<Repetition> {
        Some(Repetition { work: self.budget, time: self.period })
    }

    fn rate_ceil(&self) -> Rate {
        Rate::ceil(self.budget, self.period)
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        if work.is_zero() {
            return;
        }
        let (whole, rest) = self.split(work);
        let Self { of, budget, period, wait, .. } = *self;
        to.push(OfSupply::FixedPriorityServer { of, budget, period, wait, whole, rest });
        to.cite("fixed-priority server, Davis, Burns 2005, eq. 6-8; docs/theory/fixed-priority-server.md");
        to.indented(|to| self.level.derive(rest, to));
    }
}
