//! Response time of one member under EDF, on any supply.
//!
//! **Model.** Look at the job of the member that arrives at `a` (from −J on) with the deadline
//! `d = a + D`, in a window before which nothing with a deadline up to `d` was pending. It completes at the
//! least `x = supply(B(d) + own(a) + sum over others of min(by release in x, by deadline up to d))`,
//! and its response time is `x − a`. The demand changes only where `d` passes a deadline of
//! some job, so only those `a` are looked at, up to the longest busy window. Where the demand of
//! a server is a slope, the interval is cut into pieces and each is charged its right end.
//!
//! **Assumptions.** 1. Members are bounded as `demand.rs` says. 2. Jobs of one task run in the order of arrival.
//!
//! Exact on a dedicated core for sporadic tasks without jitter and blocking; the response time
//! does not assume that other deadlines are met.
//!
//! **Cost.** One fixed point for each deadline in the longest busy window, each starting where
//! the one before ended (later deadlines only add demand), until no later job can be worse.
//!
//! Reference: Spuri 1996 (INRIA RR-2772), section 4; on a supply with the inverse supply bound.

use super::demand::Contender;
use super::feasibility::{blocking_up_to, longest_busy_window};
use crate::effort::{Effort, NoBound, least_fixed_point};
use crate::explanation::Lines;
use crate::rate::Rate;
use crate::supply::Supply;
use vorrang_time::Duration;

/// The worst job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// Response time, from the arrival.
    pub bound: Duration,
    /// Arrival plus jitter, from the start of the window: when the job is released at the latest.
    pub latest_release: Duration,
    /// From the start of the window to the completion.
    pub window: Duration,
}

/// The longest response time of `members[index]`: a task's job, or the budget of a periodic server.
///
/// # Errors
/// Why there is no bound.
pub fn response_time(
    supply: &dyn Supply,
    members: &[Contender<'_>],
    index: usize,
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
        let next = next_shift(members, index, shifted);
        jobs.complete(shifted, next - Duration::RESOLUTION, supply, effort)?;
        let bound = (jobs.window + own.jitter()).saturating_sub(shifted);
        let known = worst.map_or(Duration::ZERO, |worst| worst.bound);
        if bound > known {
            worst = Some(Response { bound, latest_release: shifted, window: jobs.window });
        }
        // No job of this window completes later than the window ends.
        if known.max(bound) >= (last + own.jitter()).saturating_sub(next) {
            break;
        }
        shifted = next;
    }
    Ok(worst.expect("the loop looks at one job at least"))
}

/// The next arrival (plus jitter) for which the demand differs.
fn next_shift(members: &[Contender<'_>], index: usize, shifted: Duration) -> Duration {
    let own = &members[index];
    let own_next = own.period * (shifted.div_floor(own.period) + 1);
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

/// Puts the worst job of `members[index]` into words; returns all the work that precedes its
/// completion.
pub(crate) fn explain_terms(
    lines: &mut Lines,
    members: &[Contender<'_>],
    index: usize,
    worst: &Response,
) -> Duration {
    let own = &members[index];
    let next = next_shift(members, index, worst.latest_release);
    let due = (next - Duration::RESOLUTION + own.deadline()).saturating_sub(own.jitter());
    let at = (worst.latest_release + own.deadline()).saturating_sub(own.jitter());
    let jobs = worst.latest_release.div_floor(own.period) + 1;
    let blocking = blocking_up_to(members, due);
    let mut demand = own.cost * jobs + blocking;
    lines.push(format!(
        "{}: the job released {} after the start of the busy window completes {} after it: response time {}",
        own.name, worst.latest_release, worst.window, worst.bound
    ));
    lines.indented(|lines| {
        lines.push(format!("own work: {jobs} x {} = {}", own.cost, own.cost * jobs));
        if !blocking.is_zero() {
            lines.push(format!("blocking by work with later deadlines: {blocking}"));
        }
        for (_, member) in members.iter().enumerate().filter(|(other, _)| *other != index) {
            let (Ok(released), Ok(due_work)) =
                (member.by_release(worst.window), member.by_deadline(due))
            else {
                continue;
            };
            demand += released.min(due_work);
            lines.push(format!(
                "{}: min({released} released in {}, {due_work} due by {at}) = {}",
                member.name,
                worst.window,
                released.min(due_work)
            ));
        }
    });
    lines.cite("EDF on a supply, Spuri 1996, section 4");
    demand
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
                    let most = member.by_release(window)?.min(due_work);
                    all = all.checked_add(most).ok_or(NoBound::TooLong)?;
                }
            }
            supply.time_for(all)
        })?;
        Ok(())
    }
}
