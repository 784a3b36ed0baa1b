//! Order statistics: a number with its spread.

/// What a number was when it was measured repeatedly.
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
        let mut sorted: Vec<f64> = values.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let max = *sorted.last()?;
        let at = |part| quantile(&sorted, part);
        let [low, median, high] = [0.1, 0.5, 0.9].map(at);
        Some(Self { count: sorted.len(), low, median, high, max })
    }

    /// Whether what lies between low and high has something in common with another's.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}

/// The nearest rank: a value that occurred, at which this part of them is reached.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let rank = (part * sorted.len() as f64).ceil();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rank")]
    let rank = rank as usize;
    sorted[rank.clamp(1, sorted.len()) - 1]
}

/// The middle of some values; zero of none.
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

    #[test]
    fn spreads_that_touch_overlap() {
        let of = |from: i32, to: i32| Spread::of((from..=to).map(f64::from)).unwrap();
        assert!(of(1, 11).overlaps(&of(9, 20)));
        assert!(!of(1, 10).overlaps(&of(10, 20)));
        assert!(of(1, 100).overlaps(&of(40, 50)) && of(40, 50).overlaps(&of(1, 100)));
    }
}
