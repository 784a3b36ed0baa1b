//! Sporadic server: every piece of budget that is consumed returns one period after it could be
//! used first.
//!
//! ```text
//!  Q=2, T=6; L: something at least as urgent is ready on the parent; # the server runs
//!  L       ──────────────┐     ┌────────
//!          0     2  3    5     8  9
//!  server  ......###########   ........
//!  refills (0,2)         (6,2) (8,2)
//!           used from 3 on, back at 0+6; at 8 the level becomes active, so time starts there
//! ```
//!
//! The budget is a queue of *refills* (time, amount): an amount can be used from its time on.
//! What is consumed is taken from the first refill and queued again one period after the time of
//! that refill. When the level becomes active, no refill keeps an earlier time than now.
//!
//! So each piece by itself behaves as a sporadic task of that length and period T: in a window
//! that starts when the level becomes active it is used at most `ceil(x/T)` times, and a fragment that
//! returned while something more urgent ran keeps its own time.
//!
//! **Invariant.** The amounts sum to `Q`; refills are in the order of time, none further than a
//! period behind the first; the budget is the sum of those whose time has come.
//!
//! **Cost.** One step per refill touched, and a binary search. The queue grows by at most one refill per interval in
//! which the server runs, and equal times merge; it is at most `Q` refills of one nanosecond.
//!
//! Reference: B. Sprunt, L. Sha, J. Lehoczky, Aperiodic task scheduling for hard-real-time
//! systems, Real-Time Systems 1, 1989, for the level that gives the time; M. Stanovich, T. Baker,
//! A.-I. Wang, M. González Harbour, Defects of the POSIX sporadic server, RTAS 2010, for the
//! queue. Budget that is merged under one activation time, as published in 1989, returns too
//! early; merged under the later time it drifts and the server provides too little
//! (`tests/servers/activations.rs` exhibits both).

use super::{Server, Violation, assert_invariant, require};
use alloc::collections::VecDeque;
use vorrang_time::{Duration, Instant};

/// State of a sporadic server.
#[derive(Clone, Debug)]
pub struct Sporadic {
    full: Duration,
    period: Duration,
    refills: VecDeque<Refill>,
    /// The refills at the head whose time has come, and their sum.
    usable: usize,
    budget: Duration,
    level_is_active: bool,
    /// The instant of the last call.
    told: Instant,
}

/// Time that can be used from an instant on.
#[derive(Clone, Copy, Debug)]
struct Refill {
    at: Instant,
    amount: Duration,
}

impl Sporadic {
    /// A server of `full` budget per `period`.
    pub fn new(full: Duration, period: Duration) -> Self {
        Self {
            full,
            period,
            refills: VecDeque::from([Refill { at: Instant::ZERO, amount: full }]),
            usable: 1,
            budget: full,
            level_is_active: false,
            told: Instant::ZERO,
        }
    }

    /// Whether a refill comes back at this very instant. A refill whose time has passed when it is queued is
    /// usable at once.
    pub fn returns_at(&self, now: Instant) -> bool {
        let first = self.refills.partition_point(|refill| refill.at < now).max(self.usable);
        self.refills.get(first).is_some_and(|refill| refill.at == now)
    }

    /// How many refills are queued.
    pub fn refills(&self) -> usize {
        self.refills.len()
    }

    /// Consumes from the first refills.
    fn take(&mut self, mut amount: Duration) {
        while !amount.is_zero() {
            let first = self.refills.front_mut().expect("the amounts sum to a full budget");
            let (at, taken) = (first.at, first.amount.min(amount));
            first.amount -= taken;
            if first.amount.is_zero() {
                self.refills.pop_front();
                self.usable -= 1;
            }
            self.queue(at + self.period, taken);
            self.budget -= taken;
            amount -= taken;
        }
    }

    /// Queues what was consumed of a refill that could be used from `at` on.
    fn queue(&mut self, at: Instant, amount: Duration) {
        // A refill that counts as usable is not added to: its time has come, this one's not.
        let all_are_usable = self.usable == self.refills.len();
        match self.refills.back_mut() {
            Some(last) if last.at == at && !all_are_usable => last.amount += amount,
            _ => self.refills.push_back(Refill { at, amount }),
        }
    }

    /// Counts the refills whose time comes before `end` as budget.
    fn admit(&mut self, end: Instant) {
        while let Some(refill) = self.refills.get(self.usable).filter(|refill| refill.at < end) {
            self.budget += refill.amount;
            self.usable += 1;
        }
    }
}

impl Server for Sporadic {
    #[inline]
    fn budget(&self) -> Duration {
        self.budget
    }

    fn consume(&mut self, now: Instant, amount: Duration) {
        assert_invariant(self);
        // Of a refill that is older than a period, what is consumed is back at once: all but the
        // last of it was there again while the server still ran.
        let last = amount.min(Duration::RESOLUTION);
        self.take(amount - last);
        self.admit(now);
        self.take(last);
        self.told = now;
        assert_invariant(self);
    }

    fn due(&self) -> Instant {
        let next = self.refills.get(self.usable).map_or(Instant::NEVER, |refill| refill.at);
        // What is being consumed now will be back one period after the time of its refill, even
        // before it is charged; what is older than that comes back as it is consumed.
        let back = |refill: &Refill| refill.at + self.period;
        let first = self.refills.partition_point(|refill| back(refill) <= self.told);
        let usable = self.refills.get(first).filter(|_| first < self.usable);
        usable.map_or(next, |refill| next.min(back(refill)))
    }

    fn replenish(&mut self, now: Instant) {
        assert_invariant(self);
        self.admit(now + Duration::RESOLUTION);
        self.told = now;
        assert_invariant(self);
    }

    fn level(&mut self, now: Instant, active: bool) {
        assert_invariant(self);
        if active && !self.level_is_active && self.usable > 0 {
            // All that can be used is one piece from now on.
            self.refills.drain(..self.usable);
            self.refills.push_front(Refill { at: now, amount: self.budget });
            self.usable = 1;
        }
        self.level_is_active = active;
        self.told = now;
        assert_invariant(self);
    }

    fn check(&self) -> Result<(), Violation> {
        // One pass: this is called at every step of a simulation with debug assertions.
        let (mut all, mut usable, mut last) = (Duration::ZERO, Duration::ZERO, Instant::ZERO);
        for (place, refill) in self.refills.iter().enumerate() {
            require(last <= refill.at, "refills are out of order")?;
            last = refill.at;
            all += refill.amount;
            if place < self.usable {
                usable = all;
            }
        }
        require(all == self.full, "the refills do not sum to a full budget")?;
        require(usable == self.budget, "the budget is not the sum of the usable refills")?;
        require(
            match (self.refills.front(), self.refills.back()) {
                (Some(first), Some(last)) => last.at <= first.at + self.period,
                _ => false,
            },
            "a refill is further than a period behind the first",
        )?;
        require(self.full <= self.period, "the budget exceeds the period")
    }
}
