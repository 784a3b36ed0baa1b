//! The least of many values, each known by a place: a tree of matches.
//!
//! ```text
//!            2              the place of the least below every inner node
//!        2       5
//!      0   2   5   6
//!     0 1 2 3 4 5 6 7       ties to the smaller place
//! ```
//!
//! **Cost.** The least in constant time; a change plays one match per level again, and stops where
//! the place that changed neither won nor wins. No allocation after the beginning.

use alloc::vec;
use alloc::vec::Vec;

/// No place.
const NOBODY: u32 = u32::MAX;

/// Values by place, with the place of the least.
#[derive(Clone, Debug)]
pub(crate) struct Minima<T> {
    values: Vec<Option<T>>,
    /// Winner by node: the root at 1, the children of `i` at `2i` and `2i + 1`, the places last.
    winners: Vec<u32>,
}

impl<T: Copy + Ord> Minima<T> {
    /// No values at places below `places`.
    pub(crate) fn of(places: usize) -> Self {
        let leaves = places.next_power_of_two().max(2);
        let mut winners = vec![NOBODY; leaves];
        winners.extend((0..NOBODY).take(places));
        winners.resize(2 * leaves, NOBODY);
        Self { values: vec![None; places], winners }
    }

    /// The value at a place.
    #[inline]
    pub(crate) fn get(&self, place: u32) -> Option<T> {
        self.value(place).copied()
    }

    /// The place of the least value, the smallest such.
    #[inline]
    pub(crate) fn first(&self) -> Option<u32> {
        Some(self.winners[1]).filter(|&winner| winner != NOBODY)
    }

    /// Sets or removes the value at a place.
    #[inline]
    pub(crate) fn set(&mut self, place: u32, value: Option<T>) {
        self.values[place as usize] = value;
        let leaves = self.winners.len() / 2;
        let mut node = (leaves + place as usize) >> 1;
        while node > 0 {
            let winner = self.winner(2 * node);
            if winner == self.winners[node] && winner != place {
                return;
            }
            self.winners[node] = winner;
            node >>= 1;
        }
    }

    /// Removes all values.
    pub(crate) fn clear(&mut self) {
        self.values.fill(None);
        let leaves = self.winners.len() / 2;
        self.winners[..leaves].fill(NOBODY);
    }

    /// The winner of a node and the one to its right.
    #[inline]
    fn winner(&self, node: usize) -> u32 {
        let (left, right) = (self.winners[node], self.winners[node + 1]);
        match (self.value(left), self.value(right)) {
            (None, None) => NOBODY,
            (Some(one), Some(other)) if other < one => right,
            (Some(_), _) => left,
            (None, Some(_)) => right,
        }
    }

    #[inline]
    fn value(&self, place: u32) -> Option<&T> {
        self.values.get(place as usize).and_then(Option::as_ref)
    }
}
