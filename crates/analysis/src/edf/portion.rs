//! By when a server with deadlines has delivered a part of a budget.
//!
//! **Theorem.** A budget has the deadline `d`, and its server was not wanted without a budget since an instant `D` before that, or
//! earlier. `w` of it is delivered by `d − D + R(w)`, with
//!
//! ```text
//!   R(w) = max over a >= 0 of x(a) − a,    x(a) = supply(B(a + D) + w + own(a) + sum over others of min(by release in x, due by a + D))
//!
//!     nothing due by d pending     d − D                     d
//!   ──|────────────────────────────|─────────────────────────|──>
//!     <───────────── a ───────────><──────────── D ──────────>
//!     <───────────── x(a) ─────────────────>
//! ```
//!
//! where `own(a)` is what the server itself demands with deadlines up to `a − (T − D)`: its earlier budgets. From an instant on at which its guest
//! was idle it is what the guest can have used in `a` ([`Before::Used`], docs/theory/idle-start-edf.md).
//!
//! *Proof.* As for a job ([`Response`](super::Response)): let `t0` be the last instant up to `d − D` before which nothing due by `d` was
//! pending. From then on the supply is wanted throughout for what was released since and is due by `d`. Of the server
//! that is `w`, and budgets due by `d − T`. ∎
//!
//! **Assumptions.** 1. Members are bounded as `demand.rs` says. 2. Earlier budgets of the server that count in a window are due by `d − T`.
//! 3. What others overrun, once, is blocking of the supply or part of the work; the own overrun does not count.
//!
//! **Search.** Down from the longest busy window, as for response times; where the own demand is a ramp that grows as the
//! window does, its end is the worst of it. Where servers demand a share of every window the skips become short: after [`EXACT`]
//! terms a part of [`COARSE`] of the result is left undecided, and added to it.
//!
//! Theory: docs/theory/budget-delivery.md, docs/theory/late-delivery.md.

use super::EarlierJobs;
use super::response::ResponseTimes;
use super::total::Others;
use crate::ground::{Effort, NoBound, least_fixed_point};
use crate::supply::{Supply, UsedBefore};
use vorrang_time::Duration;

/// Terms after which the result need not be exact.
const EXACT: usize = 1 << 16;

/// The part of the result that is then left undecided.
const COARSE: u64 = 512;

/// What of the server itself comes before, in a window that begins so long before.
#[derive(Clone, Copy)]
pub(crate) enum Before<'a> {
    /// Its earlier budgets.
    Budgets,
    /// Its earlier budgets, at most the earlier jobs of its only task.
    Jobs(EarlierJobs),
    /// What its guest has used, and at most its budgets.
    Used(UsedBefore<'a>),
}

/// A part of a budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portion {
    /// How much of it.
    pub(crate) work: Duration,
    /// From when before its deadline on it is wanted.
    pub(crate) deadline: Duration,
}

impl<S: Supply + ?Sized> ResponseTimes<'_, S> {
    /// How long after it is wanted a part of a budget of the server at `place` is delivered at the latest.
    ///
    /// # Errors
    /// Why there is no bound.
    pub(crate) fn delivery(
        &self,
        place: usize,
        (portion, before): (Portion, Before<'_>),
        effort: &Effort,
    ) -> Result<Duration, NoBound> {
        // Where busy windows have no end, only budgets are known to grow no faster than what there is time for.
        if !matches!(before, Before::Budgets) && !self.ends {
            return Err(NoBound::TooLong);
        }
        let others = self.total.without(place);
        Search { all: self, place, portion, before, others, effort }.latest()
    }
}

struct Search<'a, S: ?Sized> {
    all: &'a ResponseTimes<'a, S>,
    place: usize,
    portion: Portion,
    before: Before<'a>,
    others: Others<'a>,
    effort: &'a Effort,
}

impl<S: Supply + ?Sized> Search<'_, S> {
    fn latest(&self) -> Result<Duration, NoBound> {
        let last = self.all.last;
        let mut known = self.somewhere(last)?;
        let mut undecided = Duration::ZERO;
        let mut before = if self.all.ends { last.saturating_sub(known) } else { last };
        for step in 0.. {
            let Some(since) = before.as_ns().checked_sub(1).map(Duration::from_ns) else { break };
            if step > EXACT / self.all.total.members.len() {
                if matches!(self.before, Before::Used(_)) {
                    return Err(NoBound::Effort);
                }
                undecided = Duration::from_ns(known.as_ns() / COARSE);
            }
            let mut completed = self.needed(since, since + known + undecided)?;
            if completed > since + known + undecided {
                completed = self.completion(since)?;
                known = self.climb(since, known.max(completed.saturating_sub(since)))?;
            }
            // Between this and the next nothing takes longer.
            let ramp = if completed < self.longest() { self.ramp_from(since)? } else { None };
            before = ramp.unwrap_or(since).min(completed.saturating_sub(known + undecided));
        }
        Ok(known + undecided)
    }

    /// The longest at a few instants, each twice as late as the one before: with most of the result known the search
    /// skips most of the windows.
    fn somewhere(&self, last: Duration) -> Result<Duration, NoBound> {
        let mut known = self.completion(Duration::ZERO)?;
        let mut since = Duration::RESOLUTION;
        while since < last {
            if self.needed(since, since + known)? > since + known {
                known = self.completion(since)?.saturating_sub(since);
            }
            since = since * 2;
        }
        Ok(known)
    }

    /// Goes down in growing strides as long as it takes longer.
    fn climb(&self, mut since: Duration, mut known: Duration) -> Result<Duration, NoBound> {
        let mut stride = 1;
        while stride > 0 && !since.is_zero() {
            let earlier = since.saturating_sub(Duration::from_ns(stride));
            let found = self.completion(earlier)?.saturating_sub(earlier);
            if found > known {
                (known, since) = (found, earlier);
                stride *= 2;
            } else {
                stride /= 4;
            }
        }
        Ok(known)
    }

    /// When it is delivered in the window that begins so long before it is wanted.
    fn completion(&self, since: Duration) -> Result<Duration, NoBound> {
        let terms = self.all.total.members.len();
        let start = self.all.supply.time_for(self.own_work(since)?)?;
        let done = least_fixed_point(self.effort, terms, start, |window| self.step(since, window))?;
        Ok(done.min(self.longest()))
    }

    /// No window with what a guest has used in it is longer than any busy one.
    fn longest(&self) -> Duration {
        match self.before {
            Before::Budgets | Before::Jobs(_) => Duration::MAX,
            Before::Used(_) => self.all.last,
        }
    }

    fn needed(&self, since: Duration, window: Duration) -> Result<Duration, NoBound> {
        self.effort.spend(self.all.total.members.len())?;
        Ok(self.step(since, window)?.min(self.longest()))
    }

    fn step(&self, since: Duration, window: Duration) -> Result<Duration, NoBound> {
        let due = since.checked_add(self.portion.deadline).ok_or(NoBound::TooLong)?;
        let blocking = self.all.total.blocking_up_to(due);
        let fixed = self.own_work(since)?.checked_add(blocking).ok_or(NoBound::TooLong)?;
        self.all.supply.time_for(self.others.add_to(fixed, window, due)?)
    }

    fn own_work(&self, since: Duration) -> Result<Duration, NoBound> {
        let own = &self.all.total.members[self.place];
        let earlier = match self.before {
            Before::Budgets => self.due_before(since)?,
            Before::Jobs(jobs) => self.due_before(since)?.min(jobs.used_in(own, since)?),
            Before::Used(used) => self.most_used(used, since)?.min(since),
        };
        self.portion.work.checked_add(earlier).ok_or(NoBound::TooLong)
    }

    /// Its earlier budgets are due a period before the one that is looked at.
    fn due_before(&self, since: Duration) -> Result<Duration, NoBound> {
        let own = &self.all.total.members[self.place];
        own.by_deadline(since.saturating_sub(own.period - own.deadline()))
    }

    /// What its guest has used in `since`, were there time for it.
    fn most_used(&self, used: UsedBefore<'_>, since: Duration) -> Result<Duration, NoBound> {
        let budgets = self.all.total.members[self.place].by_release(since)?;
        Ok(used(since)?.min(budgets))
    }

    /// From where on up to `since` each nanosecond more has one more of its own in it.
    fn ramp_from(&self, since: Duration) -> Result<Option<Duration>, NoBound> {
        let used = match self.before {
            Before::Budgets => return Ok(self.all.total.members[self.place].ramp_from(since)),
            Before::Jobs(_) => return Ok(None),
            Before::Used(used) => used,
        };
        if self.most_used(used, since)? < since {
            return Ok(None);
        }
        // The least from which as much can have been used.
        let (mut less, mut enough) = (Duration::ZERO, since);
        while less < enough {
            let middle = Duration::from_ns(less.as_ns().midpoint(enough.as_ns()));
            if self.most_used(used, middle)? < since {
                less = middle + Duration::RESOLUTION;
            } else {
                enough = middle;
            }
        }
        Ok(Some(enough))
    }
}
