//! Fourteen timers of one level: two cache lines of expiries, and apart from them, which timers they
//! are.
//!
//! Most changes are of a timer before which another one of the bucket expires. They look at three
//! numbers: when the timer expired, when it will, and when the earliest does. So a wide bucket costs
//! them nothing, and makes the others rare.
//!
//! **Cost.** `set`: constant; `first`: thirteen comparisons of expiries and timers, five as long as
//! there are few. Memory: 192 bytes.

use super::entry::Entry;
use super::tree::{NONE, PLACES};
use vorrang_time::Instant;

/// Timers of a bucket; with the earliest, what is above it and its level they fill two cache lines.
pub(super) const ROOM: u32 = 14;
/// So many are few: levels of few timers have buckets with no more.
const FEW: usize = 6;

/// One of each timer.
type Each<T> = [T; ROOM as usize];

/// The expiries of fourteen timers of one level.
#[derive(Clone, Debug)]
#[repr(align(128))]
pub(super) struct Bucket {
    /// Where no timer is, "never".
    expiries: Each<Instant>,
    /// The earliest of them.
    pub(super) least: Instant,
    /// The place in the block above; of a free bucket, the next one.
    pub(super) above: u32,
    /// The level that it is of.
    pub(super) level: u32,
}

impl Bucket {
    /// A bucket without timers.
    pub(super) const fn empty(above: u32, level: u32) -> Self {
        Self { expiries: [Instant::NEVER; ROOM as usize], least: Instant::NEVER, above, level }
    }

    #[inline]
    pub(super) fn get(&self, offset: usize) -> Instant {
        self.expiries[offset]
    }

    /// Changes when a timer expires; when it did before, and whether another one of the bucket was and
    /// is earlier.
    #[inline]
    pub(super) fn set(&mut self, offset: usize, at: Instant) -> (Instant, bool) {
        let before = core::mem::replace(&mut self.expiries[offset], at);
        (before, self.least < before.min(at))
    }

    /// The earliest of its timers, which stand from the place `start` on.
    #[inline]
    pub(super) fn first(&self, timers: &Timers, start: u32) -> Entry {
        let entry = |offset: usize| Entry::new(self.expiries[offset], 0, timers.0[offset]);
        let pair = |offset: usize| entry(offset).min(entry(offset + 1));
        let mut first = pair(0).min(pair(2)).min(pair(4));
        if timers.0[FEW] != NONE {
            first = first.min(pair(6).min(pair(8))).min(pair(10).min(pair(12)));
        }
        let (timer, offset) = (first.place() / PLACES, first.place() % PLACES);
        Entry::new(first.at(), timer, start | offset)
    }
}

/// The timers of a bucket.
///
/// From the first place on; each is a slot and an offset in one number, so that the offset comes along when the lowest slot
/// is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Timers([u32; PLACES as usize]);

impl Timers {
    pub(super) const EMPTY: Self = Self([NONE; PLACES as usize]);

    pub(super) fn get(&self, offset: usize) -> Option<u32> {
        Some(self.0[offset]).filter(|timer| *timer != NONE).map(|timer| timer / PLACES)
    }

    /// Puts a timer at a place, which is of this bucket.
    pub(super) fn set(&mut self, place: u32, timer: u32) {
        self.0[(place % PLACES) as usize] = timer * PLACES + place % PLACES;
    }

    pub(super) fn clear(&mut self, offset: usize) {
        self.0[offset] = NONE;
    }
}
