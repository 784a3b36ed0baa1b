//! The least budget for a guest under EDF.
//!
//! **Model.** A guest demands `w(t) = sum (floor((t − D_i) / T_i) + 1) C_i` by `t`, so the budget is the largest
//! `least(t, w(t))` over all deadlines t; and it is more than `Π sum C_i / T_i`, or the whole period, for at
//! the common multiples of all periods the demand is the utilisation times t, and a resource
//! with a gap gives less than its share. With a budget of share α no t beyond
//!
//! ```text
//!   L = (2 (Π − Θ) α + sum u_i (T_i − D_i)) / (α − sum u_i)
//! ```
//!
//! needs more: there the line below the resource is above that over the demand. To find some t that
//! need most before L is computed, t goes down first from the longest period, then from four times
//! that, and so on until L is passed. On its way down t skips what cannot need more: if
//! `g = time_for(w(t))` is below t, the same holds from g to t. What needs more raises the budget and is
//! done then; what was passed before holds with more, too.
//!
//! **Assumptions.** Those of [`super`].
//!
//! **Cost.** Some steps, each a multiplication or two a task; more, the nearer the budget is to the utilisation.
//!
//! Reference: Baruah, Rosier, Howell 1990; Zhang, Burns 2009 (the way down); Shin, Lee 2003.
//!
//! Theory: docs/theory/periodic-resource.md.

use super::Resource;
use crate::edf::{Contender, Work, meets_all_deadlines};
use crate::effort::{Effort, LONGEST_WINDOW, NoBound};
use crate::fixed_priority::{Level, Scratch, SporadicTask};
use crate::rate::greatest_common_divisor;
use crate::source::Source;
use crate::supply::Dedicated;
use vorrang_time::Duration;

/// The least multiple of `step` that is a budget in every `period` with which all tasks meet their
/// deadlines; `None`: there is none.
///
/// # Errors
/// The budget is so near to the utilisation that it is not found within a number of steps.
///
/// # Panics
/// If a period is zero or a limit exceeds its period.
pub fn edf(
    period: Duration,
    step: Duration,
    tasks: &[SporadicTask],
    scratch: &mut Scratch,
) -> Result<Option<Duration>, NoBound> {
    let resource = Resource::new(period, step);
    scratch.levels.clear();
    scratch.levels.extend(tasks.iter().map(SporadicTask::level));
    let guest = Guest { tasks, levels: &scratch.levels };
    let Some(mut budget) = guest.more_than_its_share(&resource)? else {
        // The whole period may be enough for what uses all of it.
        let whole = resource.rounded(period);
        return Ok(if guest.holds_on_a_core()? { whole } else { None });
    };
    let (mut known, mut horizon) = (Duration::ZERO, guest.longest_period());
    let effort = Effort::default();
    while let Some(enough) = guest.raised(&resource, budget, horizon, known, &effort)? {
        budget = enough;
        known = horizon;
        let end = guest.beyond(&resource, budget);
        if end.is_some_and(|end| end <= known) {
            return Ok(Some(budget));
        }
        let further = known.checked_mul(FURTHER).ok_or(NoBound::TooLong)?;
        horizon = end.map_or(further, |end| end.min(further));
        if horizon > LONGEST_WINDOW {
            return Err(NoBound::TooLong);
        }
    }
    Ok(None)
}

/// How many times as far as is known is looked next.
const FURTHER: u64 = 4;

/// Bits of a share after the point (`Divisor::share_of`).
const SHARE: u32 = 32;

/// Tasks, with what is divided by.
struct Guest<'a> {
    tasks: &'a [SporadicTask],
    levels: &'a [Level],
}

impl Guest<'_> {
    fn both(&self) -> impl Iterator<Item = (&SporadicTask, &Level)> {
        self.tasks.iter().zip(self.levels)
    }

    /// What has its deadline within `time`, and the last of these deadlines.
    #[inline]
    fn due(&self, time: Duration) -> (Duration, Duration) {
        let (mut work, mut last) = (Duration::ZERO, Duration::ZERO);
        for (task, level) in self.both() {
            if time < task.limit {
                continue;
            }
            let since = time - task.limit;
            let (jobs, rest) = level.period.parts_of(since);
            work += level.wcet * (jobs + 1);
            last = last.max(time - rest);
        }
        (work, last)
    }

    /// The utilisation in units of 2^-32: not more, and not less.
    fn utilisation(&self) -> Option<(u64, u64)> {
        let sum = |(low, high), (task, level): (&SporadicTask, &Level)| {
            let own = (task.wcet <= task.period).then(|| level.period.share_of(task.wcet))?;
            Some((low + own.0, high + own.1))
        };
        self.both().try_fold((0, 0), sum)
    }

    /// The least budget with a share above the utilisation; `None`: there is none.
    fn more_than_its_share(&self, resource: &Resource) -> Result<Option<Duration>, NoBound> {
        let whole = u128::from(resource.period.as_ns());
        let Some((low, high)) = self.utilisation() else { return Ok(None) };
        let [low, high] = [low, high].map(|share| (u128::from(share) * whole) >> SHARE);
        let above = if low == high { Some(low) } else { self.exact_share(whole) };
        let budget = above.and_then(|above| u64::try_from(above).ok()).ok_or(NoBound::TooLong)?;
        let more = Duration::from_ns(budget.saturating_add(1));
        Ok(resource.rounded(more))
    }

    /// Whether a budget of the whole period is enough, at a utilisation of one or more.
    fn holds_on_a_core(&self) -> Result<bool, NoBound> {
        let member = |task: &SporadicTask| Contender {
            of: Source::Unnamed,
            cost: task.wcet,
            period: task.period,
            work: Work::Jobs {
                deadline: task.limit,
                jitter: Duration::ZERO,
                blocking: Duration::ZERO,
            },
        };
        let members: Vec<Contender> = self.tasks.iter().map(member).collect();
        meets_all_deadlines(&Dedicated, true, &members, &Effort::default())
    }

    fn longest_period(&self) -> Duration {
        self.tasks.iter().map(|task| task.period).max().unwrap_or(Duration::ZERO)
    }

    /// The least budget, no less than `budget`, for all times up to `horizon` and after `known`; `None`: not
    /// even the whole period is enough.
    fn raised(
        &self,
        resource: &Resource,
        mut budget: Duration,
        horizon: Duration,
        known: Duration,
        effort: &Effort,
    ) -> Result<Option<Duration>, NoBound> {
        let mut time = horizon;
        while time > known {
            let (work, last) = self.due(time);
            if work.is_zero() {
                break;
            }
            effort.spend(self.tasks.len())?;
            let mut enough = resource.time_for(budget, work).ok_or(NoBound::TooLong)?;
            if enough > last {
                let Some(more) = resource.least(last, work) else { return Ok(None) };
                (budget, enough) = (more, last);
            }
            time = enough.min(last.saturating_sub(Duration::RESOLUTION));
        }
        Ok(Some(budget))
    }

    /// No time beyond this needs more than a budget; `None`: its share is too near to the utilisation to say.
    fn beyond(&self, resource: &Resource, budget: Duration) -> Option<Duration> {
        let (share, share_high) = resource.periods.share_of(budget);
        let late = (resource.period - budget) * 2;
        let mut over = u128::from(share_high) * u128::from(late.as_ns());
        let mut left = share;
        for (task, level) in self.both() {
            let (_, own) = level.period.share_of(task.wcet);
            over += u128::from(own) * u128::from((task.period - task.limit).as_ns());
            left = left.saturating_sub(own);
        }
        let time = match u64::try_from(over) {
            Ok(over) if left > 0 => over.div_ceil(left),
            _ => u64::try_from(over.checked_div(u128::from(left))?).ok()?.checked_add(1)?,
        };
        Some(Duration::from_ns(time))
    }

    /// `floor(whole · utilisation)`; `None`: out of range.
    fn exact_share(&self, whole: u128) -> Option<u128> {
        let (mut over, mut under) = (0_u128, 1_u128);
        let mut sum = 0;
        for task in self.tasks {
            let (wcet, period) = (u128::from(task.wcet.as_ns()), u128::from(task.period.as_ns()));
            sum += wcet * whole / period;
            let rest = wcet * whole % period;
            over = over.checked_mul(period)?.checked_add(rest.checked_mul(under)?)?;
            under = under.checked_mul(period)?;
            let common = greatest_common_divisor(over, under);
            (over, under) = (over / common, under / common);
        }
        Some(sum + over / under)
    }
}
