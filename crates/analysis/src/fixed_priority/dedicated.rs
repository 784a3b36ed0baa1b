//! Response times of a whole task set under preemptive fixed priority on a dedicated core.
//!
//! **Model.** As `response.rs` for a dedicated core, sporadic tasks without jitter and blocking,
//! and a limit for each (its deadline, at most its period): the first job of the busy window is
//! then the worst, and a level's window starts where that of the level above ended. Going down
//! the levels, the window only grows; so the arrivals of more urgent tasks inside it are counted
//! once for all levels, and a division is needed only when a window outgrows a period.
//!
//! ```text
//!   window of level i−1      grows to level i
//!   |────────────────────────|──────────────>
//!   arrivals counted          next[j]: the next arrival of task j, not yet counted
//! ```
//!
//! **Assumptions.** 1. Tasks stand in decreasing urgency. 2. `limit <= period`.
//!
//! **Cost.** One comparison per more urgent task and step; one division per task and step in
//! which an arrival falls into the window.
//!
//! Reference: Joseph, Pandya 1986; start value of Sjödin, Hansson 1998 (R of the level above
//! plus C).

use vorrang_time::Duration;

/// A sporadic task on a dedicated core.
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
}

/// Exact worst-case response times of `tasks`, most urgent first, written to `responses`
/// (cleared first): `None` where it exceeds the limit. `scratch` keeps its memory between calls.
///
/// # Panics
/// If a period is zero or a limit exceeds its period.
pub fn response_times(
    tasks: &[SporadicTask],
    scratch: &mut Scratch,
    responses: &mut Vec<Option<Duration>>,
) {
    responses.clear();
    let upcoming = &mut scratch.0;
    upcoming.clear();
    // All work that is known to arrive in the window; the window is as long as that work.
    let mut window = 0_u64;
    for task in tasks {
        let (wcet, period, limit) = (task.wcet.as_ns(), task.period.as_ns(), task.limit.as_ns());
        assert!(limit <= period && period > 0, "the first job is the worst only up to the period");
        window += wcet;
        let mut response = None;
        while window <= limit {
            let arriving = admit(upcoming, window);
            if arriving == 0 {
                response = Some(Duration::from_ns(window));
                break;
            }
            window += arriving;
        }
        responses.push(response);
        upcoming.push(Upcoming { at: period, wcet, period });
    }
}

/// Counts the arrivals before `window` that were not counted yet; returns their work.
#[inline]
fn admit(upcoming: &mut [Upcoming], window: u64) -> u64 {
    let mut work = 0;
    for arrival in upcoming {
        if arrival.at < window {
            let late = window - arrival.at;
            let count = if late <= arrival.period { 1 } else { late.div_ceil(arrival.period) };
            work += count * arrival.wcet;
            arrival.at += count * arrival.period;
        }
    }
    work
}

/// Memory of [`response_times`] that is used again.
#[derive(Clone, Debug, Default)]
pub struct Scratch(Vec<Upcoming>);

#[cfg(test)]
mod tests {
    use super::super::response_time;
    use super::*;
    use crate::effort::Effort;
    use crate::load::{Load, Loads};
    use crate::supply::Dedicated;
    use proptest::prelude::*;

    fn fast(tasks: &[SporadicTask]) -> Vec<Option<Duration>> {
        let mut responses = Vec::new();
        response_times(tasks, &mut Scratch::default(), &mut responses);
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
        assert_eq!(fast(&tasks), expected.map(|us| Some(Duration::from_us(us))));
    }

    proptest! {
        #[test]
        fn agrees_with_the_general_analysis(
            raw in proptest::collection::vec((1_u64..12, 1_u64..60), 1..7)
        ) {
            let tasks: Vec<_> = raw.iter().map(|&(wcet, period)| SporadicTask {
                wcet: Duration::from_ns(wcet),
                period: Duration::from_ns(period),
                limit: Duration::from_ns(period),
            }).collect();
            let loads: Vec<_> = tasks.iter().map(|task| Load {
                name: "", cost: task.wcet, period: task.period, jitter: Duration::ZERO,
            }).collect();
            for (index, response) in fast(&tasks).into_iter().enumerate() {
                let general = response_time(
                    &Dedicated, &loads[index], Duration::ZERO, Loads::new(&loads[..index]), &Effort::default(),
                );
                let within = general.ok().map(|found| found.bound).filter(|&r| r <= tasks[index].limit);
                prop_assert_eq!(response, within);
            }
        }
    }
}
