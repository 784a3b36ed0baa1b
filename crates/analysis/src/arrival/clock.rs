//! What arrives by the clock.
//!
//! **Model.** Something arrives at `O + n T`, for whole n, and happens up to J later. Of such things those that may happen at an
//! instant or after it are known, and all repeats after the common multiple of their periods.
//!
//! **Assumptions.** 1. All offsets are of one clock.
//!
//! Theory: docs/theory/by-the-clock.md.

use super::Arrivals;
use std::collections::BTreeSet;
use vorrang_model::system::{Activation, System, TaskId};
use vorrang_time::Duration;

/// The most beginnings of windows that are looked at.
const BEGINNINGS: i128 = 1_000;

/// When the jobs of a task come, in nanoseconds of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    offset: i128,
    pub(crate) period: i128,
    pub(crate) jitter: i128,
}

impl Clock {
    /// That of a task that arrives so; `None`: not by the clock, or not only.
    pub(crate) fn of(system: &System, id: TaskId, arrivals: &Arrivals<'_>) -> Option<Self> {
        let task = system.task(id);
        let own = Arrivals::new(task.min_interarrival, task.jitter);
        let is_plain = task.activation == Activation::Sporadic && *arrivals == own;
        let offset = task.offset.filter(|_| is_plain)?;
        Some(Self {
            offset: offset.as_ns().into(),
            period: task.min_interarrival.as_ns().into(),
            jitter: task.jitter.as_ns().into(),
        })
    }

    /// The number of its first job that may be released at an instant or later.
    pub(crate) fn first(&self, begin: i128) -> i128 {
        div_ceil(begin - self.jitter - self.offset, self.period)
    }

    /// When a job arrives.
    pub(crate) fn arrival(&self, number: i128) -> i128 {
        self.offset + number * self.period
    }

    /// How many of its jobs may be released at an instant or later, and arrive before another.
    pub(crate) fn between(&self, begin: i128, end: i128) -> u64 {
        let count = div_ceil(end - self.offset, self.period) - self.first(begin);
        u64::try_from(count.max(0)).unwrap_or(u64::MAX)
    }

    /// How many of its jobs may be released in a window.
    pub(crate) fn in_window(&self, begin: i128, window: Duration) -> u64 {
        self.between(begin, begin + i128::from(window.as_ns()))
    }

    /// Its instants of so long a time, from 0 on, at which a job may be released at the latest.
    fn instants(&self, all: i128) -> impl Iterator<Item = i128> + use<> {
        let (period, from) = (self.period, self.offset + self.jitter);
        (0..all / period).map(move |number| (from + number * period).rem_euclid(all))
    }
}

/// Instants that repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Beginnings {
    /// All of those in one repetition.
    pub(crate) instants: BTreeSet<i128>,
    /// How long one is.
    pub(crate) all: i128,
}

impl Beginnings {
    /// Where windows need to begin beside these clocks, and where these instants of each period are such, too; `None`: too many,
    /// or no clocks.
    pub(crate) fn of(clocks: &[Clock], also: Option<(i128, &[i128])>) -> Option<Self> {
        let periods = || clocks.iter().map(|clock| clock.period).chain(also.map(|also| also.0));
        let shortest = clocks.iter().map(|clock| clock.period).min()?;
        let mut all: i128 = 1;
        for period in periods() {
            all = all / gcd(all, period) * period;
            if all / shortest > BEGINNINGS {
                return None;
            }
        }
        let count: i128 = clocks.iter().map(|clock| all / clock.period).sum();
        let ends = also.map_or(0, |(period, ends)| all / period * ends.len() as i128);
        if count + ends > BEGINNINGS {
            return None;
        }
        let mut instants: BTreeSet<i128> =
            clocks.iter().flat_map(|clock| clock.instants(all)).collect();
        if let Some((period, ends)) = also {
            let of = |number: i128| ends.iter().map(move |end| (end + number * period) % all);
            instants.extend((0..all / period).flat_map(of));
        }
        Some(Self { instants, all })
    }

    /// Those after an instant up to another, in order.
    pub(crate) fn within(&self, after: i128, until: i128) -> impl Iterator<Item = i128> + '_ {
        let repetitions = after.div_euclid(self.all)..=until.div_euclid(self.all);
        let of = move |number: i128| self.instants.iter().map(move |at| at + number * self.all);
        repetitions.flat_map(of).filter(move |&at| after < at && at <= until)
    }
}

/// Rounded up, of a divisor above zero.
fn div_ceil(number: i128, by: i128) -> i128 {
    -(-number).div_euclid(by)
}

fn gcd(one: i128, other: i128) -> i128 {
    if other == 0 { one } else { gcd(other, one % other) }
}
