//! What happens next: the pending instant of every entity of a core.
//!
//! ```text
//!            min                 a tree of minima over one leaf per entity;
//!        min     min             the leaves stand in the order in which simultaneous
//!      s0  s1  i0  t0 …          events are handled: servers, interrupts, tasks
//! ```
//!
//! The first leaf of the least instant is therefore the least `(instant, class, declaration)`.
//! Cost: setting one and finding the first take log2 of the number of entities; nothing is
//! allocated after the start.

use vorrang_time::Instant;

/// The next instant of each entity.
#[derive(Clone, Debug)]
pub(crate) struct Timers {
    /// Heap order: the children of `i` are `2i` and `2i + 1`; the leaves are the last half.
    least: Vec<Instant>,
}

impl Timers {
    /// None pending.
    pub(crate) fn new(entities: usize) -> Self {
        Self { least: vec![Instant::NEVER; 2 * entities.next_power_of_two()] }
    }

    /// The earliest instant.
    #[inline]
    pub(crate) fn first(&self) -> Instant {
        self.least[1]
    }

    /// The first entity of the earliest instant.
    #[inline]
    pub(crate) fn first_entity(&self) -> usize {
        let leaves = self.least.len() / 2;
        let first = self.least[1];
        let mut place = 1;
        while place < leaves {
            place *= 2;
            place += usize::from(self.least[place] != first);
        }
        place - leaves
    }

    /// Sets the next instant of an entity.
    #[inline]
    pub(crate) fn set(&mut self, entity: usize, at: Instant) {
        let mut place = self.least.len() / 2 + entity;
        self.least[place] = at;
        while place > 1 {
            let least = self.least[place].min(self.least[place ^ 1]);
            place /= 2;
            if self.least[place] == least {
                return;
            }
            self.least[place] = least;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simultaneous_entities_come_in_their_order() {
        for entities in 1..9 {
            let mut timers = Timers::new(entities);
            for entity in (0..entities).rev() {
                timers.set(entity, Instant::from_ns(5));
            }
            for entity in 0..entities {
                assert_eq!((timers.first(), timers.first_entity()), (Instant::from_ns(5), entity));
                timers.set(entity, Instant::from_ns(9));
            }
            assert_eq!(timers.first(), Instant::from_ns(9));
        }
    }

    #[test]
    fn the_earliest_is_first_whatever_the_order_of_setting() {
        let mut timers = Timers::new(5);
        for (entity, at) in [(3, 7), (1, 9), (4, 2), (0, 8), (4, 20)] {
            timers.set(entity, Instant::from_ns(at));
        }
        assert_eq!((timers.first(), timers.first_entity()), (Instant::from_ns(7), 3));
    }
}
