//! What is done, the same for all: expiries as timers have them.
//!
//! A delay is one of the periods of automotive software, drawn by its share of the functions,
//! times 0.5 to 1.5. A timer is at first somewhere in such a delay.
//!
//! Reference: S. Kramer, D. Ziegenbein, A. Hamann, Real world automotive benchmarks for free,
//! WATERS 2015.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// What everything is drawn from.
pub(crate) const SEED: u64 = 1;

/// Periods in milliseconds with their shares, of 85.
const PERIODS: [(u64, u64); 9] =
    [(1, 3), (2, 2), (5, 2), (10, 25), (20, 25), (50, 3), (100, 20), (200, 1), (1000, 4)];

pub(crate) struct Workload {
    random: ChaCha8Rng,
    pending: u32,
}

impl Workload {
    pub(crate) fn new(pending: u32) -> Self {
        Self { random: ChaCha8Rng::seed_from_u64(SEED), pending }
    }

    /// Uniform in `0..end`, as good as a benchmark needs.
    fn below(&mut self, end: u64) -> u64 {
        self.random.next_u64() % end
    }

    /// In nanoseconds.
    fn delay(&mut self) -> u64 {
        let mut share = self.below(PERIODS.iter().map(|(_, share)| share).sum());
        let period = PERIODS.iter().find(|(_, width)| {
            let found = share < *width;
            share = share.saturating_sub(*width);
            found
        });
        let period = period.expect("the shares cover all").0 * 1_000_000;
        period / 2 + self.below(period)
    }

    /// The first expiries, by timer.
    pub(crate) fn expiries(&mut self) -> Vec<u64> {
        let first = |random: &mut Self| {
            let delay = random.delay();
            1 + random.below(delay)
        };
        (0..self.pending).map(|_| first(self)).collect()
    }

    pub(crate) fn delays(&mut self, operations: usize) -> Vec<u64> {
        (0..operations).map(|_| self.delay()).collect()
    }

    /// Timers with new expiries, counted from the start.
    pub(crate) fn moves(&mut self, operations: usize) -> Vec<(u32, u64)> {
        let timer = |random: &mut Self| {
            let timer = random.below(u64::from(random.pending));
            u32::try_from(timer).expect("below a `u32`")
        };
        (0..operations).map(|_| (timer(self), self.delay())).collect()
    }
}
