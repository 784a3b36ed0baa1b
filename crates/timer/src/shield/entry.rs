//! A timer with its expiry as one number, and eight of them as a node.
//!
//! When the entries of a node expire stands apart from their timers, in a line of its own, since
//! most changes are of a timer that is not the first of its node, and look at nothing else.

use super::level::NONE;
use crate::tournament::{FAN_OUT, Node};
use core::hint::select_unpredictable;
use vorrang_time::Instant;

/// A timer and when it expires; the earlier one first, at one instant the one of the lower slot.
///
/// One number, so that two are compared without a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry(u128);

impl Entry {
    /// Later than every timer.
    pub(super) const NOTHING: Self = Self(((u64::MAX as u128) << 64) | NONE as u128);

    #[inline]
    pub(super) fn new(at: Instant, timer: u32) -> Self {
        Self((u128::from(at.as_ns()) << 64) | u128::from(timer))
    }

    #[inline]
    pub(super) fn at(self) -> Instant {
        Instant::from_ns((self.0 >> 64) as u64)
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "it is what was put there")]
    pub(super) fn timer(self) -> u32 {
        self.0 as u32
    }
}

/// Eight entries, and where the earliest of them stands: two lines next to each other.
#[derive(Clone, Debug)]
#[repr(align(128))]
pub(super) struct Entries {
    pub(super) expiries: Node,
    pub(super) timers: [u32; FAN_OUT],
    /// The place in the node above; of a root and of a free node, see [`Pool`](super::level::Pool).
    pub(super) above: u32,
}

impl Entries {
    pub(super) const EMPTY: Self =
        Self { expiries: Node::EMPTY, timers: [NONE; FAN_OUT], above: NONE };

    #[inline]
    pub(super) fn get(&self, offset: usize) -> Entry {
        Entry::new(self.expiries.0[offset], self.timers[offset])
    }

    #[inline]
    pub(super) fn set(&mut self, offset: usize, entry: Entry) {
        (self.expiries.0[offset], self.timers[offset]) = (entry.at(), entry.timer());
    }

    /// The earliest.
    #[inline]
    pub(super) fn first(&self) -> Entry {
        self.rival(FAN_OUT, self.expiries.least())
    }

    /// The earliest besides one, whose instant is known.
    #[inline]
    pub(super) fn rival(&self, offset: usize, at: Instant) -> Entry {
        let entries = self.expiries.0.iter().zip(self.timers).enumerate();
        let timer = entries.fold(NONE, |first, (other, (expiry, timer))| {
            let timer = select_unpredictable(other == offset, NONE, timer);
            first.min(select_unpredictable(*expiry == at, timer, NONE))
        });
        Entry::new(at, timer)
    }

    /// What follows for the earliest entry from a change of one, next to an earliest rival; none
    /// if it is the same as before.
    #[inline]
    pub(super) fn change(
        &self,
        offset: usize,
        rival: Instant,
        old: Entry,
        new: Entry,
    ) -> Option<Entry> {
        if rival < old.at().min(new.at()) {
            return None;
        }
        if new.at() < rival {
            return Some(new).filter(|new| *new != old);
        }
        // At one instant, the lower of two timers is the first.
        let rival = self.rival(offset, rival);
        let first = new.min(rival);
        Some(first).filter(|first| *first != old.min(rival))
    }
}
