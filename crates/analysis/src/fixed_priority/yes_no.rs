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
//! 3. else by its response time R, which is sought from below. With the line above the supply,
//!    `R >= Δ' + (C_i + R sum u_j) / α`, so it is at least `(C_i + α Δ') / (α - sum u_j)`.
//!
//! A set that asks for more than the supply provides in the long run has a level that fails: the
//! first at which the shares exceed the rate. With a response time R up to its period it would need
//! `C_i + sum ceil(R / T_j) C_j`, which is at least R times the shares, its own included.
//!
//! **Assumptions.** 1. Tasks stand in decreasing urgency. 2. `limit <= period`. 3. The lines lie
//! below and above the supply ([`Linear`]), which gives no more than one unit of work per time.
//!
//! **Cost.** One division per task, for the reciprocal of its period (`Divisor`), and one per level that
//! the line below leaves open; then multiplications, mostly a few.
//!
//! Reference: Bini, Baruah 2007 for 1 on a dedicated core.
//!
//! Theory: docs/theory/busy-window.md.

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
    let lines = Lines::of(supply);
    let Scratch { levels, open } = scratch;
    levels.clear();
    open.resize(tasks.len(), (0, 0));
    let mut count = 0;
    let mut above = Above::none(&lines);
    for (index, task) in tasks.iter().enumerate() {
        if task.wcet > task.limit {
            return false;
        }
        // Not predictable which: written in any case, without a branch.
        open[count] = (index, above.share);
        count += usize::from(!above.is_met_with(task));
        let level = task.level();
        above.add(&level);
        levels.push(level);
    }
    if above.share > lines.share {
        return false;
    }
    // Less urgent levels fail more often.
    let mut open = open[..count].iter().rev();
    open.all(|&(level, share)| {
        let own = &tasks[level];
        let least = lines.least_response(own, share);
        is_within_limit(supply, own, &levels[..level], least)
    })
}

/// The lines of a supply. Shares are in units of 2^-32.
struct Lines {
    /// α, not more.
    share: u64,
    /// α times the delay of the line below.
    late: u128,
    /// α times the delay of the line above, in ns, not more.
    early: u64,
}

impl Lines {
    #[inline]
    fn of<S: Linear>(supply: &S) -> Self {
        let line = supply.linear();
        let share = line.share();
        let times = |delay: Duration| u128::from(share) * u128::from(delay.as_ns());
        let early = times(supply.least_delay()) >> 32;
        let early = u64::try_from(early).expect("a part of the delay");
        Self { share, late: times(line.delay()), early }
    }

    /// No response is shorter, where more urgent ones have that share, not more of the supply.
    #[inline]
    fn least_response(&self, own: &SporadicTask, above: u64) -> Duration {
        // Up to 44 bits of work and 20 of the rest of the share, which is rounded up.
        let work = own.wcet.as_ns().saturating_add(self.early).min((1 << 44) - 1);
        Duration::from_ns((work << 20) / (((self.share - above) >> 12) + 1))
    }
}

/// Sums over more urgent tasks, in units of 2^-32 (`Divisor::share_of`).
struct Above {
    /// Sum of `C_j (1 - u_j)`, not less, and what the line below lacks at first.
    at_once: u128,
    /// Sum of `u_j`, not more.
    share: u64,
    /// What all of them leave of the line, not more.
    left: u64,
}

impl Above {
    #[inline]
    fn none(lines: &Lines) -> Self {
        Self { at_once: lines.late, share: 0, left: lines.share }
    }

    /// Whether the line below provides `C_i + sum (D u_j + C_j (1 - u_j))` by D.
    #[inline]
    fn is_met_with(&self, own: &SporadicTask) -> bool {
        let needed = self.at_once + (u128::from(own.wcet.as_ns()) << 32);
        // Not equal: nothing may be left, and nothing needed.
        u128::from(self.left) * u128::from(own.limit.as_ns()) > needed
    }

    /// Adds a task whose share is at most one.
    #[inline]
    fn add(&mut self, task: &Level) {
        let (low, high) = task.period.share_of(task.wcet);
        self.at_once += u128::from((1 << 32) - low) * u128::from(task.wcet.as_ns());
        self.share += low;
        self.left = self.left.saturating_sub(high);
    }
}

/// Whether a response that is known to be no shorter than `least` is within its limit.
#[inline]
fn is_within_limit<S: Supply>(
    supply: &S,
    own: &SporadicTask,
    above: &[Level],
    least: Duration,
) -> bool {
    if least > own.limit {
        return false;
    }
    let used: Duration = above.iter().map(|task| used_until(task, own.limit)).sum();
    if supply.time_for(used + own.wcet).is_ok_and(|time| time <= own.limit) {
        return true;
    }
    Demand::in_window(own, above, least).response_time(supply, own, above).is_some()
}

/// The most that a task has used of `time` after a release.
#[inline]
fn used_until(task: &Level, time: Duration) -> Duration {
    let (jobs, rest) = task.period.parts_of(time);
    task.wcet * jobs + rest.min(task.wcet)
}
