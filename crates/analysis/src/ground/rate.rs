//! Long-run rates, in fixed point: to see an overload before iterating towards it.

use vorrang_time::Duration;

/// A share of a core, in units of 2^-62, rounded in the direction that the constructor names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(u128);

impl Rate {
    const SHIFT: u32 = 62;
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// A whole core.
    pub const ONE: Self = Self(1 << Self::SHIFT);

    /// `work / period`, rounded down.
    pub fn floor(work: Duration, period: Duration) -> Self {
        Self((u128::from(work.as_ns()) << Self::SHIFT) / u128::from(period.as_ns()))
    }

    /// `work / period`, rounded up.
    pub fn ceil(work: Duration, period: Duration) -> Self {
        Self((u128::from(work.as_ns()) << Self::SHIFT).div_ceil(u128::from(period.as_ns())))
    }

    /// `part / whole` of it, rounded up.
    #[must_use]
    pub fn part_ceil(self, part: Duration, whole: Duration) -> Self {
        let (part, whole) = (u128::from(part.as_ns()), u128::from(whole.as_ns()));
        // A rate of more than a core may leave the range: then it is no bound.
        Self(self.0.checked_mul(part).map_or(u128::MAX, |product| product.div_ceil(whole)))
    }

    /// The sum; saturates far above any sum of stated loads.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Whether it is at most a billionth below the other (rounding included): a busy window
    /// would then be a billion times as long as its work.
    pub fn is_nearly(self, other: Self) -> bool {
        self.0 + (1 << (Self::SHIFT - 30)) >= other.0
    }

    /// In units of 2^-32, rounded down: for a first look without divisions of 128 bits.
    fn coarse_floor(self) -> u64 {
        u64::try_from(self.0 >> (Self::SHIFT - COARSE)).unwrap_or(u64::MAX)
    }

    /// What is left of it; nothing if the other is larger.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

/// Bits after the point of a first look.
pub(crate) const COARSE: u32 = 32;

/// `work / period` in units of 2^-32, rounded down, and cut where it leaves the range.
#[inline]
pub(crate) fn share(work: Duration, period: Duration) -> u64 {
    let (work, period) = (work.as_ns(), period.as_ns());
    if work >> (u64::BITS - COARSE) == 0 {
        return (work << COARSE) / period;
    }
    u64::try_from((u128::from(work) << COARSE) / u128::from(period)).unwrap_or(u64::MAX)
}

/// The sum of `work / period` in units of 2^-32, each rounded up; `None` out of range.
fn coarse_sum(mut shares: impl Iterator<Item = (Duration, Duration)>) -> Option<u64> {
    shares.try_fold(0_u64, |sum, (work, period)| {
        let work = work.as_ns();
        let in_range = work >> (u64::BITS - COARSE) == 0;
        in_range.then(|| (work << COARSE).div_ceil(period.as_ns())).and_then(|s| sum.checked_add(s))
    })
}

/// Whether the sum of `work / period` is at most `supply`, and not even [`Rate::is_nearly`] it;
/// `false` also where a first look does not tell.
pub(crate) fn is_clearly_below(
    shares: impl Iterator<Item = (Duration, Duration)>,
    supply: Rate,
) -> bool {
    // A billionth is 4 of these units.
    coarse_sum(shares).is_some_and(|sum| sum.saturating_add(8) < supply.coarse_floor())
}

/// Whether the sum of `work / period` is at most one. Exact; `None` only where the rounded sums
/// leave it open and the common denominator leaves the range.
pub(crate) fn at_most_one(
    shares: impl Iterator<Item = (Duration, Duration)> + Clone,
) -> Option<bool> {
    if coarse_sum(shares.clone()).is_some_and(|sum| sum <= 1 << COARSE) {
        return Some(true);
    }
    let sum = |share: fn(Duration, Duration) -> Rate| {
        shares.clone().fold(Rate::ZERO, |sum, (work, period)| sum.plus(share(work, period)))
    };
    if sum(Rate::ceil) <= Rate::ONE {
        return Some(true);
    }
    if sum(Rate::floor) > Rate::ONE {
        return Some(false);
    }
    exactly_at_most_one(shares)
}

fn exactly_at_most_one(shares: impl Iterator<Item = (Duration, Duration)>) -> Option<bool> {
    let (mut numerator, mut denominator) = (0_u128, 1_u128);
    for (work, period) in shares {
        let (work, period) = (u128::from(work.as_ns()), u128::from(period.as_ns()));
        let common = greatest_common_divisor(denominator, period);
        let scale = period / common;
        numerator =
            numerator.checked_mul(scale)?.checked_add(work.checked_mul(denominator / common)?)?;
        denominator = denominator.checked_mul(scale)?;
        let common = greatest_common_divisor(numerator, denominator).max(1);
        (numerator, denominator) = (numerator / common, denominator / common);
    }
    Some(numerator <= denominator)
}

/// The least common multiple of two times; `None` out of range, or if one is zero.
pub(crate) fn common_multiple(a: Duration, b: Duration) -> Option<Duration> {
    let (a, b) = (a.as_ns(), b.as_ns());
    let common = greatest_common_divisor(a.into(), b.into());
    let scale = u128::from(a).checked_div(common)?;
    let multiple = u64::try_from(scale.checked_mul(b.into())?).ok()?;
    (multiple > 0).then(|| Duration::from_ns(multiple))
}

pub(crate) fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_out_of_range_is_cut() {
        let (long, short) = (Duration::from_ns(1 << 40), Duration::from_ns(1));
        assert_eq!(share(Duration::from_ns(1), Duration::from_ns(2)), 1 << (COARSE - 1));
        assert_eq!(share(long, short), u64::MAX);
    }

    #[test]
    fn sums_are_exact_where_fixed_point_is_not() {
        let third = (Duration::from_ns(1), Duration::from_ns(3));
        let tiny = (Duration::from_ns(1), Duration::MAX_STATED);
        assert_eq!(at_most_one([third, third, third].into_iter()), Some(true));
        assert_eq!(at_most_one([third, third, third, tiny].into_iter()), Some(false));
        let many = [(Duration::from_ns(1), Duration::from_ns(1_000_003)); 200];
        assert_eq!(at_most_one(many.into_iter()), Some(true));
    }

    #[test]
    fn a_first_look_is_never_wrong() {
        let of = |work, period| (Duration::from_ns(work), Duration::from_ns(period));
        let below = |shares: &[_], supply| is_clearly_below(shares.iter().copied(), supply);
        assert!(below(&[of(1, 3), of(1, 3)], Rate::ONE));
        assert!(!below(&[of(1, 3), of(1, 3), of(1, 3)], Rate::ONE));
        assert!(!below(&[of(999_999_999, 1_000_000_000)], Rate::ONE));
        assert!(below(&[of(999_999_990, 1_000_000_000)], Rate::ONE));
        assert!(!below(&[of(1, 2)], Rate::floor(Duration::from_ns(1), Duration::from_ns(2))));
        // Out of its range it does not know.
        assert!(!below(&[of(1 << 40, 1 << 50)], Rate::ONE));
    }

    #[test]
    fn rounding_is_in_the_name() {
        let (work, period) = (Duration::from_ns(1), Duration::from_ns(3));
        assert!(Rate::floor(work, period) < Rate::ceil(work, period));
        assert_eq!(Rate::floor(period, period), Rate::ONE);
    }
}
