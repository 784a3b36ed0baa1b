//! Loans that stand while their thread sleeps.
//!
//! **Model.** Where no other server is ready, no decision depends on whether the thread of a deferrable server sleeps: whenever it
//! wakes it has the processor, and what it receives is charged at the next decision. So its loan *stands*: its sleep is not watched,
//! and what only wakes it is not told.
//!
//! ```text
//!   interrupts     1   2   3   4   5
//!   the guest      ##  ##  ##  ##  ##            halts in between
//!   decisions    | .                  |          at the latest when its budget could be used up
//! ```
//!
//! At each decision the thread is sampled, before a credit is released to it and before another server is chosen, unless one of
//! its interrupts was raised, for which it is awake.
//!
//! **Assumptions.** 1. The rule of the server does not depend on when its thread wakes or sleeps. 2. No rule of another one does:
//! none is sporadic, and by priority none is its equal, where the first to wake is the first to run. 3. The thread has no credit of
//! a pseudo-VCPU, which would be dropped when it sleeps.
//!
//! Theory: docs/theory/noticed-wake-ups.md.

use super::{Order, Processor};
use crate::machine::Machine;
use crate::member::Member;
use crate::raised;
use crate::rule::WakeUps;
use vorrang_mechanisms::server::{AnyServer, Server as _};
use vorrang_time::Instant;

impl Processor {
    /// The server whose thread has the loan.
    pub(super) fn lent(&self) -> Option<usize> {
        self.chosen.or(self.standing)
    }

    /// The thread with the loan that stands, which has received something or not, is awake or asleep.
    pub(super) fn sample(&mut self, progress: bool, machine: &mut impl Machine) {
        let Some(thread) = self.standing.and_then(|place| self.members[place].thread) else {
            return;
        };
        if machine.wants(thread) {
            raised::wake(&mut self.members, thread);
        } else {
            raised::leave(&mut self.members, thread, progress, false);
        }
    }

    /// Whether a credit is due for the thread with the loan that stands.
    pub(super) fn releases(&self, now: Instant) -> bool {
        let is_due = |place: usize| {
            let of_thread = |one: &&Member| one.thread == self.members[place].thread;
            let credits = self.members.iter().filter(|one| one.wake_ups == WakeUps::Interrupt);
            credits.filter(of_thread).any(|one| one.server.due() <= now)
        };
        self.standing.is_some_and(is_due)
    }

    /// Whether the loan of the server that is chosen stands from now on, or, if none is, that of the thread that had it.
    pub(super) fn stand(&mut self, before: Option<usize>) {
        let of_thread = |place: usize| {
            let thread = self.members[place].thread;
            (0..self.members.len()).find(|&other| {
                self.members[other].thread == thread && is_deferrable(&self.members[other])
            })
        };
        let place = self.chosen.or_else(|| before.and_then(of_thread));
        self.standing = place.filter(|&place| self.may_stand(place));
    }

    fn may_stand(&self, place: usize) -> bool {
        let member = &self.members[place];
        let is_equal = |other: &Member| {
            self.order == Order::FixedPriority && other.priority == member.priority
        };
        let is_indifferent = |(index, other): (usize, &Member)| {
            let has_credit = other.thread == member.thread && !other.server.budget().is_zero();
            let is_sporadic = matches!(other.server, AnyServer::Sporadic(_));
            index == place || !(other.is_ready() || has_credit || is_sporadic || is_equal(other))
        };
        is_deferrable(member)
            && !member.server.budget().is_zero()
            && self.members.iter().enumerate().all(is_indifferent)
    }
}

fn is_deferrable(member: &Member) -> bool {
    member.wake_ups == WakeUps::AtOnce && matches!(member.server, AnyServer::Deferrable(_))
}
