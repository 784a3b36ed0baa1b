//! Response time of a task among members of the same priority, which are served first come, first served.
//!
//! **Model.** The task becomes ready at `s`, `t` after its level became busy, with the job that is looked at or one right
//! before it. Of its equals only those come before it that were ready by then, and each of them only until it has nothing to do or no budget:
//! for one *stint*. So an equal takes at most what its stints that begin by `t` use ([`Equal::begun_by`]), and at most what
//! it can use until all of them are over ([`Equal::used_by`]). They are over by the least
//! `z >= t` with `z = supply(own(t) − C + hp(z) + equals(t, z))`; the job is complete by the least
//! `x >= z` with `x = supply(own(t) + hp(x) + equals(t, z))`, and its response time is `x − t + J`, for the worst `t`.
//!
//! **Assumptions.** 1. Those of [`response_time`](super::response_time). 2. Equals are as [`Equal`] says; a member that is exhausted, or
//! has nothing to do, at the instant at which it is ready again is behind those that are ready (docs/model.md).
//! 3. Nothing less urgent holds any of them up, and the machine takes no time of its own.
//!
//! **Cost.** Two fixed points for each instant of a busy window at which more may have begun.
//!
//! Reference: S. Martin, P. Minet, L. George, FP/FIFO scheduling, 2005, for tasks.
//!
//! Theory: docs/theory/first-come.md.

use crate::demand::{Load, Loads};
use crate::ground::Rate;
use crate::ground::{Effort, LONGEST_WINDOW, NoBound, least_fixed_point};
use crate::supply::Supply;
use vorrang_time::Duration;

/// One member as urgent as the task.
#[derive(Clone, Debug)]
pub(crate) struct Equal<'a> {
    /// What it takes in windows in which its level begins to be busy: jobs, or budgets and what they are used for.
    pub(crate) load: Load<'a>,
    /// How its stints are limited.
    pub(crate) stints: Stints,
    /// What a server is used for in windows that begin when nothing in it waits, if that is known and then its budget is kept.
    pub(crate) fresh: Option<Vec<Load<'a>>>,
}

/// What its stints that begin in time use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stints {
    /// Each is a job, or a budget of one period.
    One,
    /// Each is less than a budget that was left, and the next: of a server that keeps its budget.
    Kept,
    /// Stints of any length.
    Any,
}

impl Equal<'_> {
    /// The most that its stints use that begin by an instant of the window.
    fn begun_by(&self, instant: Duration) -> Result<Duration, NoBound> {
        match self.stints {
            Stints::One => self.budgets(instant + Duration::RESOLUTION),
            Stints::Kept => {
                let before = self.budgets(instant)?.min(instant);
                let last = self.load.cost * 2 - Duration::RESOLUTION;
                before.checked_add(last).ok_or(NoBound::TooLong)
            }
            Stints::Any => Ok(LONGEST_WINDOW),
        }
    }

    /// The most that it has used once all is used that it can use by an instant of the window, that instant included.
    fn used_by(&self, instant: Duration) -> Result<Duration, NoBound> {
        let Load { cost, arrivals, used_by, .. } = self.load;
        let window = instant + Duration::RESOLUTION;
        let budgets = self.budgets(window)?;
        let Some(inside) = used_by.map(Loads::new) else { return Ok(budgets) };
        let longer = window + arrivals.period;
        if longer > LONGEST_WINDOW {
            return Err(NoBound::TooLong);
        }
        let pending = inside.in_window(window)?;
        let Some(fresh) = &self.fresh else { return Ok(budgets.min(pending)) };
        let idle = budgets.min(Loads::new(fresh).in_window(window)?);
        // Its guest waits when the window begins: a budget was used up, and the next is yet to come.
        let whole = cost.checked_mul(window.div_ceil(arrivals.period)).ok_or(NoBound::TooLong)?;
        let rest = inside.in_window(longer)?.saturating_sub(cost);
        Ok(idle.max(whole.min(pending).min(rest)))
    }

    /// Its jobs or budgets in a window.
    fn budgets(&self, window: Duration) -> Result<Duration, NoBound> {
        let count = self.load.arrivals.in_window(window);
        self.load.cost.checked_mul(count).ok_or(NoBound::TooLong)
    }

    /// The least of both.
    fn before(&self, begun: Duration, until: Duration) -> Result<Duration, NoBound> {
        Ok(self.begun_by(begun)?.min(self.used_by(until)?))
    }

    /// Whether stints that begin a nanosecond later may use one more.
    fn grows_until(&self, instant: Duration) -> Result<bool, NoBound> {
        Ok(self.stints == Stints::Kept && instant <= self.budgets(instant)?)
    }

    /// The last instant before the next one at which what it may use changes otherwise.
    fn changes_after(&self, instant: Duration) -> Result<Duration, NoBound> {
        let period = self.load.arrivals.period;
        let mut next = self.load.arrivals.next_after(instant);
        let fresh = self.fresh.iter().flatten();
        for load in self.load.used_by.unwrap_or_default().iter().chain(fresh) {
            let waits = load.next_begin(instant + period) - period;
            next = next.min(load.next_begin(instant)).min(waits);
        }
        let last = next - Duration::RESOLUTION;
        let full = self.budgets(instant + Duration::RESOLUTION)?;
        let grows = self.stints == Stints::Kept && full > instant;
        Ok(if grows { last.min(full) } else { last })
    }

    /// The terms of an evaluation.
    fn terms(&self) -> usize {
        1 + 2 * self.load.used_by.map_or(0, <[_]>::len) + self.fresh.as_ref().map_or(0, Vec::len)
    }
}

/// A task among its equals.
pub(crate) struct FirstCome<'a> {
    pub(crate) supply: &'a dyn Supply,
    pub(crate) own: Load<'a>,
    /// What is more urgent.
    pub(crate) urgent: Loads<'a>,
    pub(crate) equals: &'a [Equal<'a>],
    pub(crate) effort: &'a Effort,
}

/// The worst job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Worst {
    /// Its response time, from the arrival.
    pub(crate) bound: Duration,
    /// When it is released at the earliest, from the begin of the busy window on.
    pub(crate) released: Duration,
    /// When no equal comes before it any more.
    pub(crate) until: Duration,
    /// When it is complete.
    pub(crate) window: Duration,
    /// The work of the task until then.
    pub(crate) own: Duration,
    /// The work of its equals before it.
    pub(crate) equals: Duration,
}

impl FirstCome<'_> {
    /// The longest response time; none if it is found to be no less than what is `known`.
    ///
    /// # Errors
    /// Why none is found.
    pub(crate) fn response(&self, known: Duration) -> Result<Option<Worst>, NoBound> {
        let end = self.level_ends()?;
        let mut worst: Option<Worst> = None;
        let (mut since, mut until) = (Duration::ZERO, Duration::ZERO);
        while since < end {
            let found = self.released_in(since, until)?;
            if found.bound >= known {
                return Ok(None);
            }
            if worst.is_none_or(|worst| found.bound > worst.bound) {
                worst = Some(found);
            }
            since = until + Duration::RESOLUTION;
            until = self.stretch_from(since)?.min(end);
        }
        Ok(worst)
    }

    /// When the level has nothing to do at the latest.
    fn level_ends(&self) -> Result<Duration, NoBound> {
        let own = self.urgent.rate_floor().plus(self.own.rate_floor());
        let equals = self.equals.iter().map(|equal| equal.load.rate_floor());
        let rate = equals.fold(own, Rate::plus);
        self.effort.expect(rate, self.supply.rate_ceil(), self.terms())?;
        least_fixed_point(self.effort, self.terms(), Duration::ZERO, |window| {
            let closed = window + Duration::RESOLUTION;
            let mut work = self.own.in_window(closed)?;
            for equal in self.equals {
                work = work.checked_add(equal.used_by(window)?).ok_or(NoBound::TooLong)?;
            }
            self.time_for(work, closed)
        })
    }

    /// The terms of an evaluation.
    fn terms(&self) -> usize {
        let equals: usize = self.equals.iter().map(Equal::terms).sum();
        1 + self.urgent.len() + equals
    }

    /// The last instant of the stretch from `since` on in which nothing changes but what grows all the time.
    fn stretch_from(&self, since: Duration) -> Result<Duration, NoBound> {
        let before = since - Duration::RESOLUTION;
        let mut until = self.own.arrivals.next_after(before) - Duration::RESOLUTION;
        for equal in self.equals {
            until = until.min(equal.changes_after(before)?);
        }
        Ok(until.max(since))
    }

    /// The worst job that is released in a stretch.
    ///
    /// Where nothing grows it is the first. Where one equal grows as fast as time passes, it is the last, with all that this equal can
    /// use by then; nor is it worse than one that is released first and finds what the last one does.
    fn released_in(&self, since: Duration, until: Duration) -> Result<Worst, NoBound> {
        let jitter = self.own.arrivals.jitter;
        let mut growing = Vec::new();
        for (place, equal) in self.equals.iter().enumerate() {
            if since < until && equal.grows_until(until)? {
                growing.push(place);
            }
        }
        let found = if growing.is_empty() { since } else { until };
        let mut worst = self.complete(found, None)?.from(since, jitter);
        for place in growing {
            let last = self.complete(until, Some(place))?.from(until, jitter);
            if last.bound < worst.bound {
                worst = last;
            }
        }
        Ok(worst)
    }

    /// When a job is complete that is released by `instant`; of the equal at `growing` all that it may use.
    fn complete(&self, instant: Duration, growing: Option<usize>) -> Result<Worst, NoBound> {
        let own = self.own.in_window(instant + Duration::RESOLUTION)?;
        let equals = |until: Duration| {
            self.equals.iter().enumerate().try_fold(Duration::ZERO, |sum, (place, equal)| {
                let before = match growing {
                    Some(growing) if growing == place => equal.begun_by(instant)?,
                    _ => equal.before(instant, until)?,
                };
                sum.checked_add(before).ok_or(NoBound::TooLong)
            })
        };
        let until = least_fixed_point(self.effort, self.terms(), instant, |window| {
            let work = (own - self.own.cost).checked_add(equals(window)?);
            Ok(self.time_for(work.ok_or(NoBound::TooLong)?, window)?.max(window))
        })?;
        let equals = equals(until)?;
        let work = own.checked_add(equals).ok_or(NoBound::TooLong)?;
        let window = least_fixed_point(self.effort, self.terms(), until, |window| {
            Ok(self.time_for(work, window)?.max(window))
        })?;
        Ok(Worst { bound: Duration::ZERO, released: instant, until, window, own, equals })
    }

    /// How long work takes beside what is more urgent in the window.
    fn time_for(&self, work: Duration, window: Duration) -> Result<Duration, NoBound> {
        let all = work.checked_add(self.urgent.in_window(window)?).ok_or(NoBound::TooLong)?;
        self.supply.time_for(all)
    }
}

impl Worst {
    /// The same where the job is released no earlier.
    fn from(self, released: Duration, jitter: Duration) -> Self {
        Self { bound: self.window + jitter - released, released, ..self }
    }
}
