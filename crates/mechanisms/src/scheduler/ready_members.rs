//! The ready members of a supply: by urgency, equal ones perhaps by time slices, or by turns.
//!
//! A member that takes turns has a key, too: it says which are ready.

use super::turns::{AnyTurns, Turns};
use super::{Key, ReadyQueue, TimeSlices};
use vorrang_time::{Duration, Instant};

/// The ready members, and the one that has its turn if members take turns.
#[derive(Clone, Debug)]
pub struct ReadyMembers {
    queue: ReadyQueue,
    turns: Option<AnyTurns>,
    slices: Option<TimeSlices>,
}

impl ReadyMembers {
    /// No ready member, of this many members.
    pub fn new(members: usize) -> Self {
        Self { queue: ReadyQueue::with_capacity(members), turns: None, slices: None }
    }

    /// Resets it to the start: no member is ready, and none has had one of these turns.
    pub fn reset(&mut self, turns: Option<AnyTurns>) {
        self.queue.clear();
        self.turns = turns;
        self.slices = None;
    }

    /// Gives members of equal priority these slices from now on; of a supply without turns.
    pub fn slice(&mut self, slices: TimeSlices) {
        debug_assert!(self.turns.is_none(), "equals take slices where priority decides");
        self.slices = Some(slices);
    }

    /// Whether no member is ready.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// The most urgent key.
    #[inline]
    pub fn first(&self) -> Option<Key> {
        self.queue.first()
    }

    /// The member that runs when the supply has time.
    #[inline]
    pub fn chosen(&self) -> Option<u32> {
        match &self.turns {
            None => self.queue.first().map(Key::member),
            Some(turns) => turns.current(),
        }
    }

    /// The rest of the turn, if members take turns, or of the slice of the member that runs, if it has one.
    #[inline]
    pub fn turn(&self) -> Option<Duration> {
        match (&self.turns, &self.slices) {
            (Some(turns), _) => Some(turns.left()),
            (None, Some(slices)) => slices.left(self.queue.first()?),
            (None, None) => None,
        }
    }

    /// Puts in a member that is not in.
    #[inline]
    pub fn insert(&mut self, key: Key) {
        self.queue.insert(key);
        if let Some(turns) = &mut self.turns {
            turns.join(key.member());
        }
    }

    /// Takes out a member that is in.
    #[inline]
    pub fn remove(&mut self, member: u32) {
        self.queue.remove(member);
        if let Some(turns) = &mut self.turns {
            turns.leave(member);
        }
    }

    /// The member whose turn it is used this much of it, all of it up to `now`; returns whether another one
    /// may be chosen: its turn is over, or it has gone behind an equal.
    pub fn consume(&mut self, now: Instant, amount: Duration) -> bool {
        if let Some(turns) = &mut self.turns {
            turns.consume(amount);
            return turns.current().is_none();
        }
        let (Some(slices), Some(key)) = (&mut self.slices, self.queue.first()) else {
            return false;
        };
        if !slices.consume(key, amount) {
            return false;
        }
        self.queue.remove(key.member());
        self.queue.insert(key.behind_equals(now));
        self.chosen() != Some(key.member())
    }

    /// After the events of an instant: the next turn begins if none goes on.
    #[inline]
    pub fn settle(&mut self) {
        if let Some(turns) = &mut self.turns {
            turns.settle();
        }
    }
}
