//! A binary heap that knows where each timer stands, and so cancels at once, as `BinaryHeap` cannot.
//!
//! Ways up and down move the entries in between into the gap, as that of the standard library.

use crate::exact::{Exact, armed, count};

pub(crate) struct IndexedHeap {
    entries: Vec<(u64, u32)>,
    /// By timer, while it is pending.
    places: Vec<u32>,
}

impl IndexedHeap {
    pub(crate) fn new(expiries: &[u64]) -> Self {
        let entries = Vec::with_capacity(expiries.len());
        armed(Self { entries, places: vec![0; expiries.len()] }, expiries)
    }

    fn put(&mut self, place: usize, entry: (u64, u32)) {
        self.entries[place] = entry;
        self.places[entry.1 as usize] = count(&self.entries[..place]);
    }

    /// Fills a gap, or one further up, with an entry.
    fn fill_up(&mut self, mut gap: usize, entry: (u64, u32)) {
        while gap > 0 && entry < self.entries[(gap - 1) / 2] {
            self.put(gap, self.entries[(gap - 1) / 2]);
            gap = (gap - 1) / 2;
        }
        self.put(gap, entry);
    }

    /// Takes out the entry at a place; the last one stands in for it.
    fn remove(&mut self, mut gap: usize) -> (u64, u32) {
        let removed = self.entries[gap];
        let last = self.entries.pop().expect("there is one");
        // Down to the end by the earlier side, and up again from there: the last is seldom early.
        while 2 * gap + 1 < self.entries.len() {
            let mut below = 2 * gap + 1;
            if let [one, other] = self.entries[below..][..2.min(self.entries.len() - below)] {
                below += usize::from(other < one);
            }
            self.put(gap, self.entries[below]);
            gap = below;
        }
        if gap < self.entries.len() {
            self.fill_up(gap, last);
        }
        removed
    }
}

impl Exact for IndexedHeap {
    fn arm(&mut self, timer: u32, at: u64) {
        self.entries.push((at, timer));
        self.fill_up(self.entries.len() - 1, (at, timer));
    }

    fn cancel(&mut self, timer: u32) {
        self.remove(self.places[timer as usize] as usize);
    }

    fn pop(&mut self) -> (u64, u32) {
        self.remove(0)
    }

    fn first(&mut self) -> u64 {
        self.entries[0].0
    }
}
