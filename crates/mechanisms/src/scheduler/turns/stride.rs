//! Stride scheduling: the turn of the member whose finishing time is the earliest.
//!
//! ```text
//!  quantum 1, shares A 3, B 1: passes at first 1/3 and 1
//!   A(1/3)→2/3   A(2/3)→1   A(1)→4/3, ties to the first declared   B(1)→2   A …
//! ```
//!
//! **Rules.** A member's *pass* grows by used time / share, the *global pass* by used time / sum of
//! the shares of the ready members. Joining: pass := max(own, global pass + quantum / share); at
//! first the latter. Next is the least pass, ties to the first declared. Passes are exact
//! (`virtual_time.rs`); the global pass is rounded down to 2^-32 ns when a member joins or leaves,
//! a pass when the member's share changes.
//!
//! **Invariant.** It is the turn of a ready member; the shares of the ready ones sum to that of
//! the global pass; no turn is longer than a quantum.
//!
//! **Cost.** Logarithmic in the number of members; no allocation after the beginning.
//!
//! Reference: C. Waldspurger, W. Weihl, Stride scheduling, MIT/LCS/TM-528, 1995.

use super::virtual_time::VirtualTime;
use super::{Joining, Turn, Turns, assert_invariant};
use crate::scheduler::heap::Heap;
use crate::server::{Violation, require};
use alloc::vec::Vec;
use vorrang_time::Duration;

/// State of a stride scheduler.
#[derive(Clone, Debug)]
pub struct Stride {
    quantum: Duration,
    shares: Vec<u32>,
    /// The pass of each member, also of those that are not ready.
    passes: Vec<VirtualTime>,
    /// The passes of the ready members.
    ready: Heap<VirtualTime>,
    /// Sum of the shares of the ready members.
    sum: u64,
    global: VirtualTime,
    joining: Joining,
    turn: Option<Turn>,
}

impl Stride {
    /// Members with these shares, by declaration, take turns of `quantum`.
    pub fn new(quantum: Duration, shares: &[u32]) -> Self {
        let shares: Vec<u32> = shares.iter().map(|&share| share.max(1)).collect();
        let passes = shares.iter().map(|&share| VirtualTime::zero(share.into())).collect();
        Self {
            quantum,
            passes,
            ready: Heap::of(shares.len()),
            sum: 0,
            global: VirtualTime::zero(1),
            joining: Joining::with_capacity(shares.len()),
            shares,
            turn: None,
        }
    }

    fn is_ready(&self, member: u32) -> bool {
        self.ready.get(member).is_some()
    }

    fn change_sum(&mut self, sum: u64) {
        self.sum = sum;
        self.global = self.global.in_shares(sum);
    }

    fn put_in(&mut self, member: u32) {
        let (place, share) = (member as usize, u64::from(self.shares[member as usize]));
        self.change_sum(self.sum + share);
        let first = self.global.in_shares(share).after(self.quantum);
        self.passes[place] = self.passes[place].max(first);
        self.ready.insert(member, self.passes[place]);
    }
}

impl Turns for Stride {
    fn join(&mut self, member: u32) {
        self.joining.push(member);
    }

    fn leave(&mut self, member: u32) {
        assert_invariant(self);
        if self.joining.withdraw(member) {
            return;
        }
        self.ready.remove(member);
        self.change_sum(self.sum - u64::from(self.shares[member as usize]));
        self.turn = self.turn.filter(|turn| turn.member != member);
        assert_invariant(self);
    }

    fn settle(&mut self) {
        assert_invariant(self);
        self.joining.sort();
        while let Some(member) = self.joining.pop() {
            self.put_in(member);
        }
        if self.turn.is_none() {
            let next = self.ready.first();
            self.turn = next.map(|(_, member)| Turn { member, left: self.quantum });
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
        let pass = &mut self.passes[member as usize];
        *pass = pass.after(amount);
        self.ready.change(member, *pass);
        self.global = self.global.after(amount);
        if left.is_zero() {
            self.turn = None;
        }
        assert_invariant(self);
    }

    fn set_share(&mut self, member: u32, share: u32) {
        assert_invariant(self);
        let (place, share) = (member as usize, share.max(1));
        self.passes[place] = self.passes[place].in_shares(share.into());
        if self.is_ready(member) {
            self.ready.change(member, self.passes[place]);
            self.change_sum(self.sum + u64::from(share) - u64::from(self.shares[place]));
        }
        self.shares[place] = share;
        assert_invariant(self);
    }

    fn check(&self) -> Result<(), Violation> {
        let ready = || (0..).zip(&self.passes).filter(|&(member, _)| self.is_ready(member));
        let sum: u64 = ready().map(|(member, _)| u64::from(self.shares[member as usize])).sum();
        require(sum == self.sum, "the sum of the shares is another")?;
        require(
            ready().all(|(member, &pass)| self.ready.get(member) == Some(pass)),
            "a ready member has another pass",
        )?;
        require(
            self.turn.is_none_or(|turn| self.is_ready(turn.member)),
            "it is the turn of a member that is not ready",
        )?;
        require(self.left() <= self.quantum, "a turn is longer than a quantum")
    }
}
