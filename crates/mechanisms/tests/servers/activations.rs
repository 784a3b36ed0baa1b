//! The sporadic server by activations, in the two ways that fail.
//!
//! An activation opens when the level is active, the budget is above zero and none is open, and
//! closes when the level becomes idle or the budget reaches zero; what was consumed in it returns
//! one period after it opened. A piece of budget that returns meanwhile either joins the open
//! activation (B. Sprunt, L. Sha, J. Lehoczky 1989) or closes it and opens the next.

use std::collections::VecDeque;
use vorrang_mechanisms::server::{Server, Violation};
use vorrang_time::{Duration, Instant};

/// A sporadic server that keeps account by activations.
#[derive(Clone, Debug)]
pub(crate) struct Activations {
    period: Duration,
    budget: Duration,
    open: Option<Activation>,
    pending: VecDeque<Replenishment>,
    rule: Rule,
}

/// An interval in which consumption returns together.
#[derive(Clone, Copy, Debug)]
struct Activation {
    since: Instant,
    consumed: Duration,
}

/// Time that returns.
#[derive(Clone, Copy, Debug)]
struct Replenishment {
    at: Instant,
    amount: Duration,
}

/// What a replenishment does to the open activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    JoinsLater,
    JoinsEarlier,
}

impl Activations {
    /// A replenishment joins the open activation, as published.
    pub(crate) fn as_published(full: Duration, period: Duration) -> Self {
        Self::new(full, period, Rule::JoinsEarlier)
    }

    /// A replenishment opens another activation, which what was there before joins.
    pub(crate) fn joining_later(full: Duration, period: Duration) -> Self {
        Self::new(full, period, Rule::JoinsLater)
    }

    fn new(full: Duration, period: Duration, rule: Rule) -> Self {
        Self { period, budget: full, open: None, pending: VecDeque::new(), rule }
    }

    /// Ends the open activation, if any: what was consumed in it is on its way back.
    fn close(&mut self) {
        if let Some(Activation { since, consumed }) = self.open.take()
            && !consumed.is_zero()
        {
            self.pending.push_back(Replenishment { at: since + self.period, amount: consumed });
        }
    }

    /// When the open activation is a period old; the published rule lets it grow older.
    fn open_ends(&self) -> Instant {
        match self.open {
            Some(activation) if self.rule == Rule::JoinsLater => activation.since + self.period,
            _ => Instant::NEVER,
        }
    }
}

impl Server for Activations {
    #[inline]
    fn budget(&self) -> Duration {
        self.budget
    }

    fn consume(&mut self, _now: Instant, amount: Duration) {
        let open = self.open.as_mut().expect("a running server's level is active");
        open.consumed += amount;
        self.budget -= amount;
        if self.budget.is_zero() {
            self.close();
        }
    }

    fn due(&self) -> Instant {
        match self.pending.front() {
            // Pending ones opened earlier than the open one, so they return earlier.
            Some(replenishment) => replenishment.at,
            None => self.open_ends(),
        }
    }

    fn replenish(&mut self, now: Instant) {
        if self.rule == Rule::JoinsLater {
            self.close();
        }
        while let Some(replenishment) = self.pending.front().filter(|due| due.at <= now) {
            self.budget += replenishment.amount;
            self.pending.pop_front();
        }
    }

    fn level(&mut self, now: Instant, active: bool) {
        if !active {
            self.close();
        } else if self.open.is_none() && !self.budget.is_zero() {
            self.open = Some(Activation { since: now, consumed: Duration::ZERO });
        }
    }

    fn check(&self) -> Result<(), Violation> {
        Ok(())
    }
}
