//! Periods.

use crate::point::Periods;
use vorrang_random::Random;
use vorrang_time::Duration;

/// Kramer, Ziegenbein, Hamann 2015, table III: share in percent and period in milliseconds. What is
/// synchronous with the angle of the engine (15 %) is left out.
const AUTOMOTIVE: &[(u64, u64)] =
    &[(3, 1), (2, 2), (2, 5), (25, 10), (25, 20), (3, 50), (20, 100), (1, 200), (4, 1_000)];

pub(super) fn draw(random: &mut Random, how: Periods) -> Duration {
    match how {
        Periods::LogUniform { shortest, longest, grain } => {
            let grain = grain.as_ns();
            let count = random.log_uniform(shortest.as_ns() / grain, longest.as_ns() / grain);
            Duration::from_ns(count * grain)
        }
        Periods::Harmonic { shortest, longest } => {
            let doublings = (longest.as_ns() / shortest.as_ns()).ilog2();
            Duration::from_ns(shortest.as_ns() << random.below(u64::from(doublings) + 1))
        }
        Periods::Automotive => Duration::from_ms(random.weighted(AUTOMOTIVE)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_in_their_range() {
        let (shortest, longest) = (Duration::from_us(1_000), Duration::from_us(50_000));
        let mut random = Random::new(1, 0);
        for _ in 0..2_000 {
            let grain = Duration::from_us(100);
            let drawn = draw(&mut random, Periods::LogUniform { shortest, longest, grain });
            assert!(shortest <= drawn && drawn <= longest);
            assert!(drawn.as_ns().is_multiple_of(100_000));
            let drawn = draw(&mut random, Periods::Harmonic { shortest, longest });
            let factor = drawn.as_ns() / shortest.as_ns();
            assert!(factor.is_power_of_two() && factor <= 32);
        }
    }

    #[test]
    fn automotive_periods_are_as_frequent_as_published() {
        let mut random = Random::new(1, 0);
        let drawn: Vec<u64> = (0..85_000)
            .map(|_| draw(&mut random, Periods::Automotive).as_ns() / 1_000_000)
            .collect();
        for (percent, period) in AUTOMOTIVE {
            let found = drawn.iter().filter(|drawn| *drawn == period).count() as u64;
            // Six standard deviations of a binomial with a mean of up to 25 000.
            assert!(found.abs_diff(percent * 1_000) < 6 * 133, "{period} ms: {found}");
        }
    }
}
