//! The least budget of a periodic resource for a guest, as CARTS finds it: the criteria of Shin and Lee tried
//! with one budget after the other; and the same put together from parts of the crate `response-time-analysis`.
//!
//! **Model.** Written from the publication and from nothing else here: the supply bound function, the
//! demand bound function up to where the line below the one passes the line above the other, and for
//! fixed priorities the request bound function at the multiples of more urgent periods up to the
//! deadline. Budgets are whole units; more of it supplies no less in any window, so they are bisected.
//!
//! **Assumptions.** 1. Deadlines at most periods, no jitter, no blocking.
//!
//! Reference: Shin, Lee 2003, eq. 3, 6 and 8; Phan, Lee, Easwaran, Ramaswamy, Chen, Lee 2011 (CARTS).

use super::{PeerDuration, PeerTask, by_parts, periodic_supply};
use crate::random::Random;
use response_time_analysis::demand::RequestBound;
use response_time_analysis::fixed_point::search;
use response_time_analysis::supply::SupplyBound;
use response_time_analysis::time::Service;
use vorrang_analysis::fixed_priority::SporadicTask;
use vorrang_time::Duration;

/// The supply bound function, eq. 3.
fn supplied(budget: u128, period: u128, window: u128) -> u128 {
    let gap = period - budget;
    if window < gap {
        return 0;
    }
    let whole = (window - gap) / period;
    whole * budget + window.saturating_sub(2 * gap + whole * period)
}

/// A task as the publication has it: period, execution time, deadline.
type Task = (u128, u128, u128);

fn tasks(guest: &[SporadicTask]) -> Vec<Task> {
    let number = |time: Duration| u128::from(time.as_ns());
    guest.iter().map(|task| (number(task.period), number(task.wcet), number(task.limit))).collect()
}

/// A core, in whose parts shares are counted.
const WHOLE: u128 = 1_000_000_000_000_000_000;

/// Eq. 6: by deadline.
fn holds_by_deadline(budget: u128, period: u128, tasks: &[Task]) -> bool {
    let demanded = |window: u128| -> u128 {
        let of = |&(p, e, d): &Task| if window < d { 0 } else { ((window - d) / p + 1) * e };
        tasks.iter().map(of).sum()
    };
    // A line above the demand, and one below the supply.
    let used: u128 = tasks.iter().map(|(p, e, _)| (e * WHOLE).div_ceil(*p)).sum();
    let share = budget * WHOLE / period;
    if share <= used && budget < period {
        return false;
    }
    let at_once: u128 = tasks.iter().map(|(p, e, d)| (e * (p - d) * WHOLE).div_ceil(*p)).sum();
    let late = 2 * (period - budget) * (share + 1);
    // A whole core that is used up: implicit deadlines hold, and nothing else is drawn with that.
    let end = (at_once + late).checked_div(share.saturating_sub(used)).unwrap_or(0);
    let steps =
        |&(p, _, d): &Task| (0..).map(move |job| d + job * p).take_while(move |t| *t <= end);
    used <= WHOLE
        && tasks.iter().flat_map(steps).all(|t| demanded(t) <= supplied(budget, period, t))
}

/// Eq. 8: by priority, the most urgent first.
fn holds_by_priority(budget: u128, period: u128, tasks: &[Task]) -> bool {
    let holds = |(index, &(_, e, d)): (usize, &Task)| {
        let above = &tasks[..index];
        let requested =
            |t: u128| e + above.iter().map(|(p, e, _)| t.div_ceil(*p) * e).sum::<u128>();
        let multiples = above.iter().flat_map(|&(p, ..)| (1..=d / p).map(move |k| k * p));
        multiples.chain([d]).any(|t| requested(t) <= supplied(budget, period, t))
    };
    tasks.iter().enumerate().all(holds)
}

/// How a guest schedules its tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guest {
    /// By priority, the most urgent first.
    FixedPriority,
    /// By deadline.
    Edf,
}

/// The least budget in every `period`, a multiple of `step`, with which the published criterion holds.
pub fn published(
    guest: Guest,
    period: Duration,
    step: Duration,
    of: &[SporadicTask],
) -> Option<Duration> {
    let tasks = tasks(of);
    let whole = u128::from(period.as_ns());
    let budget = |steps: u64| u128::from(steps * step.as_ns());
    let holds = |steps: u64| match guest {
        Guest::FixedPriority => holds_by_priority(budget(steps), whole, &tasks),
        Guest::Edf => holds_by_deadline(budget(steps), whole, &tasks),
    };
    least(period.div_floor(step), holds).map(|steps| step * steps)
}

/// The same with the parts of the crate.
pub fn assembled(
    guest: Guest,
    period: Duration,
    step: Duration,
    tasks: &[PeerTask],
    deadlines: &[PeerDuration],
) -> Option<Duration> {
    let holds = |steps: u64| {
        let supply = periodic_supply(step * steps, period);
        match guest {
            Guest::FixedPriority => {
                (0..tasks.len()).all(|task| by_parts(&supply, tasks, task).is_some())
            }
            Guest::Edf => edf_by_parts(&supply, tasks, deadlines),
        }
    };
    least(period.div_floor(step), holds).map(|steps| step * steps)
}

/// Longer busy windows (10,000 s) are not looked for: as long, a budget is as good as used up.
const LONGEST: u64 = 10_000_000_000_000;

/// Whether at each deadline of a busy window what has its deadline by then is supplied.
fn edf_by_parts(supply: &impl SupplyBound, tasks: &[PeerTask], deadlines: &[PeerDuration]) -> bool {
    let one = PeerDuration::from(1);
    let requested = |window| tasks.iter().map(|task| task.service_needed(window)).sum::<Service>();
    let Ok(busy) = search(supply, PeerDuration::from(LONGEST), requested) else { return false };
    let demanded = |window: PeerDuration| -> Service {
        let members = tasks.iter().zip(deadlines).filter(|(_, deadline)| **deadline <= window);
        members.map(|(task, deadline)| task.service_needed(window - *deadline + one)).sum()
    };
    tasks.iter().zip(deadlines).all(|(task, &deadline)| {
        let (mut window, period) = (deadline, task.arrival_bound.period);
        while window <= busy {
            if demanded(window) > supply.provided_service(window) {
                return false;
            }
            window += period;
        }
        true
    })
}

/// The least of `1..=most` that holds; all above one that does hold as well.
fn least(most: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    if most == 0 || !holds(most) {
        return None;
    }
    let (mut below, mut enough) = (0, most);
    while enough - below > 1 {
        let middle = below.midpoint(enough);
        if holds(middle) { enough = middle } else { below = middle }
    }
    Some(enough)
}

/// The guest with this number: the period of its resource, and one to six tasks in deadline-monotonic order
/// in whole microseconds, every second one with deadlines shorter than the periods.
pub fn guest(seed: u64, number: u64) -> (Duration, Vec<SporadicTask>) {
    const THOUSANDTHS: u64 = 1_000;
    let mut random = Random::new(seed ^ 0x0063_6172_7473, number);
    let period = random.log_uniform(1_000, 10_000);
    let count = random.index(6) + 1;
    let asked = random.between(50, 850);
    let constrained = random.chance(1, 2);
    let shares = random.shares(asked, count);
    let mut tasks: Vec<SporadicTask> = shares
        .into_iter()
        .map(|share| {
            let period = random.log_uniform(period * 3 / 2, 200_000);
            let wcet = (share * period / THOUSANDTHS).max(1);
            let least = (period / 2).max(wcet);
            let limit = if constrained { random.between(least, period) } else { period };
            let [wcet, period, limit] = [wcet, period, limit].map(Duration::from_us);
            SporadicTask { wcet, period, limit }
        })
        .collect();
    tasks.sort_by_key(|task| task.limit);
    (Duration::from_us(period), tasks)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the supply bound function says, counted: nothing for twice the gap at worst, then the budget at
    /// the end of every period.
    #[test]
    fn the_supply_is_what_is_counted() {
        for (budget, period) in [(1, 4), (3, 5), (5, 5), (2, 7)] {
            let gap = period - budget;
            let gives = |instant: u128| instant >= gap && (instant - gap) % period >= gap;
            let mut sum = 0;
            for window in 0..60 {
                assert_eq!(supplied(budget, period, window), sum, "{budget} of {period}, {window}");
                sum += u128::from(gives(window));
            }
        }
    }
}
