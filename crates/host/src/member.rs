//! A server of a processor, and what is known of its thread.

use crate::rule::WakeUps;
use vorrang_mechanisms::scheduler::Key;
use vorrang_mechanisms::server::{AnyServer, Server as _};
use vorrang_time::{Duration, Instant};

/// What a server's thread was lent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// How often.
    pub loans: u64,
    /// Processor time that its budget was charged.
    pub charged: Duration,
    /// The most that it had received beyond its budget or turn when the loan ended; it was charged later.
    pub overrun: Duration,
    /// Budget and ends of turns that were too little to be lent, and lost.
    pub dropped: Duration,
}

/// A server and its thread.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) server: AnyServer,
    pub(crate) priority: u32,
    pub(crate) wake_ups: WakeUps,
    /// Its thread among those of the machine; the rest of all threads is none.
    pub(crate) thread: Option<usize>,
    /// Whether its thread has work, as far as was seen.
    pub(crate) has_work: bool,
    /// The same, when the server was told last.
    pub(crate) had_work: bool,
    /// Whether the server was replenished since then; so it is at the start.
    pub(crate) replenished: bool,
    /// Its place among the ready.
    pub(crate) listed: Option<Key>,
    /// What its thread has received by the last look.
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
            wake_ups,
            thread,
            has_work: thread.is_none(),
            had_work: false,
            replenished: true,
            listed: None,
            received: Duration::ZERO,
            debt: Duration::ZERO,
            owed: Duration::ZERO,
            account: Account::default(),
        }
    }

    /// What the thread has received since the last look, when it has received so much in all.
    pub(crate) fn since_last_look(&mut self, received: Duration) -> Duration {
        let since = received.saturating_sub(self.received);
        self.received = received;
        since
    }

    /// Charges what was received; more than the budget is charged when there is some again. A rest
    /// below `grain` is charged, too: it is too little to be lent.
    pub(crate) fn charge(&mut self, now: Instant, amount: Duration, grain: Duration) {
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

    /// Of a turn with so much `left`, what is used by what was received in it and owed from earlier ones; and what
    /// is lost besides, because it is too little to be lent.
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

    /// What is due by now happens; whether anything did.
    pub(crate) fn replenish(&mut self, now: Instant, grain: Duration) -> bool {
        let mut any = false;
        while self.server.due() <= now {
            self.server.replenish(now);
            self.charge(now, Duration::ZERO, grain);
            any = true;
        }
        self.replenished |= any;
        any
    }

    /// Tells the server whether its thread has work, if it has to know.
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
            // What was consumed long ago comes back at once.
            self.server.replenish(now);
        }
    }

    /// Whether it competes for the processor.
    pub(crate) fn is_ready(&self) -> bool {
        !self.server.budget().is_zero() && (self.has_work || self.server.idles())
    }
}
