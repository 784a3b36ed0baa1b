//! The least of many values, each known by its member: a heap with the position of each member.
//!
//! ```text
//!                 2            every value is at most those below it;
//!       5     3      9    4    four below each, so a path is short and a level is one line
//!     8 6 7 5 …                of the cache
//! ```
//!
//! **Cost.** The least in constant time; a change moves along one path, so its steps are logarithmic in the
//! number of stored values, not of members. No allocation after the beginning.

use alloc::vec;
use alloc::vec::Vec;

/// Not in the heap.
const NOWHERE: u32 = u32::MAX;

/// How many are below each.
const ARITY: usize = 4;

/// Values by member, the least first; ties to the smaller member.
#[derive(Clone, Debug)]
pub(crate) struct Heap<T> {
    entries: Vec<(T, u32)>,
    /// Where in the heap a member is.
    places: Vec<u32>,
}

impl<T: Copy + Ord> Heap<T> {
    /// No values, of members below `members`.
    pub(crate) fn of(members: usize) -> Self {
        Self { entries: Vec::with_capacity(members), places: vec![NOWHERE; members] }
    }

    /// Whether no member has a value.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many members have a value.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The least value and its member.
    #[inline]
    pub(crate) fn first(&self) -> Option<(T, u32)> {
        self.entries.first().copied()
    }

    /// The value of a member.
    #[inline]
    pub(crate) fn get(&self, member: u32) -> Option<T> {
        self.entries.get(self.places[member as usize] as usize).map(|entry| entry.0)
    }

    /// Puts in a member that is not in.
    #[inline]
    pub(crate) fn insert(&mut self, member: u32, value: T) {
        debug_assert_eq!(self.places[member as usize], NOWHERE);
        self.entries.push((value, member));
        self.rise(self.entries.len() - 1, (value, member));
    }

    /// Takes out a member that is in.
    #[inline]
    pub(crate) fn remove(&mut self, member: u32) {
        let place = core::mem::replace(&mut self.places[member as usize], NOWHERE) as usize;
        let last = self.entries.pop().expect("the member is in the heap");
        if place < self.entries.len() {
            self.rise_or_sink(place, last);
        }
    }

    /// Gives a member that is in another value.
    #[inline]
    pub(crate) fn change(&mut self, member: u32, value: T) {
        self.rise_or_sink(self.places[member as usize] as usize, (value, member));
    }

    /// Takes out all values, in any order.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = T> {
        for &(_, member) in &self.entries {
            self.places[member as usize] = NOWHERE;
        }
        self.entries.drain(..).map(|entry| entry.0)
    }

    /// Removes all values.
    pub(crate) fn clear(&mut self) {
        drop(self.drain());
    }

    /// Puts an entry where another was.
    #[inline]
    fn rise_or_sink(&mut self, place: usize, entry: (T, u32)) {
        if place > 0 && entry < self.entries[(place - 1) / ARITY] {
            self.rise(place, entry);
        } else {
            self.sink(place, entry);
        }
    }

    /// Moves the entries above the hole at `place` down until the entry fits.
    fn rise(&mut self, mut place: usize, entry: (T, u32)) {
        while place > 0 {
            let above = (place - 1) / ARITY;
            if self.entries[above] <= entry {
                break;
            }
            self.put(place, self.entries[above]);
            place = above;
        }
        self.put(place, entry);
    }

    /// Moves the least of those below the hole at `place` up until the entry fits.
    fn sink(&mut self, mut place: usize, entry: (T, u32)) {
        loop {
            let first = ARITY * place + 1;
            let end = self.entries.len().min(first + ARITY);
            let least = (first..end).min_by_key(|&below| self.entries[below]);
            let Some(below) = least.filter(|&below| self.entries[below] < entry) else { break };
            self.put(place, self.entries[below]);
            place = below;
        }
        self.put(place, entry);
    }

    #[inline]
    fn put(&mut self, place: usize, entry: (T, u32)) {
        self.entries[place] = entry;
        self.places[entry.1 as usize] = u32::try_from(place).expect("a member has 32 bits");
    }
}
