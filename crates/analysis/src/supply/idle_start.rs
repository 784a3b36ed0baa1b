//! What a server that keeps its budget provides to one level of its guest, which had nothing to do just before.
//!
//! **Model.** A deferrable or sporadic server (Q, T) with the level `y` ([`Residual`]; under EDF [`Parent`]); in it a level of its guest, the
//! load `H` before it, and other work of the guest `L`. The window begins at `a`, when nothing of the level
//! or of `H` waits, and asks for `w` throughout. Of budget there is then what the guest has not used. Let `P(v) = j T + y(v − j Q)`,
//! `j = ceil(v / Q) − 1`: from the begin of a period with the whole budget on.
//!
//! | case | the longest until `w` is received |
//! |---|---|
//! | budget is there throughout | the least `x = y(w + H(x))` |
//! | it is used up, and what is used up first had returned, or was there, `s` before `a` | the lesser of the two below |
//! | – `H` in the whole window | `z >= T` with `z = P(w + u(s) + H'(z))`, less `s` |
//! | – `H` since `a` | `x >= T − s` with `x = P(w + v(s) + H(x)) − s` |
//! | deferrable: first a period ends before it is used up | the least `x = y(Q) − Q + P(w + H(x))` |
//!
//! `z` and `x` are the least ones in a deferrable server, whose budget returns at once. In a sporadic one pieces return, and the
//! greatest ones up to the bound of Davis and Burns count. `H'` is the load in a window that begins anywhere, `u(s)` what less urgent work and earlier jobs of the one that asks
//! have used in the `s` before, `v(s)` what all the guest has: at most `s`, at most `Q`, and at most what can have been pending then. Where
//! nothing bounds that, the second case is that of Davis and Burns, whose bound is used wherever it is less.
//!
//! **Assumptions.** 1. Those of `FixedPriorityServer`. 2. Loads in windows that begin anywhere hold: every job counts from its
//! arrival to the longest response time. 3. Work of the guest is all that its budget is used for.
//!
//! Reference: Bril, Cuijpers 2006 and Cuijpers, Bril 2007 for one task.
//!
//! Theory: docs/theory/idle-start.md, docs/theory/idle-start-edf.md.

use super::earlier::Used;
use super::idle_case::{Case, longer, shorter};
use super::{Earlier, Kept, Residual, Supply};
use crate::demand::{Load, Loads};
use crate::derivation::{Derivation, OfIdleStart};
use crate::ground::Rate;
use crate::ground::{Effort, LONGEST_WINDOW, NoBound, greatest_fixed_point, least_fixed_point};
use vorrang_time::Duration;

/// What it provides to one level of its guest.
#[derive(Clone, Copy)]
pub struct IdleStart<'a> {
    /// The server.
    pub server: Kept<'a>,
    /// The same where nothing is known of the guest.
    pub usual: Residual<'a>,
    /// What comes before the level in its guest, in windows that begin when nothing of it waits.
    pub loads: Loads<'a>,
    /// The same in windows that begin anywhere.
    pub anywhere: &'a [Load<'a>],
    /// What else may have used budget.
    pub earlier: Earlier<'a>,
    /// The steps of its searches.
    pub effort: &'a Effort,
}

impl IdleStart<'_> {
    /// The longest of the cases.
    fn worst(&self, work: Duration, usual: Duration) -> Result<Case, NoBound> {
        let Kept { parent, budget, is_deferrable, .. } = self.server;
        let terms = 1 + self.loads.len();
        let before = |since| self.used_in(since);
        let start = parent.with_budget(work, &before)?;
        let straight = least_fixed_point(self.effort, terms, start, |window| {
            parent.with_budget(demand(work, self.loads, window)?, &before)
        })?;
        let mut worst = Case::Straight(straight);
        if is_deferrable && demand(work, self.loads, straight)? > budget {
            let wait = parent.until_period_ends(budget, &before)?;
            let next = |window| {
                let time = self.server.whole_from(demand(work, self.loads, window)?)?;
                Ok(time.checked_add(wait).ok_or(NoBound::TooLong)?.max(straight))
            };
            let window = least_fixed_point(self.effort, terms, straight, next)?;
            worst = longer(worst, Case::AfterPeriod(window));
        }
        self.used_up((work, usual), worst)
    }

    /// What the guest has used in the time `before` its window. After what is more urgent the task that asks may come later.
    fn used_in(&self, before: Duration) -> Result<Duration, NoBound> {
        if self.loads.is_empty() {
            self.earlier.used_in(before, self.effort)
        } else {
            self.earlier.used_in_any(before, self.anywhere, self.effort)
        }
    }

    /// The longest where budget is used up, if that is longer than `worst`.
    fn used_up(
        &self,
        (work, usual): (Duration, Duration),
        mut worst: Case,
    ) -> Result<Case, NoBound> {
        let Kept { budget, period, .. } = self.server;
        let latest = self.done_from_period((work, budget), period, (period, usual))?;
        let (mut since, mut start) = (Duration::ZERO, period);
        while since < period && latest > since + worst.time() {
            let pending = |more| self.earlier.pending(since, more, budget, self.effort);
            let (less, all) = (pending(&[])?, pending(self.anywhere)?);
            let next = self.earlier.next_pending(since, self.anywhere).min(period);
            // What was used grows with the time there was, as far as something was pending.
            while since < next {
                let grows = [less, all].map(|used| used.since(budget));
                let grows = grows.into_iter().filter(|&until| until > since);
                let until = grows.fold(next, Duration::min);
                let of = |used: Used| {
                    if used.since(budget) > since {
                        (used.within(until, budget), until)
                    } else {
                        (used.all(budget), since)
                    }
                };
                let (by_periods, by_window) = (of(less), of(all));
                if !self.is_done(work, by_periods, by_window, worst.time())? {
                    let (used, since) = by_periods;
                    // What was used before only grows, and so does this window.
                    let window = self.done_from_period((work, used), start, (since, usual))?;
                    start = start.max(window);
                    let by_periods = Case::UsedUp { window: window.max(since), since, used };
                    let (used, since) = by_window;
                    let time = self.done_after((work, used), since, usual)?;
                    let by_window = Case::UsedBefore { time, since, used };
                    worst = longer(worst, shorter(by_periods, by_window));
                }
                since = until;
            }
        }
        self.used_up_by_itself((work, usual), latest, worst)
    }

    /// The same where earlier jobs of the one that asks used budget, which comes some time after the window began.
    fn used_up_by_itself(
        &self,
        (work, usual): (Duration, Duration),
        latest: Duration,
        mut worst: Case,
    ) -> Result<Case, NoBound> {
        let Kept { budget, period, .. } = self.server;
        let mut next = self.earlier.own().map(|own| own.from);
        while let Some(from) = next.filter(|&from| latest > from + worst.time()) {
            let pending = self.earlier.pending(from, &[], budget, self.effort)?;
            let end = self.earlier.next_pending(from, &[]);
            let since = pending.since(budget).max(from).min(end);
            let used = pending.within(since, budget);
            let window = self.done_from_period((work, used), period, (since, usual))?.max(since);
            worst = longer(worst, Case::UsedUp { window, since, used });
            next = (used < budget).then_some(end);
        }
        Ok(worst)
    }

    /// Whether one of both ways to bound this case shows, by one evaluation, that the work is done by `time`: what
    /// an equation maps to no more than itself is no less than its least fixed point.
    fn is_done(
        &self,
        work: Duration,
        by_periods: (Duration, Duration),
        by_window: (Duration, Duration),
        time: Duration,
    ) -> Result<bool, NoBound> {
        let Kept { period, is_deferrable, .. } = self.server;
        if !is_deferrable {
            return Ok(false);
        }
        self.effort.spend(2 + self.anywhere.len() + self.loads.len())?;
        let (used, since) = by_periods;
        let window = time.checked_add(since).ok_or(NoBound::TooLong)?;
        if window > LONGEST_WINDOW {
            return Ok(false);
        }
        let all = work.checked_add(used).ok_or(NoBound::TooLong)?;
        let done = self.server.whole_from(demand(all, Loads::new(self.anywhere), window)?)?;
        if window >= period && done <= window {
            return Ok(true);
        }
        let (used, since) = by_window;
        let all = work.checked_add(used).ok_or(NoBound::TooLong)?;
        let window = self.server.whole_from(demand(all, self.loads, time)?)?;
        Ok(time + since >= period && window <= time + since)
    }

    /// When the work is done, from the begin of a period on whose budget is used up, `since` before the window; zero if
    /// it is not. It takes no less than `start`, at least a period.
    fn done_from_period(
        &self,
        (work, used): (Duration, Duration),
        start: Duration,
        (since, usual): (Duration, Duration),
    ) -> Result<Duration, NoBound> {
        let all = work.checked_add(used).ok_or(NoBound::TooLong)?;
        let longest = since.checked_add(usual).ok_or(NoBound::TooLong)?;
        self.done(all, Loads::new(self.anywhere), Duration::ZERO, (start, longest))
    }

    /// The same from the begin of the window on, where `used` is all that was used since.
    fn done_after(
        &self,
        (work, used): (Duration, Duration),
        since: Duration,
        usual: Duration,
    ) -> Result<Duration, NoBound> {
        let all = work.checked_add(used).ok_or(NoBound::TooLong)?;
        self.done(all, self.loads, since, (Duration::ZERO, usual))
    }

    /// How long a window is that begins `since` after a period and in which this work and these loads use up budget; zero if they
    /// do not. It is no shorter than `start`, and no longer than `longest`.
    fn done(
        &self,
        work: Duration,
        loads: Loads<'_>,
        since: Duration,
        (start, longest): (Duration, Duration),
    ) -> Result<Duration, NoBound> {
        let Kept { budget, period, is_deferrable, .. } = self.server;
        let (terms, period_ends) = (1 + loads.len(), period.saturating_sub(since));
        let next = |window| {
            Ok(self.server.whole_from(demand(work, loads, window)?)?.saturating_sub(since))
        };
        // Before the end of the window pieces that return may be less than is counted there.
        if !is_deferrable {
            return greatest_fixed_point(self.effort, terms, period_ends..=longest, next);
        }
        if demand(work, loads, period_ends)? <= budget {
            return Ok(Duration::ZERO);
        }
        let start = start.max(period_ends);
        least_fixed_point(self.effort, terms, start, |window| Ok(next(window)?.max(period_ends)))
    }
}

fn demand(work: Duration, loads: Loads<'_>, window: Duration) -> Result<Duration, NoBound> {
    work.checked_add(loads.in_window(window)?).ok_or(NoBound::TooLong)
}

impl Supply for IdleStart<'_> {
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        if work.is_zero() {
            return Ok(Duration::ZERO);
        }
        let usual = self.usual.time_for(work)?;
        Ok(usual.min(self.worst(work, usual)?.time()))
    }

    fn rate_ceil(&self) -> Rate {
        self.usual.rate_ceil()
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        let Ok(usual) = self.usual.time_for(work) else { return };
        let Ok(worst) = self.worst(work, usual) else { return };
        if usual <= worst.time() {
            return self.usual.derive(work, to);
        }
        let Kept { of, budget, .. } = self.server;
        let anywhere = Loads::new(self.anywhere);
        let (how, work, loads, window) = match worst {
            Case::Straight(time) => {
                to.push(OfIdleStart::HasBudget { of, time });
                let rest = to.terms(work, self.loads, time);
                return to.indented(|to| self.server.parent.derive(rest, time, to));
            }
            Case::AfterPeriod(time) => {
                let wait =
                    self.server.parent.until_period_ends(budget, &|since| self.used_in(since));
                let wait = wait.unwrap_or(Duration::ZERO);
                (OfIdleStart::EndsPeriod { of, budget, time, wait }, work, self.loads, time)
            }
            Case::UsedUp { window, since, used } => {
                let how = OfIdleStart::UsesUp { of, budget, since, used, window };
                (how, work + used, anywhere, window)
            }
            Case::UsedBefore { time, since, used } => {
                let how = OfIdleStart::UsedBefore { of, budget, since, used, time };
                (how, work + used, self.loads, time)
            }
        };
        to.push(how);
        let all = to.terms(work, loads, window);
        to.indented(|to| self.server.derive(all, to));
        to.cite("a server that keeps its budget, from an idle guest on, Bril, Cuijpers 2006; docs/theory/idle-start.md");
    }
}
