//! The obvious algorithms, as a reference for tests.
//!
//! **Model.** As `response.rs` and `feasibility.rs`, but every candidate is looked at, in order, with its own fixed
//! point, and the demand is compared with every length of a window. Beside soft servers up to more than twice the
//! window behind which nothing is said to be worse. Candidates are the [pieces](Candidates::Pieces) of `response.rs`
//! or all arrivals there are.
//!
//! **Cost.** One fixed point for each deadline in the longest busy window.
//!
//! Reference: Spuri 1996 (INRIA RR-2772), section 4; Baruah, Mok, Rosier 1990.

use super::demand::{Contender, Work};
use super::portion::{Before, Portion};
use super::response::Response;
use super::total::Total;
use crate::ground::Rate;
use crate::ground::{Effort, NoBound, least_fixed_point};
use crate::supply::Supply;
use vorrang_time::Duration;

/// Whether in every window up to the longest busy one the demand is at most the supply.
pub(super) fn meets_all_deadlines(
    supply: &dyn Supply,
    members: &[Contender<'_>],
    effort: &Effort,
) -> Result<bool, NoBound> {
    let long_run = members.iter().fold(Rate::ZERO, |sum, member| sum.plus(member.rate_floor()));
    match effort.expect(long_run, supply.rate_ceil(), 4 * members.len()) {
        Err(NoBound::Overload) => return Ok(false),
        known => {
            known?;
        }
    }
    let slope = members.iter().any(Contender::keeps);
    let shortest = members.iter().map(|m| m.least_time_to_deadline().as_ns()).min().unwrap_or(0);
    let first = if slope { 1 } else { shortest.max(1) };
    for window in first..=longest_busy_window(supply, members, effort)?.as_ns() {
        let window = Duration::from_ns(window);
        let mut demand = blocking_up_to(members, window);
        for member in members {
            demand += member.by_deadline(window)?;
        }
        if supply.time_for(demand)? > window {
            return Ok(false);
        }
    }
    Ok(true)
}

/// When a part of a budget is delivered in any window, beside soft servers up to twice the longest that is looked at.
pub(super) fn delivery(
    supply: &dyn Supply,
    members: &[Contender<'_>],
    place: usize,
    (portion, before): (Portion, Before<'_>),
) -> Result<Duration, NoBound> {
    let effort = Effort::default();
    let last = longest_busy_window(supply, members, &effort)?;
    let mut latest = Duration::ZERO;
    for since in (0..=last.as_ns()).map(Duration::from_ns) {
        let due = since + portion.deadline;
        let budgets = match (since + members[place].deadline())
            .as_ns()
            .checked_sub(members[place].period.as_ns())
        {
            None => Duration::ZERO,
            Some(before) => members[place].by_deadline(Duration::from_ns(before))?,
        };
        let earlier = match before {
            Before::Budgets => budgets,
            Before::Jobs(jobs) => budgets.min(jobs.used_in(&members[place], since)?),
            Before::Used(used) => used(since)?.min(since).min(members[place].by_release(since)?),
        };
        let own = portion.work + earlier;
        let fixed = own + blocking_up_to(members, due);
        effort.restart_for_all();
        let done = least_fixed_point(&effort, 1, fixed, |window| {
            let mut all = fixed;
            for (other, member) in members.iter().enumerate() {
                if other != place {
                    all += member.takes(window, due)?;
                }
            }
            supply.time_for(all)
        })?;
        // More than the longest busy window is no window.
        let done = if matches!(before, Before::Used(_)) { done.min(last) } else { done };
        latest = latest.max(done.saturating_sub(since));
    }
    Ok(latest)
}

/// The latest completion of the demand of any window from `from` up to the longest busy one.
pub(super) fn lateness(
    supply: &dyn Supply,
    members: &[Contender<'_>],
    from: Duration,
    effort: &Effort,
) -> Result<Duration, NoBound> {
    let long_run = members.iter().fold(Rate::ZERO, |sum, member| sum.plus(member.rate_floor()));
    effort.expect(long_run, supply.rate_ceil(), 4 * members.len())?;
    let mut latest = Duration::ZERO;
    for window in from.as_ns()..=longest_busy_window(supply, members, effort)?.as_ns() {
        let window = Duration::from_ns(window);
        let mut demand = blocking_up_to(members, window);
        for member in members {
            demand += member.by_deadline(window)?;
        }
        latest = latest.max(supply.time_for(demand)?.saturating_sub(window));
    }
    Ok(latest)
}

/// Which arrivals are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Candidates {
    /// Those at which the demand changes; the right end of a piece of a slope stands for the piece.
    Pieces,
    /// All, each with its own demand.
    All,
}

/// The longest response time of `members[index]`: a task's job, or the budget of a periodic server.
///
/// # Errors
/// Why there is no bound.
pub(super) fn response_time(
    supply: &dyn Supply,
    members: &[Contender<'_>],
    index: usize,
    candidates: Candidates,
    effort: &Effort,
) -> Result<Response, NoBound> {
    let long_run = members.iter().fold(Rate::ZERO, |sum, member| sum.plus(member.rate_floor()));
    effort.expect(long_run, supply.rate_ceil(), 4 * members.len())?;
    let own = &members[index];
    let last = longest_busy_window(supply, members, effort)?;
    let mut worst: Option<Response> = None;
    let mut jobs = Jobs { members, index, window: Duration::ZERO, due_work: Vec::new() };
    // `shifted` is the arrival plus the jitter, so that it starts at zero.
    let mut shifted = Duration::ZERO;
    while shifted < last {
        effort.spend(2 * members.len())?;
        let next = match candidates {
            Candidates::Pieces => next_shift(members, index, shifted),
            Candidates::All => shifted + Duration::RESOLUTION,
        };
        jobs.complete(shifted, next - Duration::RESOLUTION, supply, effort)?;
        let bound = (jobs.window + own.jitter()).saturating_sub(shifted);
        let known = worst.map_or(Duration::ZERO, |worst| worst.bound);
        if bound > known {
            worst = Some(Response { bound, latest_release: shifted, window: jobs.window });
        }
        // No job of this window completes later than the window ends.
        if !has_soft(members) && known.max(bound) >= (last + own.jitter()).saturating_sub(next) {
            break;
        }
        shifted = next;
    }
    Ok(worst.expect("the loop looks at one job at least"))
}

/// The next arrival (plus jitter) for which the demand differs.
fn next_shift(members: &[Contender<'_>], index: usize, shifted: Duration) -> Duration {
    let own = &members[index];
    let own_next = own.next_job(shifted);
    // d = shifted + D − J; the others bend at d, so shifted bends at d + J − D. Both sides may lie
    // before the window: compare after adding J on either side.
    let (deadline, jitter) = (own.deadline(), own.jitter());
    let due = (shifted + deadline).saturating_sub(jitter);
    members
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != index)
        .map(|(_, member)| (member.next_bend(due) + jitter).saturating_sub(deadline))
        .filter(|&next| next > shifted)
        .min()
        .map_or(own_next, |next| next.min(own_next))
}

/// The jobs of one member, in the order of their arrivals.
struct Jobs<'a> {
    members: &'a [Contender<'a>],
    index: usize,
    /// When the last job looked at completes, from the start of the window.
    window: Duration,
    /// By member, what has its deadline before that job's; none for the member itself.
    due_work: Vec<Duration>,
}

impl Jobs<'_> {
    /// Finds when the job that arrives (plus jitter) at `shifted ..= last_of_piece` completes at
    /// the latest.
    fn complete(
        &mut self,
        shifted: Duration,
        last_of_piece: Duration,
        supply: &dyn Supply,
        effort: &Effort,
    ) -> Result<(), NoBound> {
        let own = &self.members[self.index];
        let due = (last_of_piece + own.deadline()).saturating_sub(own.jitter());
        let jobs = shifted.div_floor(own.period) + 1;
        let mut fixed = own.cost.checked_mul(jobs).ok_or(NoBound::TooLong)?;
        fixed = fixed.checked_add(blocking_up_to(self.members, due)).ok_or(NoBound::TooLong)?;
        self.due_work.clear();
        for (place, member) in self.members.iter().enumerate() {
            let is_other = place != self.index;
            self.due_work.push(if is_other { member.by_deadline(due)? } else { Duration::ZERO });
        }
        let start = supply.time_for(fixed)?.max(self.window);
        self.window = least_fixed_point(effort, self.members.len(), start, |window| {
            let mut all = fixed;
            for (member, &due_work) in self.members.iter().zip(&self.due_work) {
                if !due_work.is_zero() {
                    let soft = member.work == Work::SoftBandwidth;
                    let most =
                        if soft { due_work } else { member.by_release(window)?.min(due_work) };
                    all = all.checked_add(most).ok_or(NoBound::TooLong)?;
                }
            }
            supply.time_for(all)
        })?;
        Ok(())
    }
}

/// The longest blocking of a job whose deadline can lie in the window.
fn blocking_up_to(members: &[Contender<'_>], deadline: Duration) -> Duration {
    members
        .iter()
        .filter(|member| member.least_time_to_deadline() <= deadline)
        .map(Contender::blocking)
        .max()
        .unwrap_or_default()
}

fn has_soft(members: &[Contender<'_>]) -> bool {
    members.iter().any(|member| member.work == Work::SoftBandwidth)
}

/// How long the supply can be busy without a pause.
fn longest_busy_window(
    supply: &dyn Supply,
    members: &[Contender<'_>],
    effort: &Effort,
) -> Result<Duration, NoBound> {
    if has_soft(members) {
        let said = Total::new(members).longest_window_beside_soft(supply, effort)?;
        let looked_at = said * 2 + Duration::from_ns(100);
        let feasible = looked_at < Duration::from_ns(20_000);
        return if feasible { Ok(looked_at) } else { Err(NoBound::Effort) };
    }
    let blocking = members.iter().map(Contender::blocking).max().unwrap_or_default();
    least_fixed_point(effort, members.len(), Duration::RESOLUTION, |window| {
        let all = members.iter().try_fold(blocking, |sum, member| {
            sum.checked_add(member.by_release(window)?).ok_or(NoBound::TooLong)
        })?;
        supply.time_for(all)
    })
}
