//! Which of the ready members of a supply runs.
//!
//! Every scheduler here orders the ready members by a [`Key`] that it computes when a member
//! becomes ready or changes; the least key runs. One queue serves all of them.

pub mod edf;
pub mod fixed_priority;
mod heap;
pub mod linux;
pub mod slots;
pub mod turns;

use alloc::vec::Vec;
use heap::Heap;
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
///   few members    [ least urgent … … most urgent ]
///                                      ^ runs: what preempts it is pushed at the end
///   many           a heap, see `heap.rs`
/// ```
///
/// Cost: the first is found in constant time. Among few members insertion and removal move the
/// entries that are more urgent, usually none; among many they take logarithmic time.
#[derive(Clone, Debug)]
pub struct ReadyQueue {
    entries: Entries,
}

/// Most members of a supply whose ready ones are kept in a sorted list. Up to there moving entries
/// takes no longer than a heap does, whichever member it is.
const FEW: usize = 128;

#[derive(Clone, Debug)]
enum Entries {
    /// In the order of urgency, the first to run at the end.
    Few(Vec<Key>),
    Many(Heap<Key>),
}

impl ReadyQueue {
    /// An empty queue for members declared before place `members`.
    pub fn with_capacity(members: usize) -> Self {
        let entries = if members <= FEW {
            Entries::Few(Vec::with_capacity(members))
        } else {
            Entries::Many(Heap::of(members))
        };
        Self { entries }
    }

    /// Removes all.
    pub fn clear(&mut self) {
        match &mut self.entries {
            Entries::Few(keys) => keys.clear(),
            Entries::Many(keys) => keys.clear(),
        }
    }

    /// Whether no member is ready.
    #[inline]
    pub fn is_empty(&self) -> bool {
        match &self.entries {
            Entries::Few(keys) => keys.is_empty(),
            Entries::Many(keys) => keys.is_empty(),
        }
    }

    /// The most urgent member's key.
    #[inline]
    pub fn first(&self) -> Option<Key> {
        match &self.entries {
            Entries::Few(keys) => keys.last().copied(),
            Entries::Many(keys) => keys.first().map(|(key, _)| key),
        }
    }

    /// Puts in a member that is not in.
    #[inline]
    pub fn insert(&mut self, key: Key) {
        match &mut self.entries {
            Entries::Few(keys) => {
                debug_assert!(keys.iter().all(|other| other.declared != key.declared));
                let place = keys.iter().rposition(|other| *other > key);
                keys.insert(place.map_or(0, |place| place + 1), key);
            }
            Entries::Many(keys) => keys.insert(key.declared, key),
        }
    }

    /// Takes out a member that is in.
    #[inline]
    pub fn remove(&mut self, member: u32) {
        match &mut self.entries {
            Entries::Few(keys) => {
                let place = keys.iter().rposition(|key| key.declared == member);
                keys.remove(place.expect("the member is in the queue"));
            }
            Entries::Many(keys) => keys.remove(member),
        }
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
