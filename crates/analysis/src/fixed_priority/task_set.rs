//! Response times of a whole task set under preemptive fixed priority, on any supply.
//!
//! **Model.** As `response.rs` for sporadic tasks without jitter and blocking, with a limit for
//! each (its deadline, at most its period): the first job of the busy window is then the worst,
//! and a level's window is at least as long as that of the level above. Going down the levels the
//! window only grows; so the arrivals of more urgent tasks inside it are counted once for all
//! levels, and a division is needed only when a window outgrows a period.
//!
//! ```text
//!   window of level i-1      grows to level i
//!   |------------------------|-------------->
//!   arrivals counted          next arrival of each task, not yet counted
//! ```
//!
//! Where `demand` is known to precede the completion and the next arrivals stand at `a_j`, the
//! window `x` satisfies `rate x >= demand + sum (x - a_j) C_j / T_j`, for what comes from `a_j` on
//! is at least that. So it is at least `(demand - sum a_j u_j) / (rate - sum u_j)`, with
//! `u_j <= C_j / T_j`: each step begins there instead of creeping up to it.
//!
//! **Assumptions.** 1. Tasks stand in decreasing urgency. 2. `limit <= period`. 3. The supply
//! takes at least `w / rate` for `w`, as [`Supply::rate_ceil`] says.
//!
//! **Cost.** One comparison per more urgent task and step, one division and one evaluation of the
//! supply.
//!
//! Reference: Joseph, Pandya 1986; the start value is that of Sjödin, Hansson 1998, taken anew at
//! each step.

use crate::supply::Supply;
use vorrang_time::Duration;

/// A sporadic task of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SporadicTask {
    /// Longest execution time.
    pub wcet: Duration,
    /// Least inter-arrival time.
    pub period: Duration,
    /// The longest response time of interest, at most the period.
    pub limit: Duration,
}

/// An arrival of a more urgent task that is not yet in the window.
#[derive(Clone, Copy, Debug)]
struct Upcoming {
    at: u64,
    wcet: u64,
    period: u64,
    /// `period` times its share of the core, in the units of [`Level`].
    slope: u64,
}

/// What is known on the way down the levels.
struct Level {
    /// Bits after the point of all shares: as many as keep the sums in range.
    bits: u32,
    /// What the supply provides in the long run, rounded up.
    rate: u64,
    /// Work known to precede the completion.
    demand: u64,
    /// The sum of all shares, each rounded down.
    share: u64,
    /// The sum of the next arrivals, each times its share.
    ahead: u64,
    /// The first of the next arrivals.
    first: u64,
}

impl Level {
    fn new(supply: &impl Supply, tasks: &[SporadicTask]) -> Self {
        let longest = tasks.iter().map(|task| (task.limit + task.period).as_ns()).max();
        // An arrival is never further away than the longest limit and the longest period.
        let sum = longest.unwrap_or(0).saturating_mul(2 * (tasks.len() as u64 + 1));
        let bits = sum.leading_zeros().saturating_sub(1).min(24);
        let rate = supply.rate_ceil().in_units_ceil(bits);
        Self { bits, rate, demand: 0, share: 0, ahead: 0, first: u64::MAX }
    }

    /// The window is not shorter than this.
    #[inline]
    fn least_window(&self) -> u64 {
        let left = self.rate.saturating_sub(self.share).max(1);
        (self.demand.saturating_mul(1 << self.bits).saturating_sub(self.ahead)) / left
    }
}

/// Worst-case response times of `tasks`, most urgent first, written to `responses` (cleared
/// first): `None` where it exceeds the limit. `scratch` keeps its memory between calls.
///
/// # Panics
/// If a period is zero or a limit exceeds its period.
pub fn response_times<S: Supply>(
    supply: &S,
    tasks: &[SporadicTask],
    scratch: &mut Scratch,
    responses: &mut Vec<Option<Duration>>,
) {
    responses.clear();
    scratch.0.clear();
    let mut level = Level::new(supply, tasks);
    for task in tasks {
        responses.push(next_response(supply, task, &mut level, &mut scratch.0));
    }
}

/// Whether every task's response time is within its limit; stops at the first that is not.
///
/// # Panics
/// If a period is zero or a limit exceeds its period.
pub fn all_within_limits<S: Supply>(
    supply: &S,
    tasks: &[SporadicTask],
    scratch: &mut Scratch,
) -> bool {
    scratch.0.clear();
    let mut level = Level::new(supply, tasks);
    tasks.iter().all(|task| next_response(supply, task, &mut level, &mut scratch.0).is_some())
}

/// The response time of the next less urgent task; `upcoming` are the arrivals not yet in the
/// demand of its level.
#[inline]
fn next_response<S: Supply>(
    supply: &S,
    task: &SporadicTask,
    level: &mut Level,
    upcoming: &mut Vec<Upcoming>,
) -> Option<Duration> {
    let (wcet, period) = (task.wcet.as_ns(), task.period.as_ns());
    assert!(
        task.limit <= task.period && period > 0,
        "the first job is the worst only up to the period"
    );
    level.demand += wcet;
    let mut response = None;
    while let Ok(window) = supply.time_for(Duration::from_ns(level.demand)) {
        let known = window.as_ns().max(level.least_window());
        if known > task.limit.as_ns() {
            break;
        }
        if known <= level.first {
            response = Some(window);
            break;
        }
        admit(upcoming, known, level);
    }
    let share = (wcet.saturating_mul(1 << level.bits) / period).min(1 << level.bits);
    let slope = share * period;
    level.share += share;
    level.ahead += slope;
    level.first = level.first.min(period);
    upcoming.push(Upcoming { at: period, wcet, period, slope });
    response
}

/// Counts the arrivals before `window` that were not counted yet.
#[inline]
fn admit(upcoming: &mut [Upcoming], window: u64, level: &mut Level) {
    let (mut work, mut ahead, mut first) = (0, 0, u64::MAX);
    // Whether one arrives is hard to predict: masks cost less than branches.
    for arrival in upcoming.iter_mut() {
        let arrives = 0_u64.wrapping_sub(u64::from(arrival.at < window));
        work += arrival.wcet & arrives;
        arrival.at += arrival.period & arrives;
        ahead += arrival.slope & arrives;
        first = first.min(arrival.at);
    }
    if first < window {
        first = u64::MAX;
        for arrival in upcoming.iter_mut() {
            if arrival.at < window {
                let count = (window - arrival.at).div_ceil(arrival.period);
                work += count * arrival.wcet;
                arrival.at += count * arrival.period;
                ahead += count * arrival.slope;
            }
            first = first.min(arrival.at);
        }
    }
    level.demand += work;
    level.ahead += ahead;
    level.first = first;
}

/// Memory of [`response_times`] and [`all_within_limits`] that is used again.
#[derive(Clone, Debug, Default)]
pub struct Scratch(Vec<Upcoming>);

#[cfg(test)]
mod tests {
    use super::super::response_time;
    use super::*;
    use crate::effort::Effort;
    use crate::load::{Load, Loads};
    use crate::supply::{Dedicated, PeriodicResource};
    use proptest::prelude::*;

    fn fast<S: Supply>(supply: &S, tasks: &[SporadicTask]) -> Vec<Option<Duration>> {
        let mut responses = Vec::new();
        response_times(supply, tasks, &mut Scratch::default(), &mut responses);
        responses
    }

    #[test]
    fn rate_monotonic_reference_set() {
        let periods = [5, 10, 20, 25, 40, 50, 80, 100, 200, 400];
        let wcets = [350, 700, 1400, 1750, 2800, 3500, 5600, 7000, 14000, 28000];
        let expected = [350, 1050, 2450, 4200, 7350, 11900, 17850, 29400, 57050, 127_400];
        let tasks: Vec<_> = periods
            .iter()
            .zip(wcets)
            .map(|(&period, wcet)| SporadicTask {
                wcet: Duration::from_us(wcet),
                period: Duration::from_ms(period),
                limit: Duration::from_ms(period),
            })
            .collect();
        assert_eq!(fast(&Dedicated, &tasks), expected.map(|us| Some(Duration::from_us(us))));
    }

    fn agrees_with_the_general_analysis<S: Supply>(
        supply: &S,
        tasks: &[SporadicTask],
    ) -> Result<(), TestCaseError> {
        let loads: Vec<_> = tasks
            .iter()
            .map(|task| Load::new("", task.wcet, task.period, Duration::ZERO))
            .collect();
        let responses = fast(supply, tasks);
        for (index, response) in responses.iter().enumerate() {
            let above = Loads::new(&loads[..index]);
            let general =
                response_time(supply, &loads[index], Duration::ZERO, above, &Effort::default());
            let within = general.ok().map(|found| found.bound).filter(|&r| r <= tasks[index].limit);
            prop_assert_eq!(*response, within);
        }
        let all = all_within_limits(supply, tasks, &mut Scratch::default());
        prop_assert_eq!(all, responses.iter().all(Option::is_some));
        Ok(())
    }

    proptest! {
        #[test]
        fn equals_the_general_analysis(
            raw in proptest::collection::vec((1_u64..12, 1_u64..60), 1..7)
        ) {
            let tasks: Vec<_> = raw.iter().map(|&(wcet, period)| SporadicTask {
                wcet: Duration::from_ns(wcet),
                period: Duration::from_ns(period),
                limit: Duration::from_ns(period),
            }).collect();
            agrees_with_the_general_analysis(&Dedicated, &tasks)?;
            let server = PeriodicResource::new("r", Duration::from_ns(3), Duration::from_ns(5), Duration::from_ns(4));
            agrees_with_the_general_analysis(&server, &tasks)?;
        }
    }
}
