//! The least budget for a guest with fixed priorities.
//!
//! **Model.** Task i needs, at some `t` up to its deadline, `W(t) = C_i + sum ceil(t / T_j) C_j` by `t`. The
//! deadline is one such t and gives a first budget. A step less is enough only if with that there is
//! a response time: then the longest t with the same W, so the one with the least budget for it, gives
//! the next, and so on until there is none. A task that holds with the budget of those before it is asked
//! only once; the least urgent, which mostly needs most, comes first.
//!
//! **Assumptions.** Those of [`super`], and tasks stand in decreasing urgency.
//!
//! **Cost.** The demand up to its deadline for each task, and two or three response times for those that
//! raise the budget.
//!
//! Theory: docs/theory/periodic-resource.md.

use super::Resource;
use vorrang_analysis::fixed_priority::{Demand, Level, Scratch, SporadicTask};
use vorrang_time::Duration;

/// The least multiple of `step` that is a budget in every `period` with which all tasks, the most urgent
/// first, meet their deadlines; `None`: there is none.
///
/// # Panics
/// If a period is zero or a limit exceeds its period.
pub fn fixed_priority(
    period: Duration,
    step: Duration,
    tasks: &[SporadicTask],
    scratch: &mut Scratch,
) -> Option<Duration> {
    let resource = Resource::new(period, step);
    scratch.levels.clear();
    scratch.levels.extend(tasks.iter().map(SporadicTask::level));
    let mut budget = resource.rounded(Duration::RESOLUTION)?;
    for (index, own) in tasks.iter().enumerate().rev() {
        budget = resource.raised(budget, own, &scratch.levels[..index])?;
    }
    Some(budget)
}

impl Resource {
    /// The least budget for a task below others that is no less than `budget`.
    fn raised(&self, budget: Duration, own: &SporadicTask, above: &[Level]) -> Option<Duration> {
        let by_deadline = Demand::in_window(own, above, own.limit).work;
        // Mostly the budget of another task is enough for this one, too: one division tells.
        if self.time_for(budget, by_deadline).is_some_and(|enough| enough <= own.limit) {
            return Some(budget);
        }
        let mut found = self.least(own.limit, by_deadline);
        loop {
            // What would be better than the best so far; with nothing found, the most there is.
            let most = self.step * self.period.div_floor(self.step);
            let less = found.map_or(most, |found| found.saturating_sub(self.step));
            if less < budget {
                return found.map(|found| found.max(budget));
            }
            let Some(response) = self.response(less, own, above) else { return found };
            found = self.least(response.until.min(own.limit), response.work);
        }
    }

    /// What precedes the completion of a task's first job with a budget, if it is in time.
    fn response(&self, budget: Duration, own: &SporadicTask, above: &[Level]) -> Option<Demand> {
        let at_once = own.wcet + above.iter().map(|task| task.wcet).sum::<Duration>();
        let mut demand = Demand { work: at_once, until: Duration::ZERO };
        loop {
            let window = self.time_for(budget, demand.work)?;
            if window > own.limit {
                return None;
            }
            if window <= demand.until {
                return Some(demand);
            }
            demand = Demand::in_window(own, above, window);
        }
    }
}
