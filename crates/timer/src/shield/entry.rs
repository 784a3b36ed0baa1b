//! A timer with its expiry and its place as one number.

use super::tree::NONE;
use vorrang_time::Instant;

/// A timer, when it expires and where it stands; the earlier one first, at one instant the one of
/// the lower slot.
///
/// One number, so that two are compared without a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry(u128);

impl Entry {
    /// Later than every timer.
    pub(super) const NOTHING: Self = Self::new(Instant::NEVER, NONE, NONE);

    #[inline]
    pub(super) const fn new(at: Instant, timer: u32, place: u32) -> Self {
        let standing = ((timer as u64) << 32) | place as u64;
        Self(((at.as_ns() as u128) << 64) | standing as u128)
    }

    #[inline]
    pub(super) fn at(self) -> Instant {
        Instant::from_ns((self.0 >> 64) as u64)
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "it is what was put there")]
    pub(super) fn timer(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "it is what was put there")]
    pub(super) fn place(self) -> u32 {
        self.0 as u32
    }
}
