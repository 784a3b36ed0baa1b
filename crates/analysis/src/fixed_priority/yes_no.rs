//! Whether all tasks of a set meet their deadlines under preemptive fixed priority.
//!
//! **Model.** That of `task_set.rs`, but only the answer is wanted, so each level is asked the
//! cheapest question first. Let task i of the set be incomplete at t after a synchronous
//! release. Until then the supply was used by it and what is more urgent, and task j used at most
//!
//! ```text
//!   floor(t / T_j) C_j + min(C_j, t mod T_j)  <=  t u_j + C_j (1 - u_j)
//! ```
//!
//! for it ran no longer than time has passed since its last release. So the deadline D is met
//!
//! 1. if a line below the supply provides `C_i + sum (D u_j + C_j (1 - u_j))` by D;
//! 2. else if the supply itself provides the sum of the left sides and `C_i` by D;
//! 3. else by its response time.
//!
//! A set that asks for more than the supply provides in the long run has a level that fails: the
//! first at which the shares exceed the rate. With a response time R up to its period it would need
//! `C_i + sum ceil(R / T_j) C_j`, which is at least R times the shares, its own included.
//!
//! **Assumptions.** 1. Tasks stand in decreasing urgency. 2. `limit <= period`. 3. The line lies
//! below the supply ([`Linear`]), and the supply gives no more than one unit of work per time.
//!
//! **Cost.** One division per task, for the reciprocal of its period (`Divisor`); then
//! multiplications, mostly a few.
//!
//! Reference: Bini, Baruah 2007 for 1 on a dedicated core.

use super::task_set::{Demand, Level, Scratch, SporadicTask};
use crate::supply::{Linear, Supply};
use vorrang_time::Duration;

/// Whether every task's response time is within its limit; stops at the first that is not.
///
/// # Panics
/// If a period is zero or a limit exceeds its period.
pub fn all_within_limits<S: Linear>(
    supply: &S,
    tasks: &[SporadicTask],
    scratch: &mut Scratch,
) -> bool {
    let line = supply.linear();
    let (delay, rate) = (line.delay(), line.share());
    let Scratch { levels, open } = scratch;
    levels.clear();
    open.resize(tasks.len(), 0);
    let mut count = 0;
    let mut above = Above::default();
    for (index, task) in tasks.iter().enumerate() {
        if task.wcet > task.limit {
            return false;
        }
        let time = task.limit.saturating_sub(delay).as_ns();
        let is_met = u128::from(rate) * u128::from(time) >= above.needed_with(task);
        // Nobody can foretell which: written in any case, without a branch.
        open[count] = index;
        count += usize::from(!is_met);
        let level = task.level();
        above.add(&level);
        if above.share_low > rate {
            return false;
        }
        levels.push(level);
    }
    // Less urgent levels fail more often.
    let mut open = open[..count].iter().rev();
    open.all(|&level| is_within_limit(supply, &tasks[level], &tasks[..level], &levels[..level]))
}

/// Sums over more urgent tasks, in units of 2^-32 (`Divisor::share_of`).
#[derive(Default)]
struct Above {
    /// Sum of `C_j (1 - u_j)`, not less.
    at_once: u128,
    /// Sum of `u_j`, not less.
    share_high: u64,
    /// Sum of `u_j`, not more.
    share_low: u64,
}

impl Above {
    /// `C_i + sum (D u_j + C_j (1 - u_j))`.
    #[inline]
    fn needed_with(&self, own: &SporadicTask) -> u128 {
        let own_work = u128::from(own.wcet.as_ns()) << 32;
        own_work + self.at_once + u128::from(self.share_high) * u128::from(own.limit.as_ns())
    }

    /// Adds a task whose share is at most one.
    #[inline]
    fn add(&mut self, task: &Level) {
        let (low, high) = task.period.share_of(task.wcet);
        self.at_once += u128::from((1 << 32) - low) * u128::from(task.wcet.as_ns());
        self.share_high += high;
        self.share_low += low;
    }
}

#[inline]
fn is_within_limit<S: Supply>(
    supply: &S,
    own: &SporadicTask,
    tasks_above: &[SporadicTask],
    above: &[Level],
) -> bool {
    let used: Duration = above.iter().map(|task| used_until(task, own.limit)).sum();
    if supply.time_for(used + own.wcet).is_ok_and(|time| time <= own.limit) {
        return true;
    }
    let mut demand = Demand::NONE;
    for task in tasks_above {
        demand.add(task);
        demand.repeat(task);
    }
    demand.add(own);
    demand.response_time(supply, own, above).is_some()
}

/// The most that a task has used of `time` after a release.
#[inline]
fn used_until(task: &Level, time: Duration) -> Duration {
    let (jobs, rest) = task.period.parts_of(time);
    task.wcet * jobs + rest.min(task.wcet)
}
