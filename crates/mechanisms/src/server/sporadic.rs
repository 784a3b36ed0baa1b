//! Sporadic server: what is consumed returns one period after its level became active.
//!
//! ```text
//!  Q=2, T=6; L: something at least as urgent is ready on the parent; # the server runs
//!  L       ──────────────┐     ┌────────
//!          0     2  3    5     8  9
//!  server  ......###########   ........
//!  opened  ^0 (level active)   ^8 (level active, budget)
//!  returns 2 at 0+6, because the activation in which it was consumed opened at 0
//! ```
//!
//! An *activation* opens when the level is active, the budget is above zero and none is open. It
//! closes when the level becomes idle, the budget reaches zero, or a replenishment happens; what
//! was consumed in it returns one period after it **opened**. An activation that is still open
//! one period after it opened closes there, so that nothing consumed later returns earlier.
//!
//! **Invariant.** Budget, pending replenishments and what the open activation consumed sum to
//! `Q`; replenishments are pending in the order of time.
//!
//! Reference: B. Sprunt, L. Sha, J. Lehoczky, Aperiodic task scheduling for hard-real-time
//! systems, Real-Time Systems 1, 1989. Closing at a replenishment is a correction: as published,
//! a replenishment joins the open activation and its time then returns too early
//! ([`Sporadic::as_published`] is kept to exhibit that; see the test
//! `sporadic_server_as_published_exceeds_a_periodic_task`).

use super::{Server, Violation, assert_invariant, require};
use alloc::collections::VecDeque;
use vorrang_time::{Duration, Instant};

/// State of a sporadic server.
#[derive(Clone, Debug)]
pub struct Sporadic {
    full: Duration,
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
    /// It closes it.
    Corrected,
    /// It joins it.
    Published,
}

impl Sporadic {
    /// A server of `full` budget per `period` by the corrected rule.
    pub fn new(full: Duration, period: Duration) -> Self {
        Self {
            full,
            period,
            budget: full,
            open: None,
            pending: VecDeque::new(),
            rule: Rule::Corrected,
        }
    }

    /// The same by the rule as published, which may consume more than a periodic task of the
    /// same budget and period. Only to show that it does.
    pub fn as_published(full: Duration, period: Duration) -> Self {
        Self { rule: Rule::Published, ..Self::new(full, period) }
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
            Some(activation) if self.rule == Rule::Corrected => activation.since + self.period,
            _ => Instant::NEVER,
        }
    }
}

impl Server for Sporadic {
    #[inline]
    fn budget(&self) -> Duration {
        self.budget
    }

    fn consume(&mut self, _now: Instant, amount: Duration) {
        assert_invariant(self);
        let open = self.open.as_mut().expect("a running server's level is active");
        open.consumed += amount;
        self.budget -= amount;
        if self.budget.is_zero() {
            self.close();
        }
        assert_invariant(self);
    }

    fn due(&self) -> Instant {
        match self.pending.front() {
            // Pending ones opened earlier than the open one, so they return earlier.
            Some(replenishment) => replenishment.at,
            None => self.open_ends(),
        }
    }

    fn replenish(&mut self, now: Instant) {
        assert_invariant(self);
        if self.rule == Rule::Corrected {
            self.close();
        }
        while let Some(replenishment) = self.pending.front().filter(|due| due.at <= now) {
            self.budget += replenishment.amount;
            self.pending.pop_front();
        }
        assert_invariant(self);
    }

    fn level(&mut self, now: Instant, active: bool) {
        assert_invariant(self);
        if !active {
            self.close();
        } else if self.open.is_none() && !self.budget.is_zero() {
            self.open = Some(Activation { since: now, consumed: Duration::ZERO });
        }
        assert_invariant(self);
    }

    fn check(&self) -> Result<(), Violation> {
        let pending: Duration = self.pending.iter().map(|replenishment| replenishment.amount).sum();
        let consumed = self.open.map_or(Duration::ZERO, |activation| activation.consumed);
        require(
            self.budget + pending + consumed == self.full,
            "budget, pending and consumed time do not sum to a full budget",
        )?;
        require(
            self.pending.iter().is_sorted_by_key(|replenishment| replenishment.at),
            "replenishments are out of order",
        )?;
        require(self.full <= self.period, "the budget exceeds the period")
    }
}
