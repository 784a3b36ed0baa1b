//! Random numbers that a seed and an index decide, the same on every machine.
//!
//! Integers only: no logarithm or power of the platform's mathematics library takes part, so a
//! system drawn once can be drawn again anywhere.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The stream with this number of a seed; streams of one seed are independent.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        Self(generator)
    }

    /// Continues at this position of the stream, counted from zero.
    pub fn seek(&mut self, place: u64) {
        self.0.set_word_pos(2 * u128::from(place));
    }

    /// As many numbers of 64 random bits as there is room for.
    pub fn fill(&mut self, into: &mut [u64]) {
        const AT_ONCE: usize = 32;
        let mut bytes = [0; 8 * AT_ONCE];
        for into in into.chunks_mut(AT_ONCE) {
            let bytes = &mut bytes[..8 * into.len()];
            self.0.fill_bytes(bytes);
            for (number, bytes) in into.iter_mut().zip(bytes.as_chunks().0) {
                *number = u64::from_le_bytes(*bytes);
            }
        }
    }

    /// Uniform in `[0, end)`.
    ///
    /// # Panics
    /// If `end` is zero.
    pub fn below(&mut self, end: u64) -> u64 {
        assert!(end > 0, "an empty range has no number");
        if end.is_power_of_two() {
            return self.0.next_u64() & (end - 1);
        }
        loop {
            let drawn = self.0.next_u64();
            // Numbers past the last whole multiple of `end` would favour the small ones. There are fewer than
            // `end` of them: mostly that says enough, without a division.
            if drawn <= u64::MAX - end || drawn < u64::MAX - u64::MAX % end {
                return drawn % end;
            }
        }
    }

    /// Uniform in `[low, high]`; `low` if `high` is smaller.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True in `numerator` of `denominator` cases.
    pub fn chance(&mut self, numerator: u64, denominator: u64) -> bool {
        self.below(denominator) < numerator
    }

    /// One of several, each as likely.
    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.index(choices.len())]
    }

    /// One of several, as likely as its weight says.
    pub fn weighted<T: Copy>(&mut self, choices: &[(u64, T)]) -> T {
        let mut left = self.below(choices.iter().map(|(weight, _)| weight).sum());
        for &(weight, choice) in choices {
            if left < weight {
                return choice;
            }
            left -= weight;
        }
        unreachable!("the weights sum to the end of the range")
    }

    /// A position in a list of `length` entries.
    pub fn index(&mut self, length: usize) -> usize {
        let length = u64::try_from(length).expect("a length fits");
        usize::try_from(self.below(length)).expect("smaller than a length")
    }

    /// Log-uniform in `[low, high]`: each doubling is as likely, the density falls with 1/x.
    ///
    /// # Panics
    /// If `low` is zero or above `high`.
    pub fn log_uniform(&mut self, low: u64, high: u64) -> u64 {
        assert!(0 < low && low <= high, "log-uniform needs 0 < low <= high");
        let octaves = u64::from(high.ilog2() - low.ilog2() + 1);
        loop {
            let start = 1_u64 << (u64::from(low.ilog2()) + self.below(octaves));
            let drawn = start + self.below(start);
            // Within its octave a number is kept with probability start / drawn.
            if self.below(drawn) < start && (low..=high).contains(&drawn) {
                return drawn;
            }
        }
    }

    /// `whole` cut into `parts` positive parts, every way as likely: what `UUniFast` does (Bini,
    /// Buttazzo 2005), in integers. Fewer parts when `whole` is too small for that many.
    pub fn shares(&mut self, whole: u64, parts: usize) -> Vec<u64> {
        let parts = parts.min(usize::try_from(whole).unwrap_or(usize::MAX));
        let mut cuts = vec![0, whole];
        while cuts.len() < parts + 1 {
            let cut = self.between(1, whole - 1);
            if !cuts.contains(&cut) {
                cuts.push(cut);
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_repeats_and_differs_from_the_next() {
        let draw = |stream| {
            let mut random = Random::new(7, stream);
            [random.below(1_000_000), random.below(1_000_000), random.below(1_000_000)]
        };
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
    }

    #[test]
    fn a_place_is_the_same_however_it_is_reached() {
        let mut all = [0; 200];
        Random::new(7, 3).fill(&mut all);
        let mut random = Random::new(7, 3);
        assert_eq!(all, [(); 200].map(|()| random.0.next_u64()));
        for place in [0, 1, 31, 32, 33, 150] {
            let mut rest = [0; 50];
            let mut random = Random::new(7, 3);
            random.below(10);
            random.seek(place);
            random.fill(&mut rest);
            let from = usize::try_from(place).expect("small");
            assert_eq!(rest, all[from..from + 50]);
        }
    }

    /// The same rule without its shortcuts.
    fn below_by_divisions(random: &mut Random, end: u64) -> u64 {
        let unfair = (u64::MAX % end + 1) % end;
        loop {
            let drawn = random.0.next_u64();
            if drawn <= u64::MAX - unfair {
                return drawn % end;
            }
        }
    }

    #[test]
    fn numbers_are_those_of_the_rule_in_full() {
        let middle = 1 << 63;
        // Of the last but two, nearly half of all numbers are drawn again.
        let ends =
            [1, 2, 3, 10, 64, 1_000_003, middle - 1, middle, middle + 1, u64::MAX - 1, u64::MAX];
        for end in ends {
            let (mut one, mut other) = (Random::new(3, end), Random::new(3, end));
            for _ in 0..1_000 {
                assert_eq!(one.below(end), below_by_divisions(&mut other, end), "{end}");
            }
        }
    }

    #[test]
    fn shares_are_positive_and_add_up() {
        let mut random = Random::new(1, 0);
        for _ in 0..1_000 {
            let whole = random.between(1, 40);
            let parts = random.index(6) + 1;
            let shares = random.shares(whole, parts);
            assert_eq!(shares.iter().sum::<u64>(), whole);
            assert!(shares.iter().all(|&share| share > 0));
            assert!(shares.len() <= parts);
        }
    }

    #[test]
    fn doublings_are_as_likely() {
        let mut random = Random::new(1, 0);
        let mut counts = [0_u32; 3];
        for _ in 0..30_000 {
            let drawn = random.log_uniform(100, 799);
            assert!((100..=799).contains(&drawn));
            counts[usize::from(drawn >= 200) + usize::from(drawn >= 400)] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }
}
