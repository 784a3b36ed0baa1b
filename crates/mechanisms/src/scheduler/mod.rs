//! Which of the ready members of a supply runs.
//!
//! Every scheduler here orders the ready members by a [`Key`] that it computes when a member
//! becomes ready or changes; the least key runs. One queue serves all of them.

pub mod edf;
pub mod fixed_priority;
mod heap;
pub mod linux;
mod ready_members;
pub mod slots;
mod time_slices;
pub mod turns;

pub use ready_members::ReadyMembers;
pub use time_slices::TimeSlices;

use alloc::vec::Vec;
use heap::Heap;
use vorrang_time::Instant;

/// Place of a member among the ready ones; the least runs first. Made by [`fixed_priority::key`],
/// [`edf::key`] and [`slots::key`]; keys of different schedulers are never compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The first criterion: urgency.
    major: u64,
    /// The second criterion: since when it is ready, or its deadline.
    minor: u64,
    /// The last criterion: the place in the order of declaration.
    declared: u32,
}

/// The ready members of one supply, each known by its place in the order of declaration.
///
/// ```text
///   few ready    [ least urgent … … most urgent ]
///                                    ^ runs: what preempts it is pushed at the end
///   many         a heap, see `heap.rs`; back to the list when few are left
/// ```
///
/// Cost: the first is found in constant time. Among few insertion and removal move the entries
/// that are more urgent, usually none; among many they take time logarithmic in how many are
/// ready. So do, on average, the moves between list and heap.
#[derive(Clone, Debug)]
pub struct ReadyQueue {
    /// In the order of urgency, the first to run at the end. Empty if there are many.
    few: Vec<Key>,
    /// Empty if there are few.
    many: Heap<Key>,
}

/// Most ready members that are kept in a list: up to there moving entries takes no longer than a
/// heap does, whichever member it is.
const FEW: usize = 128;

/// Least ready members that are kept in a heap; well below [`FEW`], so that moving all of them is
/// rare.
const MANY: usize = 32;

impl ReadyQueue {
    /// An empty queue for members declared before place `members`.
    pub fn with_capacity(members: usize) -> Self {
        let in_heap = if members > FEW { members } else { 0 };
        Self { few: Vec::with_capacity(members.min(FEW)), many: Heap::of(in_heap) }
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.few.clear();
        self.many.clear();
    }

    /// Whether no member is ready.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    /// The most urgent member's key.
    #[inline]
    pub fn first(&self) -> Option<Key> {
        self.few.last().copied().or_else(|| self.many.first().map(|(key, _)| key))
    }

    /// Puts in a member that is not in.
    #[inline]
    pub fn insert(&mut self, key: Key) {
        if self.many.is_empty() && self.few.len() < FEW {
            debug_assert!(self.few.iter().all(|other| other.declared != key.declared));
            let place = self.few.iter().rposition(|other| *other > key);
            self.few.insert(place.map_or(0, |place| place + 1), key);
        } else {
            self.insert_among_many(key);
        }
    }

    /// Takes out a member that is in.
    #[inline]
    pub fn remove(&mut self, member: u32) {
        if self.many.is_empty() {
            let place = self.few.iter().rposition(|key| key.declared == member);
            self.few.remove(place.expect("the member is in the queue"));
        } else {
            self.remove_from_many(member);
        }
    }

    // Few ready members are the usual case: what they need is short enough to be inlined.

    #[inline(never)]
    fn insert_among_many(&mut self, key: Key) {
        for key in self.few.drain(..).rev() {
            self.many.insert(key.declared, key);
        }
        self.many.insert(key.declared, key);
    }

    #[inline(never)]
    fn remove_from_many(&mut self, member: u32) {
        self.many.remove(member);
        if self.many.len() < MANY {
            self.few.extend(self.many.drain());
            self.few.sort_unstable_by(|one, other| other.cmp(one));
        }
    }
}

impl Key {
    /// The key of a member in the background, under fixed priority and Linux: below every priority, first
    /// come, first served.
    #[inline]
    pub fn background(since: Instant, declared: u32) -> Self {
        Self { major: u64::MAX, minor: since.as_ns(), declared }
    }

    /// Whether it is one of those.
    #[inline]
    pub fn is_background(self) -> bool {
        self.major == u64::MAX
    }

    /// The key of the same member that has just gone behind those of its priority.
    #[inline]
    #[must_use]
    pub fn behind_equals(self, now: Instant) -> Self {
        Self { minor: now.as_ns(), ..self }
    }

    /// The member's place in the order of declaration.
    #[inline]
    pub fn member(self) -> u32 {
        self.declared
    }
}
