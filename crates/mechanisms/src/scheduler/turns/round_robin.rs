//! Turns in a ring: one quantum each, or as many in a row as a member has shares.
//!
//! ```text
//!            whose turn it is or was last
//!            v
//!    … C ─ J ─ A ─ B ─ C …      J joins just before it: it comes last
//! ```
//!
//! If the one whose turn it is leaves, the place is kept by the one that came after it: that one is next, and
//! a member that joins goes just before it. Leaving forfeits the rest of a member's turns.
//!
//! **Invariant.** The ring is linked both ways; the place is a member of it, and only that member can have
//! the turn; no turn is longer than a quantum.
//!
//! **Cost.** Constant time; no allocation after the beginning.

use super::ring::Ring;
use super::{Joining, Turn, Turns, assert_invariant};
use crate::server::{Violation, require};
use alloc::vec;
use alloc::vec::Vec;
use vorrang_time::Duration;

/// State of a round-robin scheduler, plain or weighted.
#[derive(Clone, Debug)]
pub struct RoundRobin {
    quantum: Duration,
    /// Turns in a row, by member.
    shares: Vec<u32>,
    /// Whether shares have an effect.
    weighted: bool,
    ring: Ring,
    joining: Joining,
    place: Option<Place>,
    turn: Option<Turn>,
    /// Further turns in a row of the member at the place.
    more: u32,
}

/// The position in the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// It is, or was last, the turn of this member.
    At(u32),
    /// The one whose turn it was has left; this member came after it.
    Before(u32),
}

impl Place {
    fn member(self) -> u32 {
        match self {
            Self::At(member) | Self::Before(member) => member,
        }
    }
}

impl RoundRobin {
    /// One `quantum` each for `members` members.
    pub fn new(quantum: Duration, members: usize) -> Self {
        Self::of(quantum, vec![1; members], false)
    }

    /// As many quanta in a row for each member as it has shares.
    pub fn weighted(quantum: Duration, shares: &[u32]) -> Self {
        Self::of(quantum, shares.to_vec(), true)
    }

    fn of(quantum: Duration, shares: Vec<u32>, weighted: bool) -> Self {
        Self {
            quantum,
            ring: Ring::of(shares.len()),
            joining: Joining::with_capacity(shares.len()),
            shares,
            weighted,
            place: None,
            turn: None,
            more: 0,
        }
    }

    /// The member whose turn is next.
    fn next(&mut self) -> Option<u32> {
        match self.place? {
            Place::At(member) if self.more > 0 => {
                self.more -= 1;
                Some(member)
            }
            Place::At(member) => Some(self.begin(self.ring.after(member))),
            Place::Before(member) => Some(self.begin(member)),
        }
    }

    /// The first of the turns of a member in a row.
    fn begin(&mut self, member: u32) -> u32 {
        self.more = self.shares[member as usize] - 1;
        member
    }
}

impl Turns for RoundRobin {
    fn join(&mut self, member: u32) {
        self.joining.push(member);
    }

    fn leave(&mut self, member: u32) {
        assert_invariant(self);
        if self.joining.withdraw(member) {
            return;
        }
        let next = self.ring.remove(member);
        if let Some(place) = self.place.filter(|place| place.member() == member) {
            self.place = next.map(Place::Before);
            if place == Place::At(member) {
                self.turn = None;
            }
        }
        assert_invariant(self);
    }

    fn settle(&mut self) {
        assert_invariant(self);
        self.joining.sort();
        while let Some(member) = self.joining.pop() {
            self.ring.insert(member, self.place.map(Place::member));
            self.place = self.place.or(Some(Place::Before(member)));
        }
        if self.turn.is_none()
            && let Some(member) = self.next()
        {
            self.place = Some(Place::At(member));
            self.turn = Some(Turn { member, left: self.quantum });
        }
        assert_invariant(self);
    }

    #[inline]
    fn turn(&self) -> Option<Turn> {
        self.turn
    }

    fn consume(&mut self, amount: Duration) {
        assert_invariant(self);
        let turn = self.turn.as_mut().expect("only the one whose turn it is consumes");
        turn.left -= amount;
        if turn.left.is_zero() {
            self.turn = None;
        }
        assert_invariant(self);
    }

    fn set_share(&mut self, member: u32, share: u32) {
        if self.weighted {
            self.shares[member as usize] = share.max(1);
        }
    }

    fn check(&self) -> Result<(), Violation> {
        require(self.ring.is_linked(), "the ring is not linked both ways")?;
        require(
            self.place.is_none_or(|place| self.ring.contains(place.member())),
            "the place is not in the ring",
        )?;
        require(
            self.turn.is_none_or(|turn| self.place == Some(Place::At(turn.member))),
            "it is the turn of another than at the place",
        )?;
        require(self.left() <= self.quantum, "a turn is longer than a quantum")
    }
}
