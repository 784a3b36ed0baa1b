//! Timers that do not disturb what is more urgent: a queue per level of urgency.
//!
//! **Model.** A *level* is the timers of one urgency, with a tree of minima (`level.rs`) over their
//! expiries. Another one (`firsts.rs`) stands over the levels in the order of urgency: the next
//! event is the earliest of those at least as urgent as what runs.
//!
//! ```text
//!  firsts   [ 9  4  ∞  7 ]      by level, from the least urgent on
//!                ├───────┤      at least as urgent as what runs: next event at 4
//! ```
//!
//! **Assumptions.**
//! 1. There are at most as many different urgencies at once as the queue was made for. A level
//!    that has lost its last timer makes room for another.
//!
//! **Cost**, with n timers and l levels. A *step* is eight entries on each of log₈ n tiers, and two
//! on each of log₂ l.
//!
//! | | at most |
//! |---|---|
//! | `arm` with the urgency that the timer had, `cancel` | one step |
//! | `expire` | one step and a `next_event` |
//! | `next_event` | two entries on each of log₂ l tiers, and a binary search among l urgencies |
//! | `arm` with another urgency, `rekey` | four steps, and two such searches |
//! | the same, if no timer has had that urgency | l log₂ l more: the levels move |
//! | `urgency`, `expiry` | constant |
//!
//! Memory: 12 bytes for each timer, 52 for each level, and 160 for each node. There are n/7 nodes,
//! and for each level one more on each tier that it reaches: for a million timers of 140 urgencies
//! 35 bytes a timer in all; if all may be different, 270.
//!
//! Reference: P. Patel, M. Vanga, B. Brandenburg, `TimerShield`: Protecting High-Priority Tasks
//! from Low-Priority Timer Interference, RTAS 2017, section IV, with a red-black tree per priority.

mod entry;
mod firsts;
mod level;

use crate::Urgency;
use crate::queue::{TimerQueue, Violation, require};
use alloc::vec::Vec;
use entry::Entry;
use firsts::Firsts;
use level::{Level, NONE, Pool};
use vorrang_time::Instant;

/// A queue per level of urgency.
#[derive(Clone, Debug)]
pub struct TimerShield {
    /// By timer.
    owners: Vec<Urgency>,
    /// By timer: its place in the level of that urgency; [`NONE`] until it is armed.
    places: Vec<u32>,
    /// Of the levels, the least urgent first; empty ones stay until there is no room.
    urgencies: Vec<Urgency>,
    levels: Vec<Level>,
    /// How many there may be.
    most_levels: usize,
    /// The earliest of each level, by its place in `levels`.
    firsts: Firsts,
    pool: Pool,
}

/// A level as its root knows it.
#[inline]
fn number(level: usize) -> u32 {
    u32::try_from(level).expect("as many levels as a `u32` counts")
}

impl TimerShield {
    /// A queue for the timers `0..capacity`, none of them pending, each possibly of another
    /// urgency. Allocates, and never again.
    pub fn with_capacity(capacity: u32) -> Self {
        Self::with_levels(capacity, capacity)
    }

    /// The same with room for `levels` different urgencies at once.
    ///
    /// A timer counts until it is armed or re-keyed with another urgency, pending or not.
    ///
    /// # Panics
    /// [`TimerQueue::arm`] and [`TimerQueue::rekey`] panic if there are more.
    pub fn with_levels(capacity: u32, levels: u32) -> Self {
        let levels = levels.max(1);
        Self {
            owners: alloc::vec![Urgency::MOST; capacity as usize],
            places: alloc::vec![NONE; capacity as usize],
            urgencies: Vec::with_capacity(levels as usize),
            levels: Vec::with_capacity(levels as usize),
            most_levels: levels as usize,
            firsts: Firsts::new(levels as usize),
            pool: Pool::with_capacity(capacity, levels),
        }
    }

    /// The number of the least urgent level that is at least as urgent.
    #[inline]
    fn level_from(&self, urgency: Urgency) -> usize {
        self.urgencies.partition_point(|other| urgency.is_more_urgent_than(*other))
    }

    /// The number of the level of an urgency, which may be new.
    fn level(&mut self, urgency: Urgency) -> usize {
        let level = self.level_from(urgency);
        if self.urgencies.get(level) == Some(&urgency) {
            return level;
        }
        let before = self.levels.len();
        if before == self.most_levels {
            let levels = &self.levels;
            let mut each = levels.iter();
            self.urgencies.retain(|_| each.next().is_some_and(|level| !level.is_empty()));
            self.levels.retain(|level| !level.is_empty());
        }
        assert!(self.levels.len() < self.most_levels, "more urgencies than the queue is made for");
        let level = self.level_from(urgency);
        self.urgencies.insert(level, urgency);
        self.levels.insert(level, Level::EMPTY);
        (0..before.max(self.levels.len())).for_each(|level| self.tell(level));
        level
    }

    /// Changes when a timer that is in its level expires.
    #[inline]
    fn set(&mut self, place: u32, at: Instant) {
        if let Some((level, first)) = self.pool.set(place, at) {
            self.firsts.set(level as usize, first);
        }
    }

    /// Moves a timer to another level, or puts it into its first.
    fn enter(&mut self, timer: u32, urgency: Urgency, at: Instant) {
        let place = self.places[timer as usize];
        if place != NONE {
            let level = self.pool.level_of(place);
            let (moved, first) = self.pool.leave(&mut self.levels[level], place);
            if let Some(moved) = moved {
                self.places[moved as usize] = place;
            }
            self.set_first(level, first);
        }
        let level = self.level(urgency);
        let queue = &mut self.levels[level];
        let (place, first) = self.pool.join(queue, number(level), Entry::new(at, timer));
        self.set_first(level, first);
        self.owners[timer as usize] = urgency;
        self.places[timer as usize] = place;
    }

    #[inline]
    fn set_first(&mut self, level: usize, first: Option<Entry>) {
        if let Some(first) = first {
            self.firsts.set(level, first);
        }
    }

    /// Brings what is known of a level besides its timers up to date: the number at its root and
    /// its earliest timer.
    fn tell(&mut self, level: usize) {
        let first = self.levels.get(level).map_or(Entry::NOTHING, |queue| {
            self.pool.number(queue, number(level));
            self.pool.first(queue)
        });
        self.firsts.set(level, first);
    }

    /// The earliest timer at least as urgent.
    #[inline]
    fn first(&self, running: Urgency) -> Option<Entry> {
        // On an idle core every level counts.
        let from = if running == Urgency::LEAST { 0 } else { self.level_from(running) };
        let first = self.firsts.from(from);
        Some(first).filter(|first| first.at() != Instant::NEVER)
    }
}

impl TimerQueue for TimerShield {
    fn shields(&self) -> bool {
        true
    }

    fn capacity(&self) -> u32 {
        u32::try_from(self.owners.len()).expect("it was made from such a number")
    }

    fn arm(&mut self, timer: u32, at: Instant, urgency: Urgency) {
        let place = self.places[timer as usize];
        if place != NONE && self.owners[timer as usize] == urgency {
            self.set(place, at);
        } else {
            self.enter(timer, urgency, at);
        }
        debug_assert_eq!(self.check(), Ok(()));
    }

    fn cancel(&mut self, timer: u32) -> bool {
        let pending = self.expiry(timer).is_some();
        if pending {
            self.set(self.places[timer as usize], Instant::NEVER);
        }
        debug_assert_eq!(self.check(), Ok(()));
        pending
    }

    fn rekey(&mut self, timer: u32, urgency: Urgency) {
        let place = self.places[timer as usize];
        if place == NONE {
            self.owners[timer as usize] = urgency;
        } else if self.owners[timer as usize] != urgency {
            let at = self.pool.expiry(place);
            self.enter(timer, urgency, at);
        }
        debug_assert_eq!(self.check(), Ok(()));
    }

    fn urgency(&self, timer: u32) -> Urgency {
        self.owners[timer as usize]
    }

    fn expiry(&self, timer: u32) -> Option<Instant> {
        let place = self.places[timer as usize];
        let at = if place == NONE { Instant::NEVER } else { self.pool.expiry(place) };
        Some(at).filter(|at| *at != Instant::NEVER)
    }

    fn expire(&mut self, now: Instant, running: Urgency) -> Option<u32> {
        let first = self.first(running).filter(|first| first.at() <= now)?;
        let timer = first.timer();
        self.set(self.places[timer as usize], Instant::NEVER);
        debug_assert_eq!(self.check(), Ok(()));
        Some(timer)
    }

    fn next_event(&self, running: Urgency) -> Option<Instant> {
        self.first(running).map(Entry::at)
    }

    fn check(&self) -> Result<(), Violation> {
        let Self { owners, places, urgencies, levels, .. } = self;
        require(urgencies.is_sorted_by(|a, b| a < b), "levels are out of order")?;
        require(urgencies.len() == levels.len(), "a level has no urgency")?;
        require(levels.len() <= self.most_levels, "there are more levels than room")?;
        require(self.firsts.are_minima(), "an earliest timer is not the earlier of two")?;
        let (mut nodes, mut members) = (0, 0);
        for (number, (urgency, level)) in (0..).zip(urgencies.iter().zip(levels)) {
            let first = self.pool.first(level);
            require(self.firsts.get(number as usize) == first, "another timer is the earliest")?;
            members += level.members();
            nodes += self.pool.check(level, number, &mut |timer, place| {
                let timer = timer as usize;
                require(
                    places.get(timer) == Some(&place) && owners.get(timer) == Some(urgency),
                    "a timer is elsewhere than its place says",
                )
            })?;
        }
        let in_levels = places.iter().filter(|place| **place != NONE).count();
        require(members as usize == in_levels, "a timer is in no level")?;
        require(nodes + self.pool.free() == self.pool.nodes(), "a node is lost")
    }
}
