//! How close observed responses come to their bounds.

use vorrang_time::Duration;

/// The group of a distribution: the scheduler of a supply, the kind of server that the supply is, and its
/// depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    /// Scheduler of the supply.
    pub scheduler: &'static str,
    /// Kind of the server; `core` for a core.
    pub server: &'static str,
    /// Servers between the supply and the core, itself included.
    pub depth: usize,
}

/// The distribution of observed / bound, in thousandths, rounded down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tightness {
    /// How many are in each thousandth; the last holds what is equal to its bound.
    thousandths: Vec<u64>,
    /// Above the bound: a violation.
    above: u64,
    /// Sum of the ratios in millionths.
    sum: u128,
}

impl Default for Tightness {
    fn default() -> Self {
        Self { thousandths: vec![0; 1_001], above: 0, sum: 0 }
    }
}

impl Tightness {
    pub(crate) fn add(&mut self, observed: Duration, bound: Duration) {
        let (observed, bound) = (u128::from(observed.as_ns()), u128::from(bound.as_ns()));
        self.sum += observed * 1_000_000 / bound;
        let thousandth = usize::try_from(observed * 1_000 / bound).unwrap_or(usize::MAX);
        match self.thousandths.get_mut(thousandth) {
            Some(count) if observed <= bound => *count += 1,
            _ => self.above += 1,
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (count, more) in self.thousandths.iter_mut().zip(&other.thousandths) {
            *count += more;
        }
        self.above += other.above;
        self.sum += other.sum;
    }

    /// How many were compared.
    pub fn count(&self) -> u64 {
        self.thousandths.iter().sum::<u64>() + self.above
    }

    /// The ratio, in thousandths, that `part` of `whole` do not exceed.
    pub fn quantile(&self, part: u64, whole: u64) -> u64 {
        let rank = (self.count() * part).div_ceil(whole).max(1);
        let mut seen = 0;
        let reached = self.thousandths.iter().position(|count| {
            seen += count;
            seen >= rank
        });
        reached.unwrap_or(self.thousandths.len()) as u64
    }

    /// The largest ratio, in thousandths; more than 1000 if one is above its bound.
    pub fn most(&self) -> u64 {
        self.quantile(1, 1)
    }

    /// The mean ratio, in thousandths.
    pub fn mean(&self) -> u64 {
        u64::try_from(self.sum / u128::from(self.count().max(1)) / 1_000).unwrap_or(u64::MAX)
    }

    /// How many were equal to their bound.
    pub fn exact(&self) -> u64 {
        self.thousandths[1_000]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(u64, u64)]) -> Tightness {
        let mut tightness = Tightness::default();
        for &(observed, bound) in pairs {
            tightness.add(Duration::from_ns(observed), Duration::from_ns(bound));
        }
        tightness
    }

    #[test]
    fn quantiles_count_from_the_least() {
        let tightness = of(&[(1, 2), (1, 4), (3, 4), (5, 5)]);
        let quartiles = [1, 2, 3, 4].map(|part| tightness.quantile(part, 4));
        assert_eq!(quartiles, [250, 500, 750, 1_000]);
        assert_eq!((tightness.mean(), tightness.exact(), tightness.count()), (625, 1, 4));
    }

    #[test]
    fn only_what_equals_its_bound_is_exact() {
        let tightness = of(&[(999_999, 1_000_000), (7, 7)]);
        assert_eq!((tightness.exact(), tightness.quantile(1, 2)), (1, 999));
    }

    #[test]
    fn what_exceeds_its_bound_shows() {
        assert_eq!(of(&[(1_000_001, 1_000_000)]).most(), 1_001);
    }
}
