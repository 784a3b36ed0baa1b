//! The least budget for a guest under EDF.
//!
//! **Model.** A guest demands `w(t) = sum (floor((t − D_i) / T_i) + 1) C_i` by `t`, so the budget is the largest
//! `least(t, w(t))` over all deadlines t; and it is more than `Π sum C_i / T_i`, or the whole period, for at
//! the common multiples of all periods the demand is the utilisation times t, and a resource
//! with a gap gives less than its share. No t needs more from where a [`line`] says so, and
//! few of those before ([`search`]).
//!
//! **Assumptions.** Those of [`super`].
//!
//! **Cost.** Some steps, each two or three multiplications a task, and a few operations for each period of the
//! task with the most work; more of them, the nearer the budget is to the utilisation.
//!
//! Reference: Baruah, Rosier, Howell 1990; Zhang, Burns 2009 (the way down); Shin, Lee 2003.
//!
//! Theory: docs/theory/periodic-resource.md.

mod line;
mod search;
#[cfg(test)]
mod tests;

use super::Resource;
use num_integer::gcd;
use search::{Search, Term};
use vorrang_analysis::Source;
use vorrang_analysis::edf::{Contender, Work, meets_all_deadlines};
use vorrang_analysis::fixed_priority::SporadicTask;
use vorrang_analysis::supply::Dedicated;
use vorrang_analysis::{Effort, LONGEST_WINDOW, NoBound};
use vorrang_time::Duration;

/// Memory of [`edf`] that is used again.
#[derive(Clone, Debug, Default)]
pub struct Terms(Vec<Term>);

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
    memory: &mut Terms,
) -> Result<Option<Duration>, NoBound> {
    let resource = Resource::new(period, step);
    let terms = &mut memory.0;
    terms.clear();
    for task in tasks {
        // What never fits has no share.
        let Some(term) = Term::new(task) else { return Ok(None) };
        terms.push(term);
    }
    terms.sort_unstable_by_key(Term::least_work_first);
    let Some(budget) = more_than_its_share(&resource, terms, tasks)? else {
        // The whole period may be enough for what uses all of it.
        let whole = resource.rounded(period);
        return Ok(if holds_on_a_core(tasks)? { whole } else { None });
    };
    let longest = tasks.iter().map(|task| task.period).max();
    let shortest = tasks.iter().map(|task| task.limit).min();
    let (Some(longest), Some(shortest)) = (longest, shortest) else { return Ok(Some(budget)) };
    let mut search = Search::new(resource, terms, budget);
    // Nothing is due before the shortest deadline.
    let is_enough = search.down(longest, shortest.saturating_sub(Duration::RESOLUTION))?;
    let is_enough = is_enough && raised(&mut search, longest, Search::windows)?;
    Ok(is_enough.then_some(search.budget()))
}

/// Raises the budget to what is enough for all times after `known`, in some way from one time to another; false: not
/// even the whole period is.
fn raised<'a>(
    search: &mut Search<'a>,
    mut known: Duration,
    way: impl Fn(&mut Search<'a>, Duration, Duration) -> Result<bool, NoBound>,
) -> Result<bool, NoBound> {
    loop {
        let end = search.line().end();
        if end.is_some_and(|end| end <= known) {
            return Ok(true);
        }
        let further = known.checked_mul(FURTHER).ok_or(NoBound::TooLong)?;
        let horizon = end.map_or(further, |end| end.min(further));
        if horizon > LONGEST_WINDOW {
            return Err(NoBound::TooLong);
        }
        if !way(search, known, horizon)? {
            return Ok(false);
        }
        known = horizon;
    }
}

/// How many times as far as is known is looked next.
const FURTHER: u64 = 2;

/// Bits of a share after the point (`Divisor::share_of`).
const SHARE: u32 = 32;

/// The least budget with a share above the utilisation; `None`: there is none.
fn more_than_its_share(
    resource: &Resource,
    terms: &[Term],
    tasks: &[SporadicTask],
) -> Result<Option<Duration>, NoBound> {
    let whole = u128::from(resource.period.as_ns());
    let (low, high) = search::utilisation(terms);
    let [low, high] = [low, high].map(|share| (u128::from(share) * whole) >> SHARE);
    let above = if low == high { Some(low) } else { exact_share(tasks, whole) };
    let budget = above.and_then(|above| u64::try_from(above).ok()).ok_or(NoBound::TooLong)?;
    let more = Duration::from_ns(budget.saturating_add(1));
    Ok(resource.rounded(more))
}

/// `floor(whole · utilisation)`; `None`: out of range.
fn exact_share(tasks: &[SporadicTask], whole: u128) -> Option<u128> {
    let (mut over, mut under) = (0_u128, 1_u128);
    let mut sum = 0;
    for task in tasks {
        let (wcet, period) = (u128::from(task.wcet.as_ns()), u128::from(task.period.as_ns()));
        sum += wcet * whole / period;
        let rest = wcet * whole % period;
        over = over.checked_mul(period)?.checked_add(rest.checked_mul(under)?)?;
        under = under.checked_mul(period)?;
        let common = gcd(over, under);
        (over, under) = (over / common, under / common);
    }
    Some(sum + over / under)
}

/// Whether a budget of the whole period is enough, at a utilisation of one or more.
fn holds_on_a_core(tasks: &[SporadicTask]) -> Result<bool, NoBound> {
    let member = |task: &SporadicTask| Contender {
        of: Source::Unnamed,
        cost: task.wcet,
        period: task.period,
        distances: None,
        work: Work::Jobs { deadline: task.limit, jitter: Duration::ZERO, blocking: Duration::ZERO },
    };
    let members: Vec<Contender> = tasks.iter().map(member).collect();
    meets_all_deadlines(&Dedicated, true, &members, &Effort::default())
}
