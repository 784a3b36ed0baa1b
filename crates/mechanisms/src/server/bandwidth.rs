//! Parts of a processor's time, as `SCHED_DEADLINE` counts them.
//!
//! A [`Bandwidth`] is a whole number of parts of 2^-20 of a processor. The bandwidth of a server
//! is rounded up: a server that reclaims then never gets more than by the exact rule, and one that does not
//! reclaim is not affected. (Linux rounds down.)

use core::ops::{Add, Sub};
use vorrang_time::Duration;

/// A part of a processor's time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bandwidth(u64);

impl Bandwidth {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// All of the time.
    pub const WHOLE: Self = Self(1 << Self::SHIFT);
    /// How many bits count less than a whole.
    pub(super) const SHIFT: u32 = 20;

    /// `budget / period`, rounded up; at most the whole.
    ///
    /// # Panics
    /// If `period` is zero.
    pub fn of(budget: Duration, period: Duration) -> Self {
        let budget = u128::from(budget.min(period).as_ns());
        let parts = (budget << Self::SHIFT).div_ceil(u128::from(period.as_ns()));
        Self(u64::try_from(parts).expect("at most the whole"))
    }

    /// How many parts of 2^-20 it is.
    pub(super) fn parts(self) -> i128 {
        i128::from(self.0)
    }
}

impl Add for Bandwidth {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Bandwidth {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.checked_sub(other.0).expect("less than nothing"))
    }
}
