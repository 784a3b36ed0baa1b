//! A histogram of latencies, in constant memory.
//!
//! **Model.** Latencies are counted in steps of 100 ns up to ten milliseconds; those beyond are few
//! and kept one by one. Count, sum, least and most are exact; a quantile is too large by less than a
//! step, never too small.

use crate::statistics::Spread;

/// The width of a step.
const STEP_NS: u64 = 100;

/// Steps: up to ten milliseconds.
const STEPS: usize = 100_000;

/// A histogram of latencies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    steps: Vec<u64>,
    beyond: Vec<u64>,
    count: u64,
    sum_ns: u64,
    least_ns: u64,
    most_ns: u64,
    last_ns: u64,
}

impl Default for Tally {
    fn default() -> Self {
        let steps = vec![0; STEPS];
        let (least_ns, beyond) = (u64::MAX, Vec::new());
        Self { steps, beyond, count: 0, sum_ns: 0, least_ns, most_ns: 0, last_ns: 0 }
    }
}

impl Tally {
    /// Counts a latency.
    #[inline]
    pub fn record(&mut self, ns: u64) {
        let step = usize::try_from(ns / STEP_NS).unwrap_or(usize::MAX);
        match self.steps.get_mut(step) {
            Some(count) => *count += 1,
            None => self.beyond.push(ns),
        }
        self.count += 1;
        self.sum_ns += ns;
        self.least_ns = self.least_ns.min(ns);
        self.most_ns = self.most_ns.max(ns);
        self.last_ns = ns;
    }

    /// How many were counted.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The shortest; zero of none.
    pub fn least_ns(&self) -> u64 {
        if self.count == 0 { 0 } else { self.least_ns }
    }

    /// The longest; zero of none.
    pub fn most_ns(&self) -> u64 {
        self.most_ns
    }

    /// The one that was counted last.
    pub fn last_ns(&self) -> u64 {
        self.last_ns
    }

    /// The mean; zero of none.
    pub fn mean_ns(&self) -> f64 {
        self.sum_ns as f64 / self.count.max(1) as f64
    }

    /// A latency that at least this part did not exceed; zero of none.
    pub fn quantile_ns(&self, part: f64) -> f64 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rank")]
        let rank = ((part * self.count as f64).ceil() as u64).clamp(1, self.count.max(1));
        let mut seen = 0;
        for (step, count) in self.steps.iter().enumerate() {
            seen += count;
            if seen >= rank {
                let end = (step as u64 + 1) * STEP_NS - 1;
                return end.clamp(self.least_ns, self.most_ns) as f64;
            }
        }
        let mut beyond = self.beyond.clone();
        beyond.sort_unstable();
        let place = usize::try_from(rank - seen).unwrap_or(usize::MAX);
        beyond.get(place.saturating_sub(1)).map_or(0.0, |ns| *ns as f64)
    }

    /// The number with its spread; `None` of none.
    pub fn spread(&self) -> Option<Spread> {
        let [low, median, high] = [0.1, 0.5, 0.9].map(|part| self.quantile_ns(part));
        let count = usize::try_from(self.count).unwrap_or(usize::MAX);
        let max = self.most_ns as f64;
        (self.count > 0).then_some(Spread { count, low, median, high, max })
    }

    /// Counts by whole microseconds, below `limit_us`.
    pub fn microseconds(&self, limit_us: usize) -> Vec<u64> {
        let steps = usize::try_from(1_000 / STEP_NS).expect("ten");
        let mut counts: Vec<u64> =
            self.steps.chunks(steps).take(limit_us).map(|chunk| chunk.iter().sum()).collect();
        counts.resize(limit_us, 0);
        for ns in &self.beyond {
            let us = usize::try_from(ns / 1_000).unwrap_or(usize::MAX);
            if let Some(count) = counts.get_mut(us) {
                *count += 1;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(latencies: &[u64]) -> Tally {
        let mut tally = Tally::default();
        for ns in latencies {
            tally.record(*ns);
        }
        tally
    }

    #[test]
    fn what_is_counted_is_exact_where_it_must_be() {
        let tally = of(&[1_999, 2_000, 2_050, 30_000_000, 999]);
        assert_eq!((tally.count(), tally.least_ns(), tally.most_ns()), (5, 999, 30_000_000));
        assert!((tally.mean_ns() - 6_001_409.6).abs() < 1e-6);
        assert_eq!(tally.microseconds(4), [1, 1, 2, 0]);
        assert_eq!(tally.microseconds(30_001).last(), Some(&1));
        assert_eq!(of(&[]).spread(), None);
    }

    #[test]
    fn quantiles_are_never_too_small_and_too_large_by_less_than_a_step() {
        let all: Vec<u64> = (1..=1_000).map(|index| index * 137).collect();
        let tally = of(&all);
        for (part, rank) in [(0.1, 100), (0.5, 500), (0.999, 999), (1.0, 1_000)] {
            let (found, truth) = (tally.quantile_ns(part), all[rank - 1] as f64);
            assert!(found >= truth && found < truth + STEP_NS as f64, "{part}: {found} {truth}");
        }
        let beyond = of(&[5, 20_000_000, 10_000_000]);
        assert_eq!(
            [0.5, 1.0].map(|part| beyond.quantile_ns(part).to_bits()),
            [1e7, 2e7].map(f64::to_bits)
        );
    }
}
