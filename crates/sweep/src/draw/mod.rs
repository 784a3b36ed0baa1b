//! Random systems, decided by a seed, a point and an index.
//!
//! **Model.** What takes equally many random numbers in each system is drawn for sixteen of them at once (`group.rs`), the rest
//! system by system.
//!
//! **Assumptions.** 1. Floating-point numbers take part in the four basic operations only, whose results are the same on
//! every machine, and in one logarithm for each group, by a library that keeps to them. They decide what
//! is drawn, never a verdict.

mod cells;
mod cube;
mod cuts;
mod division;
mod exponential;
mod group;
mod lanes;
mod network;
mod period;

use crate::point::{Deadlines, Division, Interrupts, Point};
use group::Group;
use vorrang_random::Random;
use vorrang_time::Duration;

pub use cells::Cells;
pub(crate) use cells::{MOST_CELLS, MOST_PARTS, table_size};
use division::WHOLE;

/// A drawn system, as far as it does not depend on what is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// All tasks; those of the first virtual machine come first.
    pub tasks: Vec<Task>,
    /// All interrupts.
    pub interrupts: Vec<Interrupt>,
}

/// A drawn task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Longest execution time.
    pub wcet: Duration,
    /// Least time between two arrivals.
    pub period: Duration,
    /// Relative deadline.
    pub deadline: Duration,
}

/// A drawn interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupt {
    /// Of the core's routine.
    pub isr: Duration,
    /// Of the guest's; zero without one.
    pub guest_isr: Duration,
    /// Least time between two arrivals.
    pub period: Duration,
}

/// Streams of single systems have this bit, those of points do not; below it stand point and index.
const SINGLE: u64 = 1 << 63;
const INDEX_BITS: u32 = 40;

/// The system with this index at this point.
pub(crate) fn sample(seed: u64, point: usize, index: u64, how: &Point) -> Sample {
    let mut sample = Sample::default();
    Memory::default().draw(&mut sample, seed, (point, index), how);
    sample
}

/// What is used again from system to system of one study.
#[derive(Default)]
pub(crate) struct Memory {
    group: Group,
    cells: Option<Cells>,
}

impl Memory {
    /// The system with this index at this point, in place of another.
    pub(crate) fn draw(
        &mut self,
        sample: &mut Sample,
        seed: u64,
        (point, index): (usize, u64),
        how: &Point,
    ) {
        let Self { group, cells } = self;
        let lane = group.with(seed, point, index, how);
        let Sample { tasks, interrupts } = sample;
        tasks.clear();
        match &how.tasks.division {
            Division::Uunifast => {
                tasks.extend(group.tasks.of(lane).map(|(period, wcet)| task(wcet, period)));
            }
            Division::Drs { least_ppm, most_ppm } => {
                let stream = SINGLE | ((point as u64) << INDEX_BITS) | index;
                let mut random = Random::new(seed, stream);
                let periods = group.tasks.periods(lane);
                let (whole, count) = (how.tasks.utilisation_ppm, periods.len());
                let shares =
                    division::shares(&mut random, whole, (least_ppm, most_ppm), count, cells);
                tasks.extend(
                    periods.zip(shares).map(|(period, share)| task(part(period, share), period)),
                );
            }
        }
        if let Deadlines::Constrained { tightest_ppm } = how.tasks.deadlines {
            for (number, Task { wcet, period, deadline }) in tasks.iter_mut().enumerate() {
                let least = part(*period, tightest_ppm * (WHOLE / 1_000_000));
                *deadline = group.deadline(number, lane, least.max(*wcet).min(*period), *period);
            }
        }
        interrupts.clear();
        if let Some(how) = &how.interrupts {
            let drawn = group.interrupts.of(lane);
            interrupts.extend(drawn.map(|(period, both)| interrupt(how, period, both)));
        }
    }
}

/// With its deadline at the period.
fn task(wcet: Duration, period: Duration) -> Task {
    Task { wcet, period, deadline: period }
}

/// The part of a time, in billionths; at least a nanosecond.
fn part(of: Duration, share: u64) -> Duration {
    let ns = u128::from(of.as_ns()) * u128::from(share) / u128::from(WHOLE);
    Duration::from_ns(u64::try_from(ns).expect("ten times a stated duration fits").max(1))
}

fn interrupt(how: &Interrupts, period: Duration, both: Duration) -> Interrupt {
    let isr = part(both, how.host_ppm * (WHOLE / 1_000_000));
    let guest_isr = both.saturating_sub(isr).max(Duration::from_ns(1));
    Interrupt { isr, guest_isr, period }
}

#[cfg(test)]
mod tests {
    use super::cube::exact;
    use super::*;
    use crate::point::{Budget, Guests, Periods, Tasks};

    fn points() -> Vec<Point> {
        let (shortest, longest) = (Duration::from_ms(1), Duration::from_ms(1_000));
        let log_uniform = Periods::LogUniform { shortest, longest, grain: Duration::from_us(1) };
        let point = |count, division, periods, deadlines| Point {
            scheduler: "edf".to_owned(),
            tasks: Tasks { count, utilisation_ppm: 900_000, division, periods, deadlines },
            guests: None,
            interrupts: None,
            costs: Vec::new(),
        };
        let drs = |least: &[u64], most: &[u64]| Division::Drs {
            least_ppm: least.to_vec(),
            most_ppm: most.to_vec(),
        };
        let constrained = Deadlines::Constrained { tightest_ppm: 400_000 };
        let first = point(10, Division::Uunifast, log_uniform, Deadlines::Implicit);
        let guests = Guests {
            count: 2,
            server: "periodic".to_owned(),
            period: longest,
            budget: Budget::Designed,
            scheduler: "edf".to_owned(),
        };
        let interrupts = Interrupts {
            count: 3,
            utilisation_ppm: 50_000,
            shortest,
            longest,
            host_ppm: 200_000,
            pseudo_vcpu: false,
        };
        vec![
            first.clone(),
            point(1, Division::Uunifast, log_uniform, constrained),
            point(4, drs(&[0], &[500_000]), log_uniform, constrained),
            point(2, drs(&[0, 100_000], &[800_000, 600_000]), Periods::Automotive, constrained),
            Point { guests: Some(guests), interrupts: Some(interrupts), ..first },
        ]
    }

    #[test]
    fn a_system_does_not_depend_on_what_is_drawn_besides() {
        let (mut memory, mut found) = (Memory::default(), Sample::default());
        for index in [0, 17, 3, 15, 16, 1_000_000, 17] {
            for (point, how) in points().iter().enumerate() {
                memory.draw(&mut found, 9, (point, index), how);
                assert_eq!(found, sample(9, point, index, how), "{point}/{index}");
                assert_ne!(found, sample(9, point, index + 1, how));
                assert_ne!(found, sample(10, point, index, how));
                assert_ne!(found, sample(9, point + 1, index, how));
            }
        }
    }

    #[test]
    fn systems_are_as_they_are_stated() {
        let share = |time: Duration, of: Duration| exact(time.as_ns()) / exact(of.as_ns());
        for (point, how) in points().iter().enumerate() {
            for index in 0..200 {
                let Sample { tasks, interrupts } = sample(1, point, index, how);
                let is_sound = |task: &Task| {
                    !task.wcet.is_zero() && task.wcet <= task.period && task.deadline <= task.period
                };
                assert!(tasks.iter().all(is_sound));
                let parts = |all: &mut dyn Iterator<Item = (Duration, Duration)>| -> f64 {
                    all.map(|(time, period)| {
                        cube::exact(time.as_ns()) / cube::exact(period.as_ns())
                    })
                    .sum()
                };
                let sum = parts(&mut tasks.iter().map(|task| (task.wcet, task.period)));
                // A nanosecond of each period is lost at most.
                assert!((0.0..1e-5).contains(&(0.9 - sum)), "{sum}");
                let routines =
                    interrupts.iter().map(|one| share(one.isr + one.guest_isr, one.period));
                let sum: f64 = routines.sum();
                assert!(interrupts.is_empty() || (sum - 0.05).abs() < 1e-5, "{sum}");
            }
        }
    }

    /// The same on every machine: what was drawn once can be drawn again.
    #[test]
    fn a_system_stays_what_it_was() {
        const KNOWN: [[u64; 2]; 10] = [
            [223_439, 6_179_000],
            [662_334, 8_161_000],
            [3_917_929, 45_323_000],
            [9_431_785, 190_498_000],
            [207_970_077, 413_657_000],
            [4_417_728, 430_019_000],
            [44_060_976, 543_033_000],
            [3_246_101, 591_892_000],
            [7_145_836, 624_315_000],
            [24_614_274, 690_974_000],
        ];
        let [first, ..] = &points()[..] else { unreachable!("several") };
        let found: Vec<[u64; 2]> = sample(1, 0, 21, first)
            .tasks
            .iter()
            .map(|task| [task.wcet.as_ns(), task.period.as_ns()])
            .collect();
        assert_eq!(found, KNOWN);
    }
}
