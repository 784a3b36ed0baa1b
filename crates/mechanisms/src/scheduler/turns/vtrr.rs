//! Virtual-time round-robin: a ring that returns to its beginning depending on virtual times.
//!
//! ```text
//!  shares A 3, B 2, C 1; counters before each turn
//!   turn      A   B   C   A   B   A  |  A …
//!   counters  321 221 211 210 110 100
//! ```
//!
//! **State.** The ready members form a list in the order of shares, largest first, ties to the
//! first declared. Each has a counter `c` of the quanta that it still gets in this cycle, and a
//! starting time (its finishing time is that + quantum / share). `S` is the sum of their shares,
//! `V` the time of the list.
//!
//! **Rules.**
//! * Used time makes the member's starting time grow by used / share, and `V` by used / `S`. A
//!   quantum that is used up takes one from the counter; a member that leaves in its turn keeps it.
//! * *Joining*: starting time := max(own, `V`). `c` := share·Σc/`S` of the others, to the nearest
//!   (halves up), or share if there are none; at most what it was when the member left, if that was
//!   in this cycle; then at most the counter of the one before it, and at least that of the one
//!   after it (one less, if it is that one's turn or that one comes next).
//! * *Next turn*: if all counters are zero, they become the shares, a cycle begins, and the first
//!   of the list is next. Otherwise let Y come in the list after the place of the last turn. Y is
//!   next if its counter is above zero and either greater than that of the one before it, or
//!   starting time of Y < `V` + quantum / `S`; else, and if there is no Y, the first.
//! * *A share changes*: the member leaves and joins, when its turn is over.
//!
//! The condition on Y is the published `F − (V + quantum/S) < quantum/share`, with the finishing
//! time `F` written out. Published, Y's counter is compared with that of the member whose turn
//! was; where that one has left, comparing with the one before Y keeps the order of the counters.
//!
//! Times are exact (`virtual_time.rs`); `V` is rounded down to 2^-32 ns when a member joins or
//! leaves, so a static set of members is scheduled by exact fractions.
//!
//! **Invariant.** Along the list counters do not increase, but the one whose turn it is, or comes
//! next, may have one more than the one before it. So the first has a quantum left whenever any member has.
//! Counters are at most the shares; no turn is longer than a quantum.
//!
//! **Cost.** Logarithmic in the number of members; a change of share sorts them again. Only that
//! allocates after the beginning. Counters of a new cycle are not written, but counted from the
//! cycle in which they were.
//!
//! **Not covered.** There is no constant bound for the service error: one member with as many
//! shares as m others together lags by (m − 1)/2 quanta.
//!
//! Reference: J. Nieh, C. Vaill, H. Zhong, Virtual-time round-robin: an O(1) proportional share
//! scheduler, USENIX 2001.

use super::member_set::MemberSet;
use super::virtual_time::VirtualTime;
use super::{Joining, Turn, Turns, assert_invariant};
use crate::server::{Violation, require};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;
use vorrang_time::Duration;

/// State of a virtual-time round-robin scheduler.
#[derive(Clone, Debug)]
pub struct Vtrr {
    quantum: Duration,
    clients: Vec<Client>,
    /// Members in the order of the list, whether or not they are ready.
    order: Vec<u32>,
    /// Place in that order, by member.
    rank: Vec<u32>,
    /// Ranks of the ready members.
    ready: MemberSet,
    /// Of the ready members.
    shares: u64,
    /// Of the ready members.
    counters: u64,
    cycle: u64,
    time: VirtualTime,
    joining: Joining,
    /// Where the last turn stood in the list.
    last: Option<Position>,
    turn: Option<Turn>,
    /// The share that the one whose turn it is gets when that is over.
    deferred: Option<u32>,
}

/// A place in the list: shares, largest first, then the order of declaration.
type Position = (Reverse<u32>, u32);

/// The state of a member, ready or not.
#[derive(Clone, Copy, Debug)]
struct Client {
    share: u32,
    start: VirtualTime,
    /// Its counter at its last change, which was in that cycle.
    counter: u32,
    cycle: u64,
}

impl Client {
    /// Quanta left in the cycle, of a ready member.
    fn counter(&self, cycle: u64) -> u32 {
        if self.cycle == cycle { self.counter } else { self.share }
    }
}

impl Vtrr {
    /// Members with these shares, by declaration, take turns of `quantum`.
    pub fn new(quantum: Duration, shares: &[u32]) -> Self {
        let client = |share: u32| Client {
            share: share.max(1),
            start: VirtualTime::zero(share.into()),
            counter: 0,
            cycle: 0,
        };
        let mut vtrr = Self {
            quantum,
            clients: shares.iter().map(|&share| client(share)).collect(),
            order: (0..).take(shares.len()).collect(),
            rank: vec![0; shares.len()],
            ready: MemberSet::below(shares.len()),
            shares: 0,
            counters: 0,
            // No member was in a cycle before.
            cycle: 1,
            time: VirtualTime::zero(1),
            joining: Joining::with_capacity(shares.len()),
            last: None,
            turn: None,
            deferred: None,
        };
        vtrr.sort();
        vtrr
    }

    fn sort(&mut self) {
        let ready: Vec<u32> = self.list().collect();
        let clients = &self.clients;
        self.order.sort_by_key(|&member| position(clients, member));
        for (rank, &member) in (0..).zip(&self.order) {
            self.rank[member as usize] = rank;
        }
        self.ready = MemberSet::below(self.order.len());
        for member in ready {
            self.ready.insert(self.rank[member as usize] as usize);
        }
    }

    /// The ready members.
    fn list(&self) -> impl Iterator<Item = u32> {
        let first = self.ready.first_from(0);
        let next = |&rank: &usize| self.ready.first_from(rank + 1);
        core::iter::successors(first, next).map(|rank| self.order[rank])
    }

    fn before(&self, member: u32) -> Option<u32> {
        let rank = self.ready.last_below(self.rank[member as usize] as usize);
        rank.map(|rank| self.order[rank])
    }

    fn after(&self, member: u32) -> Option<u32> {
        let rank = self.ready.first_from(self.rank[member as usize] as usize + 1);
        rank.map(|rank| self.order[rank])
    }

    /// The member after the place of the last turn.
    fn successor(&self) -> Option<u32> {
        let last = self.last?;
        let rank = self.order.partition_point(|&member| position(&self.clients, member) <= last);
        self.ready.first_from(rank).map(|rank| self.order[rank])
    }

    fn counter(&self, member: u32) -> u32 {
        self.clients[member as usize].counter(self.cycle)
    }

    fn set_counter(&mut self, member: u32, counter: u32) {
        let (client, cycle) = (&mut self.clients[member as usize], self.cycle);
        (client.counter, client.cycle) = (counter, cycle);
    }

    fn change_shares(&mut self, shares: u64) {
        self.shares = shares;
        self.time = self.time.in_shares(shares);
    }

    /// By how much the counter of a member may exceed that of the one before it.
    fn excess(&self, member: u32) -> u32 {
        let comes_next = match self.turn {
            Some(turn) => turn.member == member,
            None => self.successor() == Some(member),
        };
        u32::from(comes_next)
    }

    fn put_in(&mut self, member: u32) {
        let client = self.clients[member as usize];
        let share = u64::from(client.share);
        let left = if client.cycle == self.cycle { client.counter } else { client.share };
        let counter = match self.shares {
            0 => client.share,
            shares => nearest(share, self.counters, shares),
        };
        self.ready.insert(self.rank[member as usize] as usize);
        let most = self.before(member).map_or(u32::MAX, |before| self.counter(before));
        let least =
            self.after(member).map_or(0, |after| self.counter(after) - self.excess_or_none(after));
        let counter = counter.min(left).min(most).max(least);

        self.change_shares(self.shares + share);
        self.counters += u64::from(counter);
        self.set_counter(member, counter);
        let now = self.time.in_shares(share);
        self.clients[member as usize].start = client.start.max(now);
    }

    /// The excess that a member may have, if it has a quantum left.
    fn excess_or_none(&self, member: u32) -> u32 {
        self.excess(member).min(self.counter(member))
    }

    fn take_out(&mut self, member: u32) {
        let counter = self.counter(member);
        self.ready.remove(self.rank[member as usize] as usize);
        self.counters -= u64::from(counter);
        self.set_counter(member, counter);
        self.change_shares(self.shares - u64::from(self.clients[member as usize].share));
    }

    /// The member whose turn is next.
    fn next(&mut self) -> Option<u32> {
        let first = self.order[self.ready.first_from(0)?];
        if self.counters == 0 {
            self.cycle += 1;
            self.counters = self.shares;
            return Some(first);
        }
        let successor = self.successor().filter(|&member| self.goes_on_with(member));
        Some(successor.unwrap_or(first))
    }

    /// Whether the ring continues with the member instead of returning to its beginning.
    fn goes_on_with(&self, member: u32) -> bool {
        let counter = self.counter(member);
        let before = self.before(member).map_or(u32::MAX, |before| self.counter(before));
        let start = self.clients[member as usize].start;
        counter > 0 && (counter > before || start < self.time.after(self.quantum))
    }

    /// The turn is over, for whatever reason.
    fn end_turn(&mut self) {
        let Some(turn) = self.turn.take() else { return };
        self.last = Some(position(&self.clients, turn.member));
        if let Some(share) = self.deferred.take() {
            self.change_share(turn.member, share);
        }
    }

    /// Of a member that it is not the turn of.
    fn change_share(&mut self, member: u32, share: u32) {
        let place = member as usize;
        if self.ready.contains(self.rank[place] as usize) {
            self.take_out(member);
            self.joining.push(member);
        }
        self.clients[place].share = share;
        self.clients[place].start = self.clients[place].start.in_shares(share.into());
        self.sort();
    }
}

fn position(clients: &[Client], member: u32) -> Position {
    (Reverse(clients[member as usize].share), member)
}

/// `share · counters / shares` to the nearest, halves up.
fn nearest(share: u64, counters: u64, shares: u64) -> u32 {
    let twice = 2 * u128::from(share) * u128::from(counters);
    let nearest = (twice + u128::from(shares)) / (2 * u128::from(shares));
    u32::try_from(nearest).expect("counters are at most the shares")
}

impl Turns for Vtrr {
    fn join(&mut self, member: u32) {
        self.joining.push(member);
    }

    fn leave(&mut self, member: u32) {
        assert_invariant(self);
        if self.joining.withdraw(member) {
            return;
        }
        if self.current() == Some(member) {
            self.end_turn();
        }
        if !self.joining.withdraw(member) {
            self.take_out(member);
        }
        assert_invariant(self);
    }

    fn settle(&mut self) {
        assert_invariant(self);
        self.joining.sort();
        while let Some(member) = self.joining.pop() {
            self.put_in(member);
        }
        if self.turn.is_none()
            && let Some(member) = self.next()
        {
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
        let Turn { member, left } = *turn;
        let client = &mut self.clients[member as usize];
        client.start = client.start.after(amount);
        self.time = self.time.after(amount);
        if left.is_zero() {
            self.set_counter(member, self.counter(member) - 1);
            self.counters -= 1;
            self.end_turn();
        }
        assert_invariant(self);
    }

    fn set_share(&mut self, member: u32, share: u32) {
        assert_invariant(self);
        if self.current() == Some(member) {
            self.deferred = Some(share.max(1));
        } else {
            self.change_share(member, share.max(1));
        }
        assert_invariant(self);
    }

    fn check(&self) -> Result<(), Violation> {
        let of = |member: u32| &self.clients[member as usize];
        let counters: u64 = self.list().map(|member| u64::from(self.counter(member))).sum();
        require(counters == self.counters, "the sum of the counters is another")?;
        let shares: u64 = self.list().map(|member| u64::from(of(member).share)).sum();
        require(shares == self.shares, "the sum of the shares is another")?;
        require(
            self.list().zip(self.list().skip(1)).all(|(before, member)| {
                self.counter(member) <= self.counter(before) + self.excess(member)
            }),
            "counters increase along the list",
        )?;
        require(
            self.list().all(|member| self.counter(member) <= of(member).share),
            "a counter exceeds the share",
        )?;
        require(
            self.turn.is_none_or(|turn| self.counter(turn.member) > 0),
            "it is the turn of a member without a quantum left",
        )?;
        require(self.left() <= self.quantum, "a turn is longer than a quantum")
    }
}
