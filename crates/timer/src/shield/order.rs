//! Which levels there are, in the order of urgency.
//!
//! A level is known by its number, which it keeps, and has a place in the order, which others
//! push it along. Those that have lost their timers stay until there is no room.
//!
//! **Cost**, with l levels. `from`: constant if the urgencies of all levels are next to each other,
//! as the priorities of Linux are once each has had a timer; else a binary search.

use super::level::Level;
use crate::Urgency;
use alloc::vec::Vec;

/// The levels.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// By number.
    pub(super) levels: Vec<Level>,
    /// The numbers of the levels that there are, the least urgent first, then all others.
    pub(super) numbers: Vec<u32>,
    /// Of the levels that there are.
    pub(super) urgencies: Vec<Urgency>,
}

impl Order {
    /// Room for that many levels.
    pub(super) fn with_capacity(levels: u32) -> Self {
        Self {
            levels: alloc::vec![Level::empty(Urgency::MOST); levels as usize],
            numbers: (0..levels).collect(),
            urgencies: Vec::with_capacity(levels as usize),
        }
    }

    /// How many levels there are.
    pub(super) fn len(&self) -> usize {
        self.urgencies.len()
    }

    /// The place of the least urgent level that is at least as urgent.
    #[inline]
    pub(super) fn from(&self, urgency: Urgency) -> usize {
        let guess = self.urgencies.first().map_or(0, |least| urgency.above(*least));
        if self.urgencies.get(guess) == Some(&urgency) {
            return guess;
        }
        self.urgencies.partition_point(|other| urgency.is_more_urgent_than(*other))
    }

    /// The place of the level of an urgency, if there is one.
    #[inline]
    pub(super) fn find(&self, urgency: Urgency) -> Option<usize> {
        let place = self.from(urgency);
        (self.urgencies.get(place) == Some(&urgency)).then_some(place)
    }

    /// The level at a place, with its number.
    #[inline]
    pub(super) fn at(&mut self, place: usize) -> (u32, &mut Level) {
        let number = self.numbers[place];
        (number, &mut self.levels[number as usize])
    }

    /// Makes room for a level of another urgency; the first place that has changed.
    pub(super) fn insert(&mut self, urgency: Urgency) -> usize {
        let mut changed = usize::MAX;
        if self.len() == self.levels.len() {
            self.sweep();
            changed = 0;
        }
        let (used, place) = (self.len(), self.from(urgency));
        assert!(used < self.levels.len(), "more urgencies than the queue is made for");
        self.numbers[place..=used].rotate_right(1);
        self.urgencies.insert(place, urgency);
        *self.at(place).1 = Level::empty(urgency);
        changed.min(place)
    }

    /// Forgets the levels without timers.
    fn sweep(&mut self) {
        let levels = &self.levels;
        let rank = |number: &u32| {
            let level = &levels[*number as usize];
            (level.is_empty(), level.urgency)
        };
        self.numbers.sort_unstable_by_key(rank);
        let used = self.numbers.iter().map(|number| &levels[*number as usize]);
        let used = used.take_while(|level| !level.is_empty()).map(|level| level.urgency);
        self.urgencies.clear();
        self.urgencies.extend(used);
    }
}
