//! Which of the ready members of a supply runs.
//!
//! Every scheduler here orders the ready members by a [`Key`] that it computes when a member
//! becomes ready or changes; the least key runs. One queue serves all of them.

pub mod edf;
pub mod fixed_priority;
pub mod linux;
pub mod slots;

use alloc::vec::Vec;
use vorrang_time::Instant;

/// Place of a member among the ready ones; the least runs first. Made by [`fixed_priority::key`],
/// [`edf::key`] and [`slots::key`]; keys of different schedulers are never compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// What decides first: urgency or deadline.
    major: u64,
    /// What decides among equals: since when it is ready.
    minor: u64,
    /// What decides last: the place in the order of declaration.
    declared: u32,
}

/// The ready members of one supply, each known by its place in the order of declaration.
///
/// ```text
///   [ least urgent … … most urgent ]
///                      ^ runs: what preempts it is pushed at the end, what completes is popped
/// ```
///
/// Cost: the first is found in constant time; insertion and removal move the entries that are
/// more urgent, usually none.
#[derive(Clone, Debug, Default)]
pub struct ReadyQueue {
    entries: Vec<Key>,
}

impl ReadyQueue {
    /// An empty queue with room for `members`.
    pub fn with_capacity(members: usize) -> Self {
        Self { entries: Vec::with_capacity(members) }
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Whether no member is ready.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The most urgent member's key.
    #[inline]
    pub fn first(&self) -> Option<Key> {
        self.entries.last().copied()
    }

    /// Puts in a member that is not in.
    #[inline]
    pub fn insert(&mut self, key: Key) {
        debug_assert!(self.entries.iter().all(|entry| entry.declared != key.declared));
        let place =
            self.entries.iter().rposition(|entry| *entry > key).map_or(0, |place| place + 1);
        self.entries.insert(place, key);
    }

    /// Takes out a member that is in.
    #[inline]
    pub fn remove(&mut self, member: u32) {
        let place = self.entries.iter().rposition(|entry| entry.declared == member);
        self.entries.remove(place.expect("the member is in the queue"));
    }
}

impl Key {
    /// The key of a member that is served only when nobody else wants the time, under fixed
    /// priority and Linux: below every priority, the first that came to it first.
    #[inline]
    pub fn background(since: Instant, declared: u32) -> Self {
        Self { major: u64::MAX, minor: since.as_ns(), declared }
    }

    /// Whether it is one of those.
    #[inline]
    pub fn is_background(self) -> bool {
        self.major == u64::MAX
    }

    /// The member's place in the order of declaration.
    #[inline]
    pub fn member(self) -> u32 {
        self.declared
    }
}
