//! `SCHED_SPORADIC` of POSIX, with its defects.
//!
//! ```text
//!  Q=2, T=6; the guest has work at 0, in [4, 7) and from 9 on
//!  capacity  2 1 1 1 1 0 1 0 0 0 1 0 1
//!           |#·······#·=·#·····=·#·=·#     # paid   = in the background, unpaid
//!            0       4   6     9
//!  one unit each is activated at 0, 4 and 6, and back at 6, 10 and 12
//! ```
//!
//! **Rules.** State: capacity, at first `Q`; activation time; pending replenishments.
//!
//! * The guest gets work and there is capacity, or there is capacity again while the guest has
//!   work: the *activation time* is that instant.
//! * The guest sleeps, or the capacity is gone: what was consumed since the activation time is
//!   pending, and is added to the capacity, at most to `Q`, at activation time + `T`.
//! * With as many replenishments pending as the list holds, the server counts as exhausted.
//! * Exhausted, its guest goes on in the *background*: below every other member of the parent,
//!   unpaid ([`Server::background`]).
//!
//! **Defects**, each exhibited by `tests/servers/posix.rs`:
//! 1. *Budget amplification.* Where budget is enforced by a tick, the capacity is overdrawn, and the overrun
//!    is replenished like charged time: capacity and pending replenishments together
//!    grow beyond `Q`.
//! 2. *Premature replenishment.* What returns during an activation is consumed under its time, and
//!    so returns again less than a period later.
//! 3. *Incomplete isolation.* Work in the background has no limit, and other members of the lowest urgency
//!    wait for it.
//!
//! **Invariant.** The capacity never exceeds `Q`; the list is ordered and not longer than it may
//! be; an activation is open exactly while the guest has work and the server is not exhausted. If
//! budget is enforced exactly, capacity, open consumption and list sum to `Q`.
//!
//! Reference: IEEE Std 1003.1, `SCHED_SPORADIC`; M. Stanovich, T. Baker, A.-I. Wang, M. González
//! Harbour, Defects of the POSIX sporadic server and how to correct them, RTAS 2010.

use super::{Server, Violation, assert_invariant, require};
use alloc::collections::VecDeque;
use vorrang_time::{Duration, Instant};

/// State of a server by the rules of POSIX.
#[derive(Clone, Debug)]
pub struct PosixSporadic {
    full: Duration,
    period: Duration,
    granularity: Duration,
    capacity: Duration,
    guest_has_work: bool,
    open: Option<Activation>,
    pending: VecDeque<Replenishment>,
    /// How long the list may be.
    limit: usize,
}

/// An interval in which consumption returns together.
#[derive(Clone, Copy, Debug)]
struct Activation {
    since: Instant,
    consumed: Duration,
}

/// Capacity that returns.
#[derive(Clone, Copy, Debug)]
struct Replenishment {
    at: Instant,
    amount: Duration,
}

impl PosixSporadic {
    /// Replenishments that may be pending unless stated otherwise (`sched_ss_max_repl`).
    pub const MAX_REPLENISHMENTS: usize = 8;

    /// A server of `full` capacity per `period`.
    pub fn new(full: Duration, period: Duration) -> Self {
        Self {
            full,
            period,
            granularity: Duration::RESOLUTION,
            capacity: full,
            guest_has_work: false,
            open: None,
            pending: VecDeque::with_capacity(Self::MAX_REPLENISHMENTS),
            limit: Self::MAX_REPLENISHMENTS,
        }
    }

    /// Its capacity is enforced in whole ticks of that length.
    #[must_use]
    pub fn with_granularity(self, granularity: Duration) -> Self {
        Self { granularity: granularity.max(Duration::RESOLUTION), ..self }
    }

    /// That many replenishments may be pending, at least one.
    #[must_use]
    pub fn with_max_replenishments(self, limit: usize) -> Self {
        let limit = limit.max(1);
        Self { pending: VecDeque::with_capacity(limit), limit, ..self }
    }

    fn is_exhausted(&self) -> bool {
        self.capacity.is_zero() || self.pending.len() == self.limit
    }

    fn open(&mut self, now: Instant) {
        if self.guest_has_work && self.open.is_none() && !self.is_exhausted() {
            self.open = Some(Activation { since: now, consumed: Duration::ZERO });
        }
    }

    fn close(&mut self) {
        if let Some(Activation { since, consumed }) = self.open.take()
            && !consumed.is_zero()
        {
            self.pending.push_back(Replenishment { at: since + self.period, amount: consumed });
        }
    }
}

impl Server for PosixSporadic {
    /// More than the capacity by less than a tick.
    fn budget(&self) -> Duration {
        if self.is_exhausted() {
            return Duration::ZERO;
        }
        self.granularity * self.capacity.div_ceil(self.granularity)
    }

    fn consume(&mut self, _now: Instant, amount: Duration) {
        assert_invariant(self);
        self.capacity = self.capacity.saturating_sub(amount);
        if let Some(activation) = &mut self.open {
            activation.consumed += amount;
        }
        if self.capacity.is_zero() {
            self.close();
        }
        assert_invariant(self);
    }

    fn due(&self) -> Instant {
        self.pending.front().map_or(Instant::NEVER, |replenishment| replenishment.at)
    }

    fn replenish(&mut self, now: Instant) {
        assert_invariant(self);
        while let Some(replenishment) = self.pending.front().filter(|pending| pending.at <= now) {
            self.capacity = self.full.min(self.capacity + replenishment.amount);
            self.pending.pop_front();
        }
        self.open(now);
        assert_invariant(self);
    }

    fn wake(&mut self, now: Instant) {
        assert_invariant(self);
        self.guest_has_work = true;
        self.open(now);
        assert_invariant(self);
    }

    fn sleep(&mut self, _now: Instant) {
        assert_invariant(self);
        self.guest_has_work = false;
        self.close();
        assert_invariant(self);
    }

    fn background(&self) -> bool {
        self.guest_has_work && self.is_exhausted()
    }

    fn check(&self) -> Result<(), Violation> {
        let open = self.open.map_or(Duration::ZERO, |activation| activation.consumed);
        let pending: Duration = self.pending.iter().map(|pending| pending.amount).sum();
        require(self.capacity <= self.full, "the capacity exceeds a full one")?;
        require(self.pending.len() <= self.limit, "too many replenishments are pending")?;
        require(
            self.pending.iter().is_sorted_by_key(|pending| pending.at),
            "replenishments are out of order",
        )?;
        require(
            self.open.is_some() == (self.guest_has_work && !self.is_exhausted()),
            "an activation is not open exactly while the guest can be served",
        )?;
        require(
            self.granularity > Duration::RESOLUTION || self.capacity + open + pending == self.full,
            "capacity and what returns do not sum to a full budget",
        )?;
        require(self.full <= self.period, "the budget exceeds the period")
    }
}
