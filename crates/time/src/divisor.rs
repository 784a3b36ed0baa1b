//! A duration by which many others are divided.

use crate::Duration;

/// A duration with its reciprocal, so that dividing by it takes two multiplications.
///
/// With `m = floor((2^64 − 1) / d)` the quotient `floor(x m / 2^64)` is `floor(x / d)` or one less,
/// for every `x` of 64 bits; the rest tells which.
///
/// ```
/// use vorrang_time::{Divisor, Duration};
/// let period = Divisor::new(Duration::from_ms(3));
/// assert_eq!(period.ceil_of(Duration::from_ms(10)), 4);
/// assert_eq!(period.times(4), Duration::from_ms(12));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divisor {
    by: u64,
    reciprocal: u64,
}

impl Divisor {
    /// For divisions by `by`.
    ///
    /// # Panics
    /// If `by` is zero.
    #[inline]
    pub const fn new(by: Duration) -> Self {
        Self { by: by.as_ns(), reciprocal: u64::MAX / by.as_ns() }
    }

    /// The quotient or one less, and what is left: `count · by <= whole` is proven above, so that nothing wraps.
    #[inline]
    const fn nearly(self, whole: Duration) -> (u64, u64) {
        let product = whole.as_ns() as u128 * self.reciprocal as u128;
        let count = (product >> u64::BITS) as u64;
        (count, whole.as_ns().wrapping_sub(count.wrapping_mul(self.by)))
    }

    /// How many fit into `whole`, and the remainder.
    #[inline]
    pub const fn parts_of(self, whole: Duration) -> (u64, Duration) {
        let (count, rest) = self.nearly(whole);
        if rest < self.by {
            (count, Duration::from_ns(rest))
        } else {
            (count + 1, Duration::from_ns(rest - self.by))
        }
    }

    /// The ratio of `work` to it in units of 2^-32, as a lower and an upper bound.
    ///
    /// The reciprocal is at most one unit of 2^-64 too small.
    ///
    /// # Panics
    /// If it is more than the whole.
    #[inline]
    pub const fn share_of(self, work: Duration) -> (u64, u64) {
        assert!(work.as_ns() <= self.by, "a part");
        // The divisor itself, times its reciprocal, is less than 2^64.
        let low = (work.as_ns() * self.reciprocal) >> 32;
        (low, low + (work.as_ns() >> 32) + 2)
    }

    /// How many cover `whole`: [`Duration::div_ceil`].
    #[inline]
    pub const fn ceil_of(self, whole: Duration) -> u64 {
        let (count, rest) = self.nearly(whole);
        // It may be anything up to twice the divisor.
        count + (rest > 0) as u64 + (rest > self.by) as u64
    }

    /// Its product with a count.
    ///
    /// # Panics
    /// If that is out of range.
    #[inline]
    pub const fn times(self, count: u64) -> Duration {
        Duration::from_ns(self.by * count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn agrees(by: u64, whole: u64) {
        let (by, whole) = (Duration::from_ns(by), Duration::from_ns(whole));
        let divisor = Divisor::new(by);
        assert_eq!(divisor.ceil_of(whole), whole.div_ceil(by), "{whole} by {by}");
        let count = whole.div_floor(by);
        assert_eq!(divisor.parts_of(whole), (count, whole - by * count), "{whole} by {by}");
        if whole <= by {
            let (low, high) = divisor.share_of(whole);
            let exact = |share: u64| u128::from(share) * u128::from(by.as_ns());
            let whole = u128::from(whole.as_ns()) << 32;
            assert!(exact(low) <= whole && whole <= exact(high), "{whole} by {by}");
        }
    }

    #[test]
    fn ends_of_the_range() {
        let middle = 1 << 63;
        let ends = [1, 2, 3, 4, 1 << 32, middle - 1, middle, middle + 1, u64::MAX - 1, u64::MAX];
        for by in ends {
            agrees(by, 0);
            for whole in ends {
                agrees(by, whole);
            }
        }
    }

    proptest! {
        #[test]
        fn divides_like_a_division(by in 1_u64.., whole: u64, bits in 0_u32..64) {
            agrees(by, whole);
            agrees((by >> bits).max(1), whole);
            agrees(by, whole >> bits);
        }
    }
}
