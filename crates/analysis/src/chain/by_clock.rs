//! Runs of a chain one after the other that come by the clock: which job hands a value on to which is known.
//!
//! **Model.** A run arrives at `O + n T`. The value that a job of it hands on is read at the latest by the first job of the
//! next run that arrives so much later as the run takes. So from one job of the first run there is one way along the chain,
//! and in the common multiple of the periods each way occurs once. Before it comes one period of the first run, in which
//! an event waits.
//!
//! **Assumption.** All offsets are of one clock.
//!
//! **Cost.** One step for each run of each way. With more than [`WAYS`] the waits are those of the sum.
//!
//! Theory: docs/theory/by-the-clock.md.

use super::step::Step;
use vorrang_model::system::{System, TaskId};
use vorrang_time::Duration;

/// The most ways that are looked at.
const WAYS: i128 = 20_000;

/// When a run arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    offset: i128,
    period: i128,
}

/// A run that comes by the clock, with what it takes until it is read.
struct Leg {
    clock: Clock,
    takes: i128,
}

impl Clock {
    /// That of a task, or of what it descends from; `None`: it may arrive at any time.
    pub(super) fn of(system: &System, task: TaskId) -> Option<Self> {
        let root = system.task(system.root_of(task));
        let (offset, period) = (root.offset?.as_ns(), root.min_interarrival.as_ns());
        Some(Self { offset: offset.into(), period: period.into() })
    }

    /// Its first arrival at an instant or after it.
    fn from(self, instant: i128) -> i128 {
        let late = instant - self.offset;
        self.offset + late + (-late).rem_euclid(self.period)
    }
}

/// Makes the waits of runs those of the worst way along them; whether any is less than in the sum.
pub(super) fn wait(runs: &mut [Vec<Step>], clocks: &[Option<Clock>]) -> bool {
    let mut place = 0;
    let mut is_any = false;
    for group in clocks.chunk_by(|one, next| one.is_some() && next.is_some()) {
        let own = &mut runs[place..place + group.len()];
        place += group.len();
        let legs = group.iter().zip(own.iter()).map(|(clock, steps)| {
            let takes: i128 = steps.iter().map(|step| i128::from(step.time.as_ns())).sum();
            Some(Leg { clock: (*clock)?, takes })
        });
        let Some(legs) = legs.collect::<Option<Vec<Leg>>>().filter(|legs| legs.len() > 1) else {
            continue;
        };
        let Some(waits) = worst(&legs) else { continue };
        for (steps, wait) in own.iter_mut().zip(waits) {
            let wait = Duration::from_ns(u64::try_from(wait).expect("at most a period"));
            if let Some(first) = steps.first_mut() {
                is_any |= wait < first.distance;
                first.distance = wait;
            }
        }
    }
    is_any
}

/// The waits along the longest way, that of an event before it first; `None`: too many ways.
fn worst(legs: &[Leg]) -> Option<Vec<i128>> {
    let first = legs.first()?.clock;
    let mut all: i128 = 1;
    for leg in legs {
        all = all / gcd(all, leg.clock.period) * leg.clock.period;
        if all / first.period > WAYS {
            return None;
        }
    }
    let begins = (0..all / first.period).map(|number| first.offset + number * first.period);
    begins.map(|begin| way(legs, begin)).max_by_key(|waits| waits.iter().sum::<i128>())
}

/// The waits along the way that begins at an arrival of the first run.
fn way(legs: &[Leg], begin: i128) -> Vec<i128> {
    let mut at = begin - legs[0].clock.period;
    let mut waits = Vec::new();
    for (place, leg) in legs.iter().enumerate() {
        let arrival = if place == 0 { begin } else { leg.clock.from(at) };
        waits.push(arrival - at);
        at = arrival + leg.takes;
    }
    waits
}

fn gcd(one: i128, other: i128) -> i128 {
    if other == 0 { one } else { gcd(other, one % other) }
}
