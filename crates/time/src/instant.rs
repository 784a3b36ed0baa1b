//! A point in time on the axis of one history.

use crate::Duration;
use core::fmt;
use core::ops::{Add, AddAssign, Sub};

/// A point in time, in nanoseconds since the start of the history.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Instant(u64);

impl Instant {
    /// The start of the history.
    pub const ZERO: Self = Self(0);
    /// Later than every instant that happens: "never".
    pub const NEVER: Self = Self(u64::MAX);

    /// The instant `ns` nanoseconds after the start.
    pub const fn from_ns(ns: u64) -> Self {
        Self(ns)
    }

    /// Nanoseconds since the start.
    pub const fn as_ns(self) -> u64 {
        self.0
    }

    /// The time from `earlier` to here; zero if `earlier` is later.
    pub const fn saturating_since(self, earlier: Self) -> Duration {
        Duration::from_ns(self.0.saturating_sub(earlier.0))
    }

    /// The instant `by` later, or `None` past the end of the range.
    pub const fn checked_add(self, by: Duration) -> Option<Self> {
        match self.0.checked_add(by.as_ns()) {
            Some(ns) => Some(Self(ns)),
            None => None,
        }
    }
}

impl Add<Duration> for Instant {
    type Output = Self;
    #[inline]
    fn add(self, by: Duration) -> Self {
        Self(self.0.checked_add(by.as_ns()).expect("instant overflow"))
    }
}

impl AddAssign<Duration> for Instant {
    #[inline]
    fn add_assign(&mut self, by: Duration) {
        *self = *self + by;
    }
}

impl Sub<Duration> for Instant {
    type Output = Self;
    #[inline]
    fn sub(self, by: Duration) -> Self {
        Self(self.0.checked_sub(by.as_ns()).expect("instant before the start of the history"))
    }
}

impl Sub for Instant {
    type Output = Duration;
    #[inline]
    fn sub(self, earlier: Self) -> Duration {
        Duration::from_ns(self.0.checked_sub(earlier.0).expect("the earlier instant is later"))
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Duration::from_ns(self.0), f)
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t={self}")
    }
}
