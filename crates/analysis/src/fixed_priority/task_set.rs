//! Response times of a whole task set under preemptive fixed priority, on any supply.
//!
//! **Model.** As `response.rs` for sporadic tasks without jitter and blocking, with a limit for
//! each (its deadline, at most its period): the first job of the busy window is then the worst,
//! and what a level is known to need is needed by the level below as well, so each begins where
//! the one above ended:
//!
//! ```text
//!   demand of level i-1     + C_i     grows to level i
//!   |-----------------------|-----|----------------->
//! ```
//!
//! What was counted for a window holds up to the first arrival after it, so mostly a window is
//! known to be the last without counting again. The periods are divided by again and again, so their reciprocals are taken once
//! ([`Divisor`]); that is where the time goes.
//!
//! **Assumptions.** 1. Tasks stand in decreasing urgency. 2. `limit <= period`.
//!
//! **Cost.** A few multiplications per more urgent task and step, one evaluation of the supply per
//! step.
//!
//! Reference: Joseph, Pandya 1986.
//!
//! Theory: docs/theory/busy-window.md.

use crate::supply::Supply;
use vorrang_time::{Divisor, Duration};

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

impl SporadicTask {
    /// As one of those above others.
    ///
    /// # Panics
    /// If the period is zero or the limit exceeds it.
    #[inline]
    pub fn level(&self) -> Level {
        assert!(self.limit <= self.period, "the first job is the worst only up to the period");
        Level { wcet: self.wcet, period: Divisor::new(self.period) }
    }
}

/// One task of a set, ready to be counted.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// Its longest execution time.
    pub wcet: Duration,
    /// Its period.
    pub period: Divisor,
}

impl Level {
    /// What arrives in a window, and when more does: for windows up to that it is the same.
    #[inline]
    fn in_window(&self, window: Duration) -> (Duration, Duration) {
        let count = self.period.ceil_of(window);
        (self.wcet * count, self.period.times(count))
    }
}

/// What precedes a completion, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub struct Demand {
    /// What precedes it.
    pub work: Duration,
    /// All of it, if the window is no longer than this.
    pub until: Duration,
}

impl Demand {
    pub(super) const NONE: Self = Self { work: Duration::ZERO, until: Duration::MAX };

    /// One job of a task.
    #[inline]
    pub(super) fn add(&mut self, task: &SporadicTask) {
        self.work += task.wcet;
    }

    /// The task becomes one of those whose other jobs count as well.
    #[inline]
    pub(super) fn repeat(&mut self, task: &SporadicTask) {
        self.until = self.until.min(task.period);
    }

    /// One job of `own` and what comes of `above` in a window.
    #[inline]
    pub fn in_window(own: &SporadicTask, above: &[Level], window: Duration) -> Self {
        let mut all = Self { work: own.wcet, until: Duration::MAX };
        for task in above {
            let (work, until) = task.in_window(window);
            all.work += work;
            all.until = all.until.min(until);
        }
        all
    }

    /// The response time of `own` below `above`, if it is within its limit.
    #[inline]
    pub(super) fn response_time<S: Supply>(
        &mut self,
        supply: &S,
        own: &SporadicTask,
        above: &[Level],
    ) -> Option<Duration> {
        loop {
            let window = supply.time_for(self.work).ok()?;
            if window > own.limit {
                return None;
            }
            if window <= self.until {
                return Some(window);
            }
            *self = Self::in_window(own, above, window);
        }
    }
}

/// Worst-case response times of `tasks`, most urgent first, written to `responses` (cleared
/// first): `None` where it exceeds the limit. `scratch` keeps its memory between calls.
///
/// # Panics
/// If a period is zero, a limit exceeds its period, or the work of a busy window leaves the range.
pub fn response_times<S: Supply>(
    supply: &S,
    tasks: &[SporadicTask],
    scratch: &mut Scratch,
    responses: &mut Vec<Option<Duration>>,
) {
    responses.clear();
    each_response_time(supply, tasks.iter().copied(), scratch, |response| responses.push(response));
}

/// The same, each of them to `found` before the next task is taken.
///
/// # Panics
/// As [`response_times`].
#[inline]
pub fn each_response_time<S: Supply>(
    supply: &S,
    tasks: impl IntoIterator<Item = SporadicTask>,
    scratch: &mut Scratch,
    mut found: impl FnMut(Option<Duration>),
) {
    scratch.levels.clear();
    let mut demand = Demand::NONE;
    for task in tasks {
        demand.add(&task);
        found(demand.response_time(supply, &task, &scratch.levels));
        demand.repeat(&task);
        scratch.levels.push(task.level());
    }
}

/// Memory of [`response_times`], [`each_response_time`] and [`super::all_within_limits`] that is used again.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Those above the task that is looked at.
    pub levels: Vec<Level>,
    /// What is not yet known to be within its limit, with the share of all above.
    pub(super) open: Vec<(usize, u64)>,
}

#[cfg(test)]
mod tests {
    use super::super::{all_within_limits, response_time};
    use super::*;
    use crate::demand::{Load, Loads};
    use crate::ground::Effort;
    use crate::ground::Source;
    use crate::supply::{Dedicated, Linear, PeriodicResource, Table};
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

    fn agrees_with_the_general_analysis<S: Linear>(
        supply: &S,
        tasks: &[SporadicTask],
    ) -> Result<(), TestCaseError> {
        let loads: Vec<_> = tasks
            .iter()
            .map(|task| Load::new(Source::Unnamed, task.wcet, task.period, Duration::ZERO))
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
            raw in proptest::collection::vec((1_u64..12, 1_u64..60, 0_u64..900), 1..7),
            unit in prop::sample::select(vec![1_u64, 1_000, 999_983, 3_600_000_000_007]),
        ) {
            let ns = |number: u64| Duration::from_ns(number * unit);
            let tasks: Vec<_> = raw.iter().map(|&(wcet, period, more)| SporadicTask {
                wcet: ns(wcet),
                period: ns(period) + Duration::from_ns(more),
                limit: ns(period),
            }).collect();
            agrees_with_the_general_analysis(&Dedicated, &tasks)?;
            let server = PeriodicResource::new(Source::Unnamed, ns(3), ns(5), ns(4));
            agrees_with_the_general_analysis(&server, &tasks)?;
            let slot = Table::slot(Source::Unnamed, ns(2), ns(3));
            agrees_with_the_general_analysis(&slot, &tasks)?;
        }
    }
}
