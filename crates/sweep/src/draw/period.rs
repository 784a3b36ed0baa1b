//! Periods.
//!
//! **Model.** Log-uniform ones are those of Emberson, Stafford and Davis (2010): with a shortest period `a`, a longest
//! `b` and a grain `g`, the largest multiple of `g` that is not above `a ((b + g) / a)^u`, where `u` is uniform.

use super::cube::exact;
use super::exponential::power_of_two;
use super::lanes::{Lanes, below, each, floor, least, unit};
use crate::point::Periods;
use vorrang_time::Duration;

/// Kramer, Ziegenbein, Hamann 2015, table III: share in percent and period in milliseconds. What is
/// synchronous with the angle of the engine (15 %) is left out.
const AUTOMOTIVE: &[(u64, u64)] =
    &[(3, 1), (2, 2), (2, 5), (25, 10), (25, 20), (3, 50), (20, 100), (1, 200), (4, 1_000)];

/// Periods in whole nanoseconds, one for each row of random bits.
pub(super) fn draw(into: &mut Vec<Lanes<f64>>, numbers: &[Lanes<u64>], how: Periods) {
    into.clear();
    match how {
        Periods::LogUniform { shortest, longest, grain } => {
            let [shortest, longest, grain] = [shortest, longest, grain].map(Duration::as_ns);
            let range = LogUniform::of(shortest / grain, longest / grain, grain);
            each(into, numbers, |number| range.at(unit(number)));
        }
        Periods::Harmonic { shortest, longest } => {
            let powers = u64::from((longest.as_ns() / shortest.as_ns()).ilog2()) + 1;
            let at = |number| exact(shortest.as_ns() << below(number, powers));
            each(into, numbers, at);
        }
        Periods::Automotive => {
            let all = AUTOMOTIVE.iter().map(|(share, _)| share).sum();
            let at = |number| exact(automotive_ms(below(number, all)) * 1_000_000);
            each(into, numbers, at);
        }
    }
}

fn automotive_ms(mut left: u64) -> u64 {
    for (share, period) in AUTOMOTIVE {
        if left < *share {
            return *period;
        }
        left -= share;
    }
    unreachable!("below the sum of all shares")
}

/// Multiples of a grain, less than 2^52 ns.
struct LogUniform {
    least: f64,
    most: f64,
    /// Doublings from the least to the first beyond the most.
    doublings: f64,
    grain: f64,
}

impl LogUniform {
    fn of(least: u64, most: u64, grain: u64) -> Self {
        let [least, most, grain] = [least, most, grain].map(exact);
        Self { least, most, doublings: libm::log2((most + 1.0) / least), grain }
    }

    #[inline]
    fn at(&self, part: f64) -> f64 {
        let count = floor(self.least * power_of_two(part * self.doublings));
        // A power is not exact; but none of a number from zero on is below one.
        least(count, self.most) * self.grain
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::{LANES, integer};
    use super::*;
    use vorrang_random::Random;

    const COUNT: usize = 40_000;

    fn drawn(how: Periods) -> Vec<u64> {
        let mut numbers = vec![[0; LANES]; COUNT / LANES];
        Random::new(1, 0).fill(numbers.as_flattened_mut());
        let mut rows = Vec::new();
        draw(&mut rows, &numbers, how);
        rows.as_flattened().iter().map(|period| integer(*period)).collect()
    }

    /// The limit is that of a false alarm in one of a million.
    #[test]
    fn log_uniform_periods_are_as_likely_as_published() {
        let ns = Duration::from_ns;
        for (shortest, longest, grain) in [
            (ns(1_000_000), ns(1_000_000_000), ns(1_000)),
            (ns(100), ns(799), ns(1)),
            (ns(3_000), ns(9_000), ns(3_000)),
            (ns(1), Duration::MAX_STATED, ns(1)),
            (ns(7), ns(7), ns(7)),
        ] {
            let periods = drawn(Periods::LogUniform { shortest, longest, grain });
            let [shortest, longest, grain] = [shortest, longest, grain].map(Duration::as_ns);
            assert!(periods.iter().all(|period| (shortest..=longest).contains(period)));
            assert!(periods.iter().all(|period| period.is_multiple_of(grain)));
            // The share of periods that are no longer, as published and as drawn.
            let scale = (exact(longest + grain) / exact(shortest)).ln();
            let mut sorted = periods.clone();
            sorted.sort_unstable();
            let limit = (-(1e-6_f64 / 10.0).ln() / 2.0).sqrt() / exact(COUNT as u64).sqrt();
            for period in sorted.iter().step_by(97) {
                let known = (exact(period + grain) / exact(shortest)).ln() / scale;
                let found = sorted.partition_point(|other| other <= period) as u64;
                let apart = (exact(found) / exact(COUNT as u64) - known).abs();
                assert!(apart < limit, "{shortest} to {longest}: {apart} at {period}");
            }
        }
    }

    #[test]
    fn harmonic_periods_are_as_likely() {
        let (shortest, longest) = (Duration::from_us(1_000), Duration::from_us(50_000));
        let mut counts = [0_u64; 6];
        for period in drawn(Periods::Harmonic { shortest, longest }) {
            let factor = period / 1_000_000;
            assert!(period.is_multiple_of(1_000_000) && factor.is_power_of_two());
            counts[usize::try_from(factor.ilog2()).expect("small")] += 1;
        }
        // Six standard deviations of a binomial.
        assert!(counts.iter().all(|count| count.abs_diff(COUNT as u64 / 6) < 6 * 75), "{counts:?}");
    }

    #[test]
    fn automotive_periods_are_as_frequent_as_published() {
        let all = drawn(Periods::Automotive);
        for (percent, period) in AUTOMOTIVE {
            let found = all.iter().filter(|drawn| **drawn == period * 1_000_000).count() as u64;
            // Six standard deviations of a binomial with a share of up to 25 of 85.
            let expected = COUNT as u64 * percent / 85;
            assert!(found.abs_diff(expected) < 6 * 92, "{period} ms: {found}");
        }
    }
}
