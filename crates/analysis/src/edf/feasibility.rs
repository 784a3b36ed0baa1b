//! Whether every deadline of an EDF supply is met.
//!
//! **Model.** If at some instant a deadline is missed, there is a window before it, at least as
//! long as the shortest time from a release to a deadline, in which the supply gave all it had to
//! work with deadlines in the window, and that was not enough. So all deadlines are met if
//! `supply(blocking(t) + sum demand(t)) <= t` for every `t` from that shortest time up to the
//! longest busy window. The search goes down from there and skips what cannot fail: if
//! `g(t) = supply(...)` is below `t`, then `g <= g(t) <= u` for every `u` between the two.
//!
//! With constant-bandwidth servers among the members `t` starts at 1: a kept pair (c, d) may have a near deadline.
//!
//! **Cost.** Few steps far from full load; each evaluates all members. Never the hyperperiod.
//!
//! Reference: Baruah, Mok, Rosier 1990; Zhang, Burns 2009 (QPA), here for any supply and any
//! non-decreasing demand; Shin, Lee 2003.

use super::demand::{Contender, Work};
use crate::effort::{Effort, NoBound, least_fixed_point};
use crate::rate::{Rate, at_most_one};
use crate::supply::Supply;
use vorrang_time::Duration;

/// Whether every member meets every deadline on `supply`. `on_bare_core` says that `supply` is a
/// dedicated core without interrupts, where utilisation alone may decide.
///
/// # Errors
/// Why the question was not decided.
pub fn meets_all_deadlines(
    supply: &dyn Supply,
    on_bare_core: bool,
    members: &[Contender<'_>],
    effort: &Effort,
) -> Result<bool, NoBound> {
    if on_bare_core
        && utilisation_decides(members)
        && let Some(met) = at_most_one(members.iter().map(|m| (m.cost, m.period)))
    {
        return Ok(met);
    }
    match effort.expect(long_run(members), supply.rate_ceil(), 4 * members.len()) {
        Err(NoBound::Overload) => return Ok(false),
        known => known?,
    }
    let shortest = shortest_window(members);
    let mut window = longest_busy_window(supply, members, effort)?;
    while window >= shortest {
        effort.spend(members.len())?;
        let needed = supply.time_for(demand(members, window)?)?;
        if needed > window {
            return Ok(false);
        }
        window = if needed < window { needed } else { window.saturating_sub(Duration::RESOLUTION) };
        if window.is_zero() {
            break;
        }
    }
    Ok(true)
}

/// Demand is below a line through the origin for every member, so that the sum of the slopes
/// decides (Liu, Layland 1973; Abeni, Buttazzo 1998).
fn utilisation_decides(members: &[Contender<'_>]) -> bool {
    members.iter().all(|member| match member.work {
        Work::Jobs { deadline, jitter, blocking } => {
            deadline >= member.period && jitter.is_zero() && blocking.is_zero()
        }
        Work::PeriodicServer | Work::ConstantBandwidth => true,
        Work::DeferrableServer | Work::ConstrainedBandwidth { .. } => false,
    })
}

fn long_run(members: &[Contender<'_>]) -> Rate {
    members.iter().fold(Rate::ZERO, |sum, member| sum.plus(member.rate_floor()))
}

fn shortest_window(members: &[Contender<'_>]) -> Duration {
    let keeps = |work| matches!(work, Work::ConstantBandwidth | Work::ConstrainedBandwidth { .. });
    if members.iter().any(|member| keeps(member.work)) {
        return Duration::RESOLUTION;
    }
    members
        .iter()
        .map(Contender::least_time_to_deadline)
        .min()
        .unwrap_or_default()
        .max(Duration::RESOLUTION)
}

/// Blocking and demand with deadlines up to `window`.
fn demand(members: &[Contender<'_>], window: Duration) -> Result<Duration, NoBound> {
    members.iter().try_fold(blocking_up_to(members, window), |sum, member| {
        sum.checked_add(member.by_deadline(window)?).ok_or(NoBound::TooLong)
    })
}

/// The longest blocking of a job whose deadline can lie in the window.
pub(super) fn blocking_up_to(members: &[Contender<'_>], deadline: Duration) -> Duration {
    members
        .iter()
        .filter(|member| member.least_time_to_deadline() <= deadline)
        .map(Contender::blocking)
        .max()
        .unwrap_or_default()
}

/// How long the supply can be busy without a pause.
pub(super) fn longest_busy_window(
    supply: &dyn Supply,
    members: &[Contender<'_>],
    effort: &Effort,
) -> Result<Duration, NoBound> {
    let blocking = members.iter().map(Contender::blocking).max().unwrap_or_default();
    least_fixed_point(effort, members.len(), Duration::RESOLUTION, |window| {
        let all = members.iter().try_fold(blocking, |sum, member| {
            sum.checked_add(member.by_release(window)?).ok_or(NoBound::TooLong)
        })?;
        supply.time_for(all)
    })
}
