//! Order statistics: a number with its spread.

/// The spread of a number that was measured repeatedly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// How often it was measured.
    pub count: usize,
    /// One in ten lies below.
    pub low: f64,
    /// The middle.
    pub median: f64,
    /// One in ten lies above.
    pub high: f64,
    /// The largest of all.
    pub max: f64,
}

impl Spread {
    /// The spread of these values; `None` of none at all.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        Sorted::of(values).map(|sorted| sorted.spread())
    }

    /// The expected spread of further values, from a few: with fewer than ten the lowest and the
    /// highest are closer together than one in ten and nine in ten of many, so where those lie is taken
    /// from Student's distribution, for one more value. `None` of none at all.
    pub fn of_few(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let values: Vec<f64> = values.into_iter().collect();
        let spread = Self::of(values.iter().copied())?;
        let Some(quantile) = values.len().checked_sub(2).and_then(|at| NINE_IN_TEN.get(at)) else {
            return Some(spread);
        };
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance =
            values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let reach = quantile * (variance * (1.0 + 1.0 / count)).sqrt();
        Some(Self { low: spread.median - reach, high: spread.median + reach, ..spread })
    }

    /// Whether its range from low to high overlaps with another's.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}

/// Student's quantiles at nine in ten, from one degree of freedom.
const NINE_IN_TEN: [f64; 8] = [3.078, 1.886, 1.638, 1.533, 1.476, 1.440, 1.415, 1.397];

/// Every value that was measured, in order: whatever the sign, nothing is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Sorted(Vec<f64>);

impl Sorted {
    /// These values; `None` of none at all.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        (!sorted.is_empty()).then_some(Self(sorted))
    }

    /// The nearest rank: a value that occurred, at which this part of them is reached.
    pub fn quantile(&self, part: f64) -> f64 {
        let rank = (part * self.0.len() as f64).ceil();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rank")]
        let rank = rank as usize;
        self.0[rank.clamp(1, self.0.len()) - 1]
    }

    /// The share of values that are at most this large.
    pub fn part_up_to(&self, value: f64) -> f64 {
        self.0.partition_point(|own| *own <= value) as f64 / self.0.len() as f64
    }

    /// The number with its spread.
    pub fn spread(&self) -> Spread {
        let [low, median, high, max] = [0.1, 0.5, 0.9, 1.0].map(|part| self.quantile(part));
        Spread { count: self.0.len(), low, median, high, max }
    }
}

/// The median of some values; zero of none.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    Spread::of(values).unwrap_or_default().median
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_occurred() {
        let spread = Spread::of((1..=10).rev().map(f64::from)).unwrap();
        assert_eq!(spread, Spread { count: 10, low: 1.0, median: 5.0, high: 9.0, max: 10.0 });
        let one = Spread::of([7.0]).unwrap();
        assert_eq!(one, Spread { count: 1, low: 7.0, median: 7.0, high: 7.0, max: 7.0 });
        assert_eq!(Spread::of([]), None);
    }

    /// Of a normal distribution, eight in ten of other values lie within the spread of a few.
    #[test]
    fn a_few_values_let_expect_where_others_lie() {
        let mut state = 1_u64;
        let mut uniform = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut normal = || (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        for count in [2, 3, 4, 9] {
            let within = (0..20_000).filter(|_| {
                let spread = Spread::of_few((0..count).map(|_| normal())).unwrap();
                (spread.low..=spread.high).contains(&normal())
            });
            let part = within.count() as f64 / 20_000.0;
            assert!((0.75..0.85).contains(&part), "{part} of {count}");
        }
        assert_eq!(Spread::of_few([7.0]), Spread::of([7.0]));
        let many = || (0..20).map(f64::from);
        assert_eq!(Spread::of_few(many()), Spread::of(many()));
    }

    #[test]
    fn values_below_zero_are_values() {
        let sorted = Sorted::of([3.0, -2.0, 0.0, -1.0]).unwrap();
        let quantiles = [0.0, 0.25, 0.5, 1.0].map(|part| sorted.quantile(part));
        assert_eq!(quantiles.to_vec(), [-2.0, -2.0, -1.0, 3.0]);
        let parts = [-3.0, 0.0, 3.0].map(|value| sorted.part_up_to(value));
        assert_eq!(parts.to_vec(), [0.0, 0.75, 1.0]);
    }

    #[test]
    fn spreads_that_touch_overlap() {
        let of = |from: i32, to: i32| Spread::of((from..=to).map(f64::from)).unwrap();
        assert!(of(1, 11).overlaps(&of(9, 20)));
        assert!(!of(1, 10).overlaps(&of(10, 20)));
        assert!(of(1, 100).overlaps(&of(40, 50)) && of(40, 50).overlaps(&of(1, 100)));
    }
}
