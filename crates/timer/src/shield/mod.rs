//! Timers that do not disturb what is more urgent: a queue per level of urgency.
//!
//! **Model.** A *level* is the timers of one urgency, with a [tree of minima](level) over their
//! expiries. Another one stands over the levels, in the order of urgency: the earliest timer at
//! least as urgent as what runs is the least of its last part.
//!
//! ```text
//!  firsts   [ 9  4  ∞  7 ]      by level, from the least urgent on
//!                 ├──────┤      at least as urgent as what runs: next event at 4
//! ```
//!
//! **Assumptions.**
//! 1. There are at most as many different urgencies at once as the queue was made for. A level
//!    that has lost its last timer makes room for another.
//!
//! **Cost**, with n timers and l levels: `arm`, `cancel`, `expire`: at most eight entries on each
//! of log₈ n tiers of the level and of log₈ l tiers above, and a binary search among the levels;
//! `next_event`: a binary search, and eight entries on each of log₈ l tiers; `rekey`, and `arm`
//! with another urgency than before: four times an `arm`. The first timer of a new urgency moves
//! the levels: l log₈ l, once. `urgency`, `expiry`: constant.
//! Memory: 16 bytes for each timer, 160 for each node (n/7 and at most one per tier of each
//! level), 42 for each level.
//!
//! Reference: P. Patel, M. Vanga, B. Brandenburg, `TimerShield`: Protecting High-Priority Tasks
//! from Low-Priority Timer Interference, RTAS 2017, section IV, with a red-black tree per priority.

mod level;

use crate::Urgency;
use crate::queue::{TimerQueue, Violation, require};
use crate::tournament::{Tournament, Value};
use alloc::vec::Vec;
use level::{Entry, Level, NONE, Pool};
use vorrang_time::Instant;

/// A queue per level of urgency.
#[derive(Clone, Debug)]
pub struct TimerShield {
    slots: Vec<Slot>,
    /// In the order of urgency, the least first; empty ones stay until there is no room.
    levels: Vec<(Urgency, Level)>,
    /// How many there may be.
    most_levels: usize,
    /// The earliest of each level, by its place in `levels`.
    firsts: Tournament<Entry>,
    pool: Pool,
}

/// What is known of a timer besides its entry.
#[derive(Clone, Copy, Debug)]
struct Slot {
    urgency: Urgency,
    /// Its place in the level of that urgency; [`NONE`] until it is armed.
    place: u32,
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
        let levels = levels.clamp(1, capacity.max(1));
        Self {
            slots: alloc::vec![Slot { urgency: Urgency::MOST, place: NONE }; capacity as usize],
            levels: Vec::with_capacity(levels as usize),
            most_levels: levels as usize,
            firsts: Tournament::with_capacity(levels as usize),
            pool: Pool::with_capacity(capacity, levels),
        }
    }

    /// The place of the least urgent level that is at least as urgent.
    #[inline]
    fn level_from(&self, urgency: Urgency) -> usize {
        self.levels.partition_point(|(other, _)| urgency.is_more_urgent_than(*other))
    }

    /// The level of an urgency, in which its timers are.
    #[inline]
    fn known_level(&self, urgency: Urgency) -> usize {
        let level = self.level_from(urgency);
        debug_assert_eq!(self.levels[level].0, urgency);
        level
    }

    /// The level of an urgency, which may be new.
    fn level(&mut self, urgency: Urgency) -> usize {
        let level = self.level_from(urgency);
        if self.levels.get(level).is_some_and(|(other, _)| *other == urgency) {
            return level;
        }
        let before = self.levels.len();
        if before == self.most_levels {
            self.levels.retain(|(_, level)| !level.is_empty());
        }
        assert!(self.levels.len() < self.most_levels, "more urgencies than the queue is made for");
        let level = self.level_from(urgency);
        self.levels.insert(level, (urgency, Level::EMPTY));
        for place in 0..before.max(self.levels.len()) {
            let level = self.levels.get(place);
            let first = level.map_or(Entry::NOTHING, |(_, level)| self.pool.first(level));
            self.firsts.set(place, first);
        }
        level
    }

    /// Changes when a timer that is in its level expires.
    #[inline]
    fn set(&mut self, timer: u32, at: Instant) {
        let Slot { urgency, place } = self.slots[timer as usize];
        if let Some(first) = self.pool.set(place, Entry { at, timer }) {
            let level = self.known_level(urgency);
            self.firsts.set(level, first);
        }
    }

    /// Moves a timer to another level, or puts it into its first.
    fn enter(&mut self, timer: u32, urgency: Urgency, at: Instant) {
        let Slot { urgency: old, place } = self.slots[timer as usize];
        if place != NONE {
            let level = self.known_level(old);
            let queue = &mut self.levels[level].1;
            if let Some(moved) = self.pool.leave(queue, place) {
                self.slots[moved as usize].place = place;
            }
            self.tell(level);
        }
        let level = self.level(urgency);
        let place = self.pool.join(&mut self.levels[level].1, Entry { at, timer });
        self.slots[timer as usize] = Slot { urgency, place };
        self.tell(level);
    }

    /// Brings what is known of a level's earliest timer up to date.
    fn tell(&mut self, level: usize) {
        let first = self.pool.first(&self.levels[level].1);
        self.firsts.set(level, first);
    }

    /// The earliest timer at least as urgent.
    #[inline]
    fn first(&self, running: Urgency) -> Option<Entry> {
        let first = self.firsts.first_from(self.level_from(running));
        Some(first).filter(|first| first.at != Instant::NEVER)
    }
}

impl TimerQueue for TimerShield {
    fn shields(&self) -> bool {
        true
    }

    fn capacity(&self) -> u32 {
        u32::try_from(self.slots.len()).expect("it was made from such a number")
    }

    fn arm(&mut self, timer: u32, at: Instant, urgency: Urgency) {
        let slot = self.slots[timer as usize];
        if slot.place != NONE && slot.urgency == urgency {
            self.set(timer, at);
        } else {
            self.enter(timer, urgency, at);
        }
        debug_assert_eq!(self.check(), Ok(()));
    }

    fn cancel(&mut self, timer: u32) -> bool {
        let pending = self.expiry(timer).is_some();
        if pending {
            self.set(timer, Instant::NEVER);
        }
        debug_assert_eq!(self.check(), Ok(()));
        pending
    }

    fn rekey(&mut self, timer: u32, urgency: Urgency) {
        let slot = &mut self.slots[timer as usize];
        if slot.place == NONE {
            slot.urgency = urgency;
        } else if slot.urgency != urgency {
            let at = self.pool.entry(slot.place).at;
            self.enter(timer, urgency, at);
        }
        debug_assert_eq!(self.check(), Ok(()));
    }

    fn urgency(&self, timer: u32) -> Urgency {
        self.slots[timer as usize].urgency
    }

    fn expiry(&self, timer: u32) -> Option<Instant> {
        let place = self.slots[timer as usize].place;
        let at = if place == NONE { Instant::NEVER } else { self.pool.entry(place).at };
        Some(at).filter(|at| *at != Instant::NEVER)
    }

    fn expire(&mut self, now: Instant, running: Urgency) -> Option<u32> {
        let first = self.first(running).filter(|first| first.at <= now)?;
        self.set(first.timer, Instant::NEVER);
        debug_assert_eq!(self.check(), Ok(()));
        Some(first.timer)
    }

    fn next_event(&self, running: Urgency) -> Option<Instant> {
        self.first(running).map(|first| first.at)
    }

    fn check(&self) -> Result<(), Violation> {
        let levels = &self.levels;
        require(levels.is_sorted_by(|a, b| a.0 < b.0), "levels are out of order")?;
        require(levels.len() <= self.most_levels, "there are more levels than room")?;
        require(self.firsts.is_tournament(), "a minimum is not the least of its node")?;
        let (mut nodes, mut members) = (0, 0);
        for (place, (urgency, level)) in levels.iter().enumerate() {
            let first = self.pool.first(level);
            require(self.firsts.get(place) == first, "a level's earliest timer is another")?;
            members += level.members();
            nodes += self.pool.check(level, &mut |timer, place| {
                let slot = self.slots.get(timer as usize);
                require(
                    slot.is_some_and(|slot| slot.place == place && slot.urgency == *urgency),
                    "a timer is elsewhere than its slot says",
                )
            })?;
        }
        let in_levels = self.slots.iter().filter(|slot| slot.place != NONE).count();
        require(members as usize == in_levels, "a timer is in no level")?;
        require(nodes + self.pool.free() == self.pool.nodes(), "a node is lost")
    }
}
