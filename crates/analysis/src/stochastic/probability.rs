//! Probabilities that are never too small.

use core::fmt;

/// A probability in units of 2^-60, at most one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Probability(pub(super) u64);

impl Probability {
    const BITS: u32 = 60;
    /// Never.
    pub const ZERO: Self = Self(0);
    /// Always.
    pub const ONE: Self = Self(1 << Self::BITS);

    /// `part / whole`, rounded up, at most one.
    ///
    /// # Panics
    /// If `whole` is zero.
    pub fn ratio_ceil(part: u64, whole: u64) -> Self {
        Self::at_most_one((u128::from(part) << Self::BITS).div_ceil(u128::from(whole)))
    }

    /// The product, rounded up.
    #[must_use]
    pub(super) fn times_ceil(self, other: Self) -> Self {
        Self::at_most_one((u128::from(self.0) * u128::from(other.0)).div_ceil(1 << Self::BITS))
    }

    /// The product, rounded down.
    #[must_use]
    pub(super) fn times_floor(self, other: Self) -> Self {
        Self::at_most_one((u128::from(self.0) * u128::from(other.0)) >> Self::BITS)
    }

    /// Units of 2^-60; what is more than one is one.
    #[inline]
    pub(super) fn at_most_one(units: u128) -> Self {
        u64::try_from(units).map_or(Self::ONE, Self).min(Self::ONE)
    }

    /// Whether what this is the probability of happens in `per_trillion` of 10^12 cases at most.
    pub fn is_at_most(self, per_trillion: u64) -> bool {
        u128::from(self.0) * 1_000_000_000_000 <= u128::from(per_trillion) << Self::BITS
    }

    /// In units of 10^-12, rounded up.
    pub fn per_trillion_ceil(self) -> u64 {
        let exact = (u128::from(self.0) * 1_000_000_000_000).div_ceil(1 << Self::BITS);
        u64::try_from(exact).expect("at most 10^12")
    }
}

impl fmt::Display for Probability {
    /// As a decimal fraction of twelve digits at most, rounded up.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WHOLE: u64 = 1_000_000_000_000;
        let value = self.per_trillion_ceil();
        let text = format!("{}.{:012}", value / WHOLE, value % WHOLE);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        f.pad(text)
    }
}
