//! The ready members of a supply: by urgency, or by turns.
//!
//! A member that takes turns has a key, too: it says which are ready.

use super::turns::{AnyTurns, Turns};
use super::{Key, ReadyQueue};
use vorrang_time::Duration;

/// The ready members, and the one that has its turn if members take turns.
#[derive(Clone, Debug)]
pub struct ReadyMembers {
    queue: ReadyQueue,
    turns: Option<AnyTurns>,
}

impl ReadyMembers {
    /// No ready member, of this many members.
    pub fn new(members: usize) -> Self {
        Self { queue: ReadyQueue::with_capacity(members), turns: None }
    }

    /// Resets it to the start: no member is ready, and none has had one of these turns.
    pub fn reset(&mut self, turns: Option<AnyTurns>) {
        self.queue.clear();
        self.turns = turns;
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

    /// The rest of the turn, if members take turns.
    #[inline]
    pub fn turn(&self) -> Option<Duration> {
        self.turns.as_ref().map(Turns::left)
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

    /// The member whose turn it is used this much of it; returns whether the turn is over.
    pub fn consume(&mut self, amount: Duration) -> bool {
        self.turns.as_mut().is_some_and(|turns| {
            turns.consume(amount);
            turns.current().is_none()
        })
    }

    /// After the events of an instant: the next turn begins if none goes on.
    #[inline]
    pub fn settle(&mut self) {
        if let Some(turns) = &mut self.turns {
            turns.settle();
        }
    }
}
