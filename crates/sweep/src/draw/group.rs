//! Sixteen systems of a point at once.
//!
//! **Model.** Sixteen systems whose indices follow each other are a group. The seed of the study has a stream of random
//! bits for each point, and a group has the part of it that begins where the part of the group before ends. Every
//! system of a point takes equally many numbers, and of each the group has a row:
//!
//! ```text
//!   | cuts of the utilisation | periods | deadlines | cuts and periods of the interrupts |
//! ```
//!
//! So seed, point and index decide a system, whichever systems are drawn besides.
//!
//! Where nothing but what is drawn here tells tasks apart, their periods are sorted: tasks are numbered by increasing
//! periods. That changes no distribution, because shares of the utilisation are independent of the periods
//! and all orders of the shares are equally likely. It saves the analysis from sorting.
//!
//! **Assumptions.** 1. What takes more random numbers in one system than in another (utilisations within bounds) has a
//! stream of its own for each system.

use super::cuts;
use super::lanes::{LANES, Lanes, below, integer};
use super::network::sort;
use super::period;
use crate::point::{Deadlines, Division, Interrupts, Periods, Point};
use vorrang_random::Random;
use vorrang_time::Duration;

/// The systems of a group, as far as they are drawn together.
#[derive(Default)]
pub(super) struct Group {
    /// Its point, and its number there.
    of: Option<(usize, u64)>,
    numbers: Vec<Lanes<u64>>,
    pub(super) tasks: Members,
    /// Where the random bits of deadlines begin.
    deadlines: usize,
    pub(super) interrupts: Members,
}

/// Tasks or interrupts, in whole nanoseconds.
#[derive(Default)]
pub(super) struct Members {
    cuts: Vec<Lanes<f64>>,
    periods: Vec<Lanes<f64>>,
    /// Execution times; none where utilisations have bounds.
    times: Vec<Lanes<f64>>,
}

impl Group {
    /// Makes it the group of a system; returns the place of the system in it.
    pub(super) fn with(&mut self, seed: u64, point: usize, index: u64, how: &Point) -> usize {
        let lanes = LANES as u64;
        let of = (point, index / lanes);
        if self.of != Some(of) {
            self.draw(seed, point, index / lanes, how);
            self.of = Some(of);
        }
        usize::try_from(index % lanes).expect("below sixteen")
    }

    fn draw(&mut self, seed: u64, point: usize, number: u64, how: &Point) {
        let tasks = how.tasks.count * how.guests.as_ref().map_or(1, |guests| guests.count);
        let cuts = if how.tasks.division == Division::Uunifast { tasks - 1 } else { 0 };
        let deadlines = if how.tasks.deadlines == Deadlines::Implicit { 0 } else { tasks };
        let interrupts = how.interrupts.as_ref().map_or(0, |interrupts| interrupts.count);
        let rows = cuts + tasks + deadlines + (2 * interrupts).saturating_sub(1);
        self.numbers.resize(rows, [0; LANES]);
        let numbers = self.numbers.as_flattened_mut();
        let mut random = Random::new(seed, point as u64);
        random.seek(number * numbers.len() as u64);
        random.fill(numbers);
        let mut rest = &self.numbers[..];
        let mut next = |count| rest.split_off(..count).expect("as many rows");
        let whole = next(cuts);
        let Members { cuts: shares, periods, times } = &mut self.tasks;
        period::draw(periods, next(tasks), how.tasks.periods);
        if are_alike(how) {
            sort(periods);
        }
        times.clear();
        if how.tasks.division == Division::Uunifast {
            cuts::cut(shares, whole, how.tasks.utilisation_ppm);
            cuts::times(times, shares, periods);
        }
        self.deadlines = cuts + tasks;
        next(deadlines);
        if let Some(Interrupts { utilisation_ppm, shortest, longest, .. }) = how.interrupts {
            let periods = Periods::LogUniform { shortest, longest, grain: Duration::from_ns(1) };
            let Members { cuts: shares, periods: own, times } = &mut self.interrupts;
            cuts::cut(shares, next(interrupts - 1), utilisation_ppm);
            period::draw(own, next(interrupts), periods);
            cuts::times(times, shares, own);
        }
    }

    /// The deadline of a task, uniform within this range.
    pub(super) fn deadline(
        &self,
        task: usize,
        lane: usize,
        from: Duration,
        to: Duration,
    ) -> Duration {
        let count = to.as_ns() - from.as_ns() + 1;
        from + Duration::from_ns(below(self.numbers[self.deadlines + task][lane], count))
    }
}

/// Whether tasks differ in nothing before their periods are drawn, and so may be drawn in this order.
fn are_alike(how: &Point) -> bool {
    let has_bounds_of_its_own = match &how.tasks.division {
        Division::Uunifast => false,
        Division::Drs { least_ppm, most_ppm } => least_ppm.len() > 1 || most_ppm.len() > 1,
    };
    how.guests.is_none() && !has_bounds_of_its_own
}

impl Members {
    /// Periods and execution times of one system.
    pub(super) fn of(&self, lane: usize) -> impl Iterator<Item = (Duration, Duration)> {
        let times = self.times.iter().map(move |row| time(row[lane]));
        self.periods(lane).zip(times)
    }

    /// Periods of one system.
    pub(super) fn periods(&self, lane: usize) -> impl ExactSizeIterator<Item = Duration> {
        self.periods.iter().map(move |row| time(row[lane]))
    }
}

fn time(ns: f64) -> Duration {
    Duration::from_ns(integer(ns))
}
