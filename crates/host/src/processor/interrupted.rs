//! Interrupts of guests that decide alone.
//!
//! **Model.** Where an interrupt takes a credit of a pseudo-VCPU that is more urgent than the server that has the processor, and nothing
//! else is due, that server's time decides nothing: it is preempted with whatever budget it has left. So its thread is sampled at the
//! next decision instead of this one, on which the guest waits.
//!
//! ```text
//!   interrupted   #######·············#####
//!   the guest            ####
//!   decisions            |   |
//!                        a   b      b charges both; a charges none
//! ```
//!
//! It receives nothing in between: its loan goes on behind that of the guest ([`Processor::goes_on`]), whose sleep is noticed before
//! the other could run.
//!
//! **Assumptions.** 1. The rule of that server depends on what it is charged from one replenishment to the next, and not on when:
//! it is deferrable, periodic or polling. What is due in between is a decision, which charges first. 2. No server is sporadic: its
//! level is told at each decision. 3. Servers are ordered by priority, where alone there are pseudo-VCPUs.
//!
//! Theory: docs/theory/credits-that-last.md.

use super::{Order, Processor};
use crate::machine::{Machine, Woken};
use crate::member::Member;
use crate::rule::WakeUps;
use vorrang_mechanisms::server::{AnyServer, Server as _};
use vorrang_time::Instant;

impl Processor {
    /// Decides by interrupts alone, if it may, and if they take the processor from the server that has it. Returns whether it has.
    pub(super) fn interrupt(
        &mut self,
        now: Instant,
        woken: Woken,
        machine: &mut impl Machine,
    ) -> bool {
        if self.interrupts.is_empty() {
            return false;
        }
        let interrupted = self.chosen.filter(|&place| self.may_be_charged_later(place));
        let Some(place) = interrupted.filter(|_| woken == Woken::InTime && !self.is_due(now))
        else {
            return false;
        };
        self.raise(now, machine);
        self.settle(now);
        let next = self.ready.chosen().map(|member| &self.members[member as usize]);
        let takes_it = |next: &Member| {
            next.wake_ups == WakeUps::Interrupt && next.thread != self.members[place].thread
        };
        if !next.is_some_and(takes_it) {
            return false;
        }
        self.choose(now);
        self.uncharged = Some(place);
        true
    }

    fn may_be_charged_later(&self, place: usize) -> bool {
        let by_amount = |server: &AnyServer| {
            matches!(
                server,
                AnyServer::Deferrable(_) | AnyServer::Periodic(_) | AnyServer::Polling(_)
            )
        };
        let is_sporadic = |member: &Member| matches!(member.server, AnyServer::Sporadic(_));
        self.order == Order::FixedPriority
            && self.standing.is_none()
            && !self.is_idling
            && by_amount(&self.members[place].server)
            && !self.members.iter().any(is_sporadic)
    }

    /// Whether a replenishment is due, or a look at a thread that sleeps.
    fn is_due(&self, now: Instant) -> bool {
        let is_looked_at = |member: &Member| {
            !member.has_work && matches!(member.wake_ups, WakeUps::AtOnce | WakeUps::Interrupt)
        };
        let is_time = now >= self.next_look;
        let is_due = |one: &Member| one.server.due() <= now || is_time && is_looked_at(one);
        self.members.iter().any(is_due)
    }

    /// Charges the one that was interrupted.
    pub(super) fn charge_interrupted(&mut self, now: Instant, machine: &mut impl Machine) {
        let Some(place) = self.uncharged.take() else { return };
        let Some(thread) = self.members[place].thread else { return };
        let received = machine.received(thread);
        let member = &mut self.members[place];
        let received = member.since_last_look(received);
        member.charge(now, received, self.grain);
        if member.server.budget().is_zero() {
            self.unlist(place);
        }
    }
}
