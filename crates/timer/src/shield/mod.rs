//! Timers that do not disturb what is more urgent: a queue per level of urgency.
//!
//! **Model.** A *level* is the timers of one urgency. All levels are branches of one tree of minima
//! (`tree.rs`), in the order of urgency: the next event is the earliest of those at least as urgent
//! as what runs.
//!
//! ```text
//!  levels   [ 9  4  ∞  7 ]      the earliest of each, from the least urgent on
//!                ├───────┤      at least as urgent as what runs: next event at 4
//! ```
//!
//! **Assumptions.**
//! 1. There are at most as many different urgencies at once as the queue was made for. A level
//!    that has lost its last timer makes room for another.
//!
//! **Cost**, with l levels, of which that of the timer has m timers. A *step* compares fourteen
//! expiries, and three entries in each of log₈ (m/14) + log₈ l blocks (six for a million timers in
//! 140 levels); most end in the first block or before.
//!
//! | | at most |
//! |---|---|
//! | `arm` with the urgency that the timer had, `cancel` | one step |
//! | `expire` | one step and a `next_event` |
//! | `next_event` | three entries in each of log₈ l blocks, and a binary search among l urgencies; on an idle core, one entry |
//! | `arm` with another urgency, `rekey` | three steps, log₈ (m/14) nodes of a level that grows or shrinks, and such a search |
//! | the same, if no timer has had that urgency | l log l more: the levels move |
//! | `urgency`, `expiry` | constant |
//!
//! Memory: 4 bytes for each timer, 44 for each level, 192 for each bucket of fourteen timers and 288 for
//! each block of eight buckets, blocks or levels: for a million timers of 140 urgencies 21 bytes a
//! timer in all; if all may be different, 306.
//!
//! Reference: P. Patel, M. Vanga, B. Brandenburg, `TimerShield`: Protecting High-Priority Tasks
//! from Low-Priority Timer Interference, RTAS 2017, section IV, with a red-black tree per priority.

mod block;
mod bucket;
mod check;
mod entry;
mod level;
mod order;
mod tree;

use crate::Urgency;
use crate::queue::{TimerQueue, Violation, require};
use alloc::vec::Vec;
use check::Nodes;
use entry::Entry;
use order::Order;
use tree::{NONE, Tree, in_crown};
use vorrang_time::Instant;

/// A queue per level of urgency.
#[derive(Clone, Debug)]
pub struct TimerShield {
    /// By timer: its place in the level of its urgency; [`NONE`] until it is armed or re-keyed.
    places: Vec<u32>,
    order: Order,
    tree: Tree,
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
            places: alloc::vec![NONE; capacity as usize],
            order: Order::with_capacity(levels),
            tree: Tree::with_capacity(capacity, levels),
        }
    }

    /// Moves a timer to another level, or puts it into its first.
    fn enter(&mut self, timer: u32, urgency: Urgency, at: Instant) {
        let place = core::mem::replace(&mut self.places[timer as usize], NONE);
        if place != NONE {
            let level = &mut self.order.levels[self.tree.level_of(place) as usize];
            if let Some(moved) = self.tree.leave(level, place) {
                self.places[moved as usize] = place;
            }
        }
        let found = self.order.find(urgency);
        let above = found.unwrap_or_else(|| self.insert(urgency));
        let (number, level) = self.order.at(above);
        let place = self.tree.join(level, in_crown(above), (number, timer), at);
        self.places[timer as usize] = place;
    }

    /// Makes room for a level; its place.
    #[cold]
    fn insert(&mut self, urgency: Urgency) -> usize {
        let before = self.order.len();
        let changed = self.order.insert(urgency);
        for place in changed..before.max(self.order.len()) {
            let above = in_crown(place);
            let mut first = Entry::NOTHING;
            if place < self.order.len() {
                let (_, level) = self.order.at(place);
                first = self.tree.first_of(level);
                if !level.is_empty() {
                    *self.tree.above(level.root, level.tiers) = above;
                }
            }
            self.tree.tell(above, first);
        }
        self.order.from(urgency)
    }

    /// The urgency of the level that a place is in.
    #[inline]
    fn urgency_at(&self, place: u32) -> Urgency {
        self.order.levels[self.tree.level_of(place) as usize].urgency
    }

    /// The earliest timer at least as urgent.
    #[inline]
    fn first(&self, running: Urgency) -> Option<Entry> {
        let first = if running == Urgency::LEAST {
            // On an idle core every level counts.
            self.tree.first()
        } else {
            let place = self.order.from(running);
            if place == self.order.len() {
                return None;
            }
            self.tree.from(in_crown(place))
        };
        (first.at() != Instant::NEVER).then_some(first)
    }
}

impl TimerQueue for TimerShield {
    fn shields(&self) -> bool {
        true
    }

    fn capacity(&self) -> u32 {
        u32::try_from(self.places.len()).expect("it was made from such a number")
    }

    fn arm(&mut self, timer: u32, at: Instant, urgency: Urgency) {
        let place = self.places[timer as usize];
        if place != NONE && self.urgency_at(place) == urgency {
            self.tree.set(place, timer, at);
        } else {
            self.enter(timer, urgency, at);
        }
        debug_assert_eq!(self.check(), Ok(()));
    }

    fn cancel(&mut self, timer: u32) -> bool {
        let place = self.places[timer as usize];
        let before = if place == NONE {
            Instant::NEVER
        } else {
            self.tree.set(place, timer, Instant::NEVER)
        };
        debug_assert_eq!(self.check(), Ok(()));
        before != Instant::NEVER
    }

    fn rekey(&mut self, timer: u32, urgency: Urgency) {
        if self.urgency(timer) != urgency {
            let at = self.expiry(timer).unwrap_or(Instant::NEVER);
            self.enter(timer, urgency, at);
        }
        debug_assert_eq!(self.check(), Ok(()));
    }

    fn urgency(&self, timer: u32) -> Urgency {
        let place = self.places[timer as usize];
        if place == NONE { Urgency::MOST } else { self.urgency_at(place) }
    }

    fn expiry(&self, timer: u32) -> Option<Instant> {
        let place = self.places[timer as usize];
        let at = if place == NONE { Instant::NEVER } else { self.tree.expiry(place) };
        Some(at).filter(|at| *at != Instant::NEVER)
    }

    fn expire(&mut self, now: Instant, running: Urgency) -> Option<u32> {
        let first = self.first(running).filter(|first| first.at() <= now)?;
        self.tree.set(first.place(), first.timer(), Instant::NEVER);
        debug_assert_eq!(self.check(), Ok(()));
        Some(first.timer())
    }

    fn next_event(&self, running: Urgency) -> Option<Instant> {
        self.first(running).map(Entry::at)
    }

    fn check(&self) -> Result<(), Violation> {
        let Order { levels, numbers, urgencies } = &self.order;
        require(urgencies.is_sorted_by(|a, b| a < b), "levels are out of order")?;
        let (mut nodes, mut members) = (Nodes::default(), 0);
        for ((above, number), urgency) in (0..).map(in_crown).zip(numbers).zip(urgencies) {
            let level = &levels[*number as usize];
            require(level.urgency == *urgency, "a level has another urgency")?;
            nodes += self.tree.check_level(level, (*number, above), &mut |timer, place| {
                members += 1;
                let known = self.places.get(timer as usize) == Some(&place);
                require(known, "a timer is elsewhere than its place says")
            })?;
        }
        let in_levels = self.places.iter().filter(|place| **place != NONE).count();
        require(members == in_levels, "a timer is in no level")?;
        self.tree.check(nodes)
    }
}
