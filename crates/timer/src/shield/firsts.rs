//! The earliest timer of each level, and of all levels from one on.
//!
//! ```text
//!             1                  inner nodes 1..n, the earlier of their two
//!         2       3
//!       4   5   6   7            places n..2n, by level; the number of levels need not be a
//!                                power of two, since it does not matter which minimum comes first
//! ```
//!
//! **Cost**, with l levels: `set`, `from`: at most two entries on each of log₂ l tiers. Memory: 32
//! bytes for each level.

use super::entry::Entry;
use alloc::vec::Vec;

/// A tree of minima over a fixed number of levels.
#[derive(Clone, Debug)]
pub(super) struct Firsts {
    entries: Vec<Entry>,
}

impl Firsts {
    pub(super) fn new(levels: usize) -> Self {
        Self { entries: alloc::vec![Entry::NOTHING; 2 * levels] }
    }

    fn levels(&self) -> usize {
        self.entries.len() / 2
    }

    /// The earliest timer of a level.
    pub(super) fn get(&self, level: usize) -> Entry {
        self.entries[self.levels() + level]
    }

    /// Changes the earliest timer of a level.
    #[inline]
    pub(super) fn set(&mut self, level: usize, mut entry: Entry) {
        let mut place = self.levels() + level;
        while self.entries[place] != entry {
            self.entries[place] = entry;
            if place <= 1 {
                return;
            }
            entry = entry.min(self.entries[place ^ 1]);
            place /= 2;
        }
    }

    /// The earliest timer of the levels from one on.
    #[inline]
    pub(super) fn from(&self, level: usize) -> Entry {
        if level == 0 {
            return self.entries[1];
        }
        let (mut start, mut end) = (self.levels() + level, self.entries.len());
        let mut first = Entry::NOTHING;
        while start < end {
            // A right one stands for itself, a left one for its pair.
            if start % 2 == 1 {
                first = first.min(self.entries[start]);
                start += 1;
            }
            if end % 2 == 1 {
                end -= 1;
                first = first.min(self.entries[end]);
            }
            (start, end) = (start / 2, end / 2);
        }
        first
    }

    /// Whether every inner node is the earlier of its two.
    pub(super) fn are_minima(&self) -> bool {
        let earlier = |node: usize| self.entries[2 * node].min(self.entries[2 * node + 1]);
        (1..self.levels()).all(|node| self.entries[node] == earlier(node))
    }
}
