//! The earliest of eight entries, and of those behind one of them.
//!
//! ```text
//!                    0                     inner entries, each the earlier of the two below it
//!            1               2
//!        3       4       5       6
//!      0   1   2   3   4   5   6   7       places
//! ```
//!
//! **Cost.** `set`: one comparison on each of three tiers, all of them, so that nothing depends on
//! where a change ends; `after`: at most one on each. Memory: 256 bytes.

use super::entry::Entry;

/// Entries of a block.
pub(super) const WIDTH: usize = 8;
/// The inner entry over the first pair.
const PAIRS: usize = WIDTH / 2 - 1;

/// Eight entries and a tree of minima over them.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Block {
    /// The place in the block above; of a free block, the next one.
    pub(super) above: u32,
    inner: [Entry; WIDTH - 1],
    places: [Entry; WIDTH],
}

impl Block {
    /// A block of nothing below a place.
    pub(super) const fn below(above: u32) -> Self {
        Self { above, inner: [Entry::NOTHING; WIDTH - 1], places: [Entry::NOTHING; WIDTH] }
    }

    #[inline]
    pub(super) fn get(&self, offset: usize) -> Entry {
        self.places[offset]
    }

    /// The earliest.
    #[inline]
    pub(super) fn first(&self) -> Entry {
        self.inner[0]
    }

    /// Changes an entry; the earliest, unless it is the same as before.
    #[inline]
    pub(super) fn set(&mut self, offset: usize, entry: Entry) -> Option<Entry> {
        let offset = offset % WIDTH;
        let (pair, half) = (offset / 2, offset / 4);
        self.places[offset] = entry;
        let of_pair = entry.min(self.places[offset ^ 1]);
        self.inner[PAIRS + pair] = of_pair;
        let of_half = of_pair.min(self.inner[PAIRS + (pair ^ 1)]);
        self.inner[1 + half] = of_half;
        let first = of_half.min(self.inner[1 + (half ^ 1)]);
        let before = core::mem::replace(&mut self.inner[0], first);
        (first != before).then_some(first)
    }

    /// The earliest of those behind an entry.
    #[inline]
    pub(super) fn after(&self, offset: usize) -> Entry {
        let (pair, half) = (offset / 2, offset / 4);
        let behind = |is_left: bool, other| if is_left { other } else { Entry::NOTHING };
        let next = behind(offset % 2 < 1, self.places[offset ^ 1]);
        let next_pair = behind(pair % 2 < 1, self.inner[PAIRS + (pair ^ 1)]);
        let next_half = behind(half < 1, self.inner[2]);
        next.min(next_pair).min(next_half)
    }

    /// Whether every inner entry is the earlier of the two below it.
    pub(super) fn is_tournament(&self) -> bool {
        let below = |node: usize| {
            if node < WIDTH - 1 { self.inner[node] } else { self.places[node - (WIDTH - 1)] }
        };
        let earlier = |node: usize| below(2 * node + 1).min(below(2 * node + 2));
        (0..WIDTH - 1).all(|node| self.inner[node] == earlier(node))
    }
}
