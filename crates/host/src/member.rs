//! A server of a processor, and the known state of its thread.

use crate::rule::WakeUps;
use vorrang_mechanisms::interrupt::PseudoVcpu;
use vorrang_mechanisms::scheduler::Key;
use vorrang_mechanisms::server::{AnyServer, Server as _};
use vorrang_time::{Duration, Instant};

/// The loans of a server's thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// The number of loans.
    pub loans: u64,
    /// Processor time that its budget was charged.
    pub charged: Duration,
    /// The longest excess beyond its budget or turn at the end of a loan; it was charged later.
    pub overrun: Duration,
    /// Budget and ends of turns that were too short to be lent, and lost.
    pub dropped: Duration,
}

/// A server and its thread.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is known by itself, and at another instant"
)]
pub(crate) struct Member {
    pub(crate) server: AnyServer,
    pub(crate) priority: u32,
    /// Of the tasks on the core, how many levels of them are less urgent.
    pub(crate) level: usize,
    pub(crate) wake_ups: WakeUps,
    /// Its thread among those of the machine; none for the server of all other threads.
    pub(crate) thread: Option<usize>,
    /// Whether its thread has work, as far as was seen.
    pub(crate) has_work: bool,
    /// The same, at the last report to the server.
    pub(crate) had_work: bool,
    /// Whether the server was replenished since then; so it is at the start.
    pub(crate) replenished: bool,
    /// A look has found its thread asleep, with a credit for it.
    is_missed: bool,
    /// Its place among the ready.
    pub(crate) listed: Option<Key>,
    /// Whether something of it has changed since it was settled: otherwise it is told nothing, and its place stays.
    is_changed: bool,
    /// The time that its thread had received at the last sample.
    pub(crate) received: Duration,
    /// Received beyond the budget, and to be charged.
    pub(crate) debt: Duration,
    /// Received beyond the end of its turn, and to be charged to its next.
    pub(crate) owed: Duration,
    pub(crate) account: Account,
}

impl Member {
    pub(crate) fn new(
        server: AnyServer,
        priority: u32,
        wake_ups: WakeUps,
        thread: Option<usize>,
    ) -> Self {
        Self {
            server,
            priority,
            level: 0,
            wake_ups,
            thread,
            has_work: thread.is_none(),
            had_work: false,
            replenished: true,
            is_missed: false,
            listed: None,
            is_changed: true,
            received: Duration::ZERO,
            debt: Duration::ZERO,
            owed: Duration::ZERO,
            account: Account::default(),
        }
    }

    /// The time that the thread has received since the last sample, from its total.
    pub(crate) fn since_last_look(&mut self, received: Duration) -> Duration {
        let since = received.saturating_sub(self.received);
        self.received = received;
        since
    }

    /// Charges the received time; an excess over the budget is charged after the next replenishment. A rest
    /// below `grain` is charged, too: it is too short to be lent.
    pub(crate) fn charge(&mut self, now: Instant, amount: Duration, grain: Duration) {
        self.is_changed = true;
        self.debt += amount;
        let paid = self.debt.min(self.server.budget());
        self.debt -= paid;
        if !paid.is_zero() {
            self.server.consume(now, paid);
            self.account.charged += paid;
        }
        self.account.overrun = self.account.overrun.max(self.debt);
        let rest = self.server.budget();
        if rest < grain && !rest.is_zero() {
            self.server.consume(now, rest);
            self.account.dropped += rest;
        }
    }

    /// Of a turn with `left` remaining, the part that is used by received time and by the excess of earlier
    /// turns; and the part that is lost because it is too short to be lent.
    pub(crate) fn use_turn(
        &mut self,
        left: Duration,
        amount: Duration,
        grain: Duration,
    ) -> (Duration, Duration) {
        self.owed += amount;
        let used = self.owed.min(left);
        self.owed -= used;
        self.account.overrun = self.account.overrun.max(self.owed);
        let rest = left - used;
        let dropped = if rest < grain { rest } else { Duration::ZERO };
        self.account.dropped += dropped;
        (used, dropped)
    }

    /// The interrupt of a pseudo-VCPU is requested: the guest has it, with a credit if there is one left. Returns
    /// whether there is.
    pub(crate) fn request(&mut self, at: Instant) -> bool {
        self.is_missed = false;
        let pseudo_vcpu = self.pseudo_vcpu();
        let is_admitted = pseudo_vcpu.request(at);
        if is_admitted {
            pseudo_vcpu.enter(false);
        }
        is_admitted
    }

    /// A credit of a pseudo-VCPU is back: what was held back takes it, unless the guest has nothing to do. Several requests
    /// are one, as for the interrupt controller of the guest.
    fn release(&mut self, now: Instant) {
        let has_work = self.has_work;
        let pseudo_vcpu = self.pseudo_vcpu();
        if has_work && pseudo_vcpu.let_through(now) {
            pseudo_vcpu.enter(false);
        }
        pseudo_vcpu.unmask();
    }

    /// A look has found its thread awake or asleep. A credit that a second one finds waiting is dropped.
    pub(crate) fn found(&mut self, awake: bool) {
        self.has_work = awake;
        let waits =
            !awake && self.wake_ups == WakeUps::Interrupt && !self.server.budget().is_zero();
        if waits && self.is_missed {
            self.leave_guest();
        }
        self.is_missed = waits && !self.is_missed;
    }

    /// All interrupts of a pseudo-VCPU are handled: the rest of their credit is dropped.
    pub(crate) fn leave_guest(&mut self) {
        if let AnyServer::PseudoVcpu(pseudo_vcpu) = &mut self.server {
            self.is_changed = true;
            pseudo_vcpu.leave_all();
        }
    }

    /// Whether a pseudo-VCPU has a request that waits for a credit.
    pub(crate) fn holds_back(&self) -> bool {
        matches!(&self.server, AnyServer::PseudoVcpu(pseudo_vcpu) if pseudo_vcpu.is_masked())
    }

    /// Its pseudo-VCPU, to be changed.
    fn pseudo_vcpu(&mut self) -> &mut PseudoVcpu {
        self.is_changed = true;
        match &mut self.server {
            AnyServer::PseudoVcpu(pseudo_vcpu) => pseudo_vcpu,
            _ => unreachable!("it is a pseudo-VCPU"),
        }
    }

    /// Processes the events that are due; returns whether there was one.
    pub(crate) fn replenish(&mut self, now: Instant, grain: Duration) -> bool {
        let mut any = false;
        while self.server.due() <= now {
            if self.wake_ups == WakeUps::Interrupt {
                self.release(now);
                continue;
            }
            self.server.replenish(now);
            self.charge(now, Duration::ZERO, grain);
            any = true;
        }
        self.replenished |= any;
        any
    }

    /// The server is not used any more: another one has the processor. If that changes anything, returns whether it loses
    /// its place.
    pub(crate) fn stop(&mut self, now: Instant) -> Option<bool> {
        let before = self.server.budget();
        self.server.stop(now);
        let (goes_behind, left) = (self.server.goes_behind(), self.server.budget());
        let is_changed = goes_behind || left != before;
        self.is_changed |= is_changed;
        is_changed.then(|| goes_behind || left.is_zero())
    }

    /// Tells a sporadic server whether something at least as urgent as it is ready.
    pub(crate) fn level(&mut self, now: Instant, active: bool) {
        self.is_changed = true;
        self.server.level(now, active);
    }

    /// Whether it is to be settled, since something of it has changed; from now on it is.
    pub(crate) fn take_change(&mut self) -> bool {
        let is_changed = core::mem::take(&mut self.is_changed);
        is_changed || self.has_work != self.had_work || self.replenished
    }

    /// Reports to the server whether its thread has work, if its rule depends on that.
    pub(crate) fn tell(&mut self, now: Instant) {
        let changed = self.has_work != core::mem::replace(&mut self.had_work, self.has_work);
        let replenished = core::mem::take(&mut self.replenished);
        if !changed && (self.has_work || !replenished) {
            return;
        }
        if self.has_work {
            self.server.wake(now);
        } else {
            self.server.sleep(now);
        }
        if self.server.due() <= now {
            // Overdue refills return at once.
            self.server.replenish(now);
        }
    }

    /// Whether it competes for the processor.
    pub(crate) fn is_ready(&self) -> bool {
        !self.server.budget().is_zero() && (self.has_work || self.server.idles())
    }
}
