//! Shares of a core for display: exact sums of fractions, rounded only when shown.
//!
//! **Model.** A sum is a fraction as long as that fits 128 bits; beside it stand the same sums
//! rounded down and up in units of 2^-62, which answer where it does not fit. So nothing said here
//! is nearer to the safe side than the truth, and everything is exact for the periods that people
//! write.
//!
//! **Assumptions.** 1. Parts are at most the whole: a budget is no longer than its period.
//!
//! **Cost.** A greatest common divisor for each sum.
//!
//! Theory: docs/theory/utilisation.md.

use crate::ground::greatest_common_divisor;
use vorrang_time::Duration;

/// A share of a core; differences may be below zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bandwidth {
    /// Numerator and denominator, the latter above zero; `None`: out of range.
    exact: Option<(i128, i128)>,
    /// In units of 2^-62, rounded down.
    floor: i128,
    /// The same, rounded up.
    ceil: i128,
}

const SHIFT: u32 = 62;

impl Bandwidth {
    /// Nothing.
    pub const ZERO: Self = Self { exact: Some((0, 1)), floor: 0, ceil: 0 };
    /// A whole core.
    pub const ONE: Self = Self { exact: Some((1, 1)), floor: 1 << SHIFT, ceil: 1 << SHIFT };

    /// `work / period`; the period is above zero.
    pub fn of(work: Duration, period: Duration) -> Self {
        let (work, period) = (i128::from(work.as_ns()), i128::from(period.as_ns()));
        let floor = (work << SHIFT) / period;
        let ceil = floor + i128::from((work << SHIFT) % period > 0);
        Self { exact: Some((work, period)), floor, ceil }
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            exact: self.exact.zip(other.exact).and_then(|(one, other)| sum(one, other)),
            floor: self.floor.saturating_add(other.floor),
            ceil: self.ceil.saturating_add(other.ceil),
        }
    }

    /// The difference.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        let exact = other.exact.map(|(numerator, denominator)| (-numerator, denominator));
        self.plus(Self { exact, floor: -other.ceil, ceil: -other.floor })
    }

    /// Whether it is known to be above the other.
    pub fn exceeds(self, other: Self) -> bool {
        let gap = self.minus(other);
        gap.exact.map_or(gap.floor > 0, |(numerator, _)| numerator > 0)
    }

    /// The other if that is less.
    #[must_use]
    pub fn at_most(self, other: Self) -> Self {
        if self.exceeds(other) { other } else { self }
    }

    /// In hundredths of a percent, rounded down.
    pub fn hundredths_floor(self) -> i128 {
        let exact = self.exact.and_then(|(numerator, denominator)| {
            Some(numerator.checked_mul(10_000)?.div_euclid(denominator))
        });
        exact.unwrap_or_else(|| self.floor.saturating_mul(10_000) >> SHIFT)
    }

    /// In hundredths of a percent, rounded up.
    pub fn hundredths_ceil(self) -> i128 {
        -Self::ZERO.minus(self).hundredths_floor()
    }
}

fn sum(one: (i128, i128), other: (i128, i128)) -> Option<(i128, i128)> {
    let divisor = greatest_common_divisor(one.1.unsigned_abs(), other.1.unsigned_abs());
    let divisor = i128::try_from(divisor).ok()?;
    let numerator = one.0.checked_mul(other.1 / divisor)?;
    let numerator = numerator.checked_add(other.0.checked_mul(one.1 / divisor)?)?;
    let denominator = one.1.checked_mul(other.1 / divisor)?;
    let divisor = greatest_common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs());
    let divisor = i128::try_from(divisor).ok()?;
    Some((numerator / divisor, denominator / divisor))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(work: u64, period: u64) -> Bandwidth {
        Bandwidth::of(Duration::from_ns(work), Duration::from_ns(period))
    }

    #[test]
    fn sums_are_exact() {
        let thirds = of(1, 3).plus(of(1, 3)).plus(of(1, 3));
        assert_eq!((thirds.hundredths_floor(), thirds.hundredths_ceil()), (10_000, 10_000));
        assert!(!thirds.exceeds(Bandwidth::ONE));
        assert!(thirds.plus(of(1, 1 << 60)).exceeds(Bandwidth::ONE));
        let gap = of(1, 2).minus(of(2, 3));
        assert_eq!((gap.hundredths_floor(), gap.hundredths_ceil()), (-1_667, -1_666));
        assert_eq!(of(3, 2).at_most(Bandwidth::ONE), Bandwidth::ONE);
    }

    #[test]
    fn what_leaves_the_range_is_rounded_to_the_safe_side() {
        let primes = [999_999_937, 999_999_929, 999_999_893, 999_999_883, 999_999_797];
        let many = primes.map(|prime| of(1, prime)).into_iter();
        let sum = many.fold(of(1, 2), Bandwidth::plus);
        assert_eq!(sum.exact, None);
        assert_eq!((sum.hundredths_floor(), sum.hundredths_ceil()), (5_000, 5_001));
        assert!(sum.exceeds(of(1, 2)) && !sum.exceeds(sum));
    }
}
