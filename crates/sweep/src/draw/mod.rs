//! Random systems, decided by a seed, a point and an index.
//!
//! **Assumptions.** 1. Floating-point numbers take part where utilisations are bounded (`cube.rs`, `cells.rs`), by
//! the four basic operations only, whose results are the same on every machine. They decide what is
//! drawn, never a verdict.

mod cells;
mod cube;
mod division;
mod period;

use crate::point::{Deadlines, Interrupts, Point, Tasks};
use vorrang_random::Random;
use vorrang_time::Duration;

pub use cells::Cells;
pub(crate) use cells::{MOST_CELLS, MOST_PARTS, table_size};
pub use division::{WHOLE, bounded, bounded_each, uunifast};

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

/// Points are told apart by the upper bits of the stream, samples by the lower ones.
const INDEX_BITS: u32 = 40;

/// The system with this index at this point.
pub(crate) fn sample(seed: u64, point: usize, index: u64, how: &Point) -> Sample {
    let mut sample = Sample::default();
    sample_into(&mut sample, &mut None, seed, point, index, how);
    sample
}

/// The same, in place of another; `cells` are those of the last, if it had some.
pub(crate) fn sample_into(
    sample: &mut Sample,
    cells: &mut Option<Cells>,
    seed: u64,
    point: usize,
    index: u64,
    how: &Point,
) {
    let stream = ((point as u64) << INDEX_BITS) | index;
    let mut random = Random::new(seed, stream);
    let guests = how.guests.as_ref().map_or(1, |guests| guests.count);
    sample.tasks.clear();
    sample.interrupts.clear();
    let shares = division::shares(&mut random, &how.tasks, how.tasks.count * guests, cells);
    sample.tasks.extend(shares.into_iter().map(|share| task(&mut random, &how.tasks, share)));
    if let Some(how) = &how.interrupts {
        let shares = uunifast(&mut random, how.utilisation_ppm * (WHOLE / 1_000_000), how.count);
        sample
            .interrupts
            .extend(shares.into_iter().map(|share| interrupt(&mut random, how, share)));
    }
}

/// The part of a time; at least a nanosecond.
fn part(of: Duration, share: u64) -> Duration {
    let ns = u128::from(of.as_ns()) * u128::from(share) / u128::from(WHOLE);
    Duration::from_ns(u64::try_from(ns).expect("ten times a stated duration fits").max(1))
}

fn task(random: &mut Random, how: &Tasks, share: u64) -> Task {
    let period = period::draw(random, how.periods);
    let wcet = part(period, share);
    let deadline = match how.deadlines {
        Deadlines::Implicit => period,
        Deadlines::Constrained { tightest_ppm } => {
            let least = part(period, tightest_ppm * (WHOLE / 1_000_000)).max(wcet).min(period);
            Duration::from_ns(random.between(least.as_ns(), period.as_ns()))
        }
    };
    Task { wcet, period, deadline }
}

fn interrupt(random: &mut Random, how: &Interrupts, share: u64) -> Interrupt {
    let period = Duration::from_ns(random.log_uniform(how.shortest.as_ns(), how.longest.as_ns()));
    let both = part(period, share);
    let host = part(both, how.host_ppm * (WHOLE / 1_000_000));
    let guest_isr = both.saturating_sub(host).max(Duration::from_ns(1));
    Interrupt { isr: host, guest_isr, period }
}
