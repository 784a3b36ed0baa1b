//! A length of time, or an amount of work at full rate.

use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// A length of time in nanoseconds; also an amount of processor work at full rate.
///
/// ```
/// use vorrang_time::Duration;
/// let period: Duration = "1.5ms".parse().unwrap();
/// assert_eq!(period.as_ns(), 1_500_000);
/// assert_eq!(period.to_string(), "1500us");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Duration(u64);

impl Duration {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// One nanosecond, the resolution.
    pub const RESOLUTION: Self = Self(1);
    /// The longest duration that the type holds.
    pub const MAX: Self = Self(u64::MAX);
    /// The longest duration a description may state: one million seconds (11.6 days). Products
    /// of two stated durations fit in `u128` and sums of 10 000 of them in `u64`.
    pub const MAX_STATED: Self = Self(1_000_000_000_000_000);

    /// `ns` nanoseconds.
    pub const fn from_ns(ns: u64) -> Self {
        Self(ns)
    }

    /// `us` microseconds.
    pub const fn from_us(us: u64) -> Self {
        Self(us * 1_000)
    }

    /// `ms` milliseconds.
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms * 1_000_000)
    }

    /// The length in nanoseconds.
    pub const fn as_ns(self) -> u64 {
        self.0
    }

    /// Whether it is zero.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The sum, or `None` past the end of the range.
    #[inline]
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(ns) => Some(Self(ns)),
            None => None,
        }
    }

    /// The product with a count, or `None` past the end of the range.
    #[inline]
    pub const fn checked_mul(self, count: u64) -> Option<Self> {
        match self.0.checked_mul(count) {
            Some(ns) => Some(Self(ns)),
            None => None,
        }
    }

    /// The difference, or zero if `other` is longer.
    #[inline]
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// How many `parts` fit in whole: floor(self / part).
    ///
    /// # Panics
    /// If `part` is zero.
    #[inline]
    pub const fn div_floor(self, part: Self) -> u64 {
        self.0 / part.0
    }

    /// How many `parts` cover it: ceil(self / part).
    ///
    /// # Panics
    /// If `part` is zero.
    #[inline]
    pub const fn div_ceil(self, part: Self) -> u64 {
        self.0.div_ceil(part.0)
    }

    /// The remainder: self mod part.
    ///
    /// # Panics
    /// If `part` is zero.
    #[inline]
    #[must_use]
    pub const fn modulo(self, part: Self) -> Self {
        Self(self.0 % part.0)
    }
}

impl Add for Duration {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.checked_add(other.0).expect("duration overflow"))
    }
}

impl AddAssign for Duration {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Duration {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.checked_sub(other.0).expect("negative duration"))
    }
}

impl SubAssign for Duration {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul<u64> for Duration {
    type Output = Self;
    #[inline]
    fn mul(self, count: u64) -> Self {
        Self(self.0.checked_mul(count).expect("duration overflow"))
    }
}

impl Sum for Duration {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::ZERO, |total, part| total + part)
    }
}

/// Exact: in the largest unit of ns, us, ms and s that needs no fraction, if few digits are enough for that (four of
/// ns, six of us); else in the largest one of which it is at least one.
impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Each with its digits in ns, and from when on its number is hard to read.
        const UNITS: [(u64, &str, usize, u64); 4] = [
            (1_000_000_000, "s", 9, u64::MAX),
            (1_000_000, "ms", 6, u64::MAX),
            (1_000, "us", 3, 1_000_000),
            (1, "ns", 0, 10_000),
        ];
        let Self(ns) = *self;
        let whole = UNITS.into_iter().find(|&(unit, ..)| ns.is_multiple_of(unit));
        let short = whole.filter(|(unit, .., most)| ns / unit < *most);
        let fitting = short.or_else(|| UNITS.into_iter().find(|&(unit, ..)| ns >= unit));
        let (unit, name, digits, _) = fitting.unwrap_or(UNITS[0]);
        let (count, rest) = (ns / unit, ns % unit);
        if rest == 0 {
            return f.pad(&alloc::format!("{count}{name}"));
        }
        let fraction = alloc::format!("{rest:0digits$}");
        f.pad(&alloc::format!("{count}.{}{name}", fraction.trim_end_matches('0')))
    }
}

impl fmt::Debug for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    /// What is written is short, exact, and read back.
    #[test]
    fn a_time_is_written_in_a_unit_that_can_be_read() {
        let written = [
            (0, "0s"),
            (9_999, "9999ns"),
            (10_001, "10.001us"),
            (886_465, "886.465us"),
            (12_500_000, "12500us"),
            (56_842_105, "56.842105ms"),
            (1_000_001_000, "1.000001s"),
            (1_950_561_797, "1.950561797s"),
            (997_200_000_000_000, "997200s"),
        ];
        for (ns, text) in written {
            assert_eq!(Duration::from_ns(ns).to_string(), text);
            assert_eq!(text.parse(), Ok(Duration::from_ns(ns)));
        }
    }
}
