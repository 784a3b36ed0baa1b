//! A sporadic scheduling context of seL4: a short queue of refills, independent of what is ready on the
//! parent.
//!
//! ```text
//!  Q=2, T=6; the guest has work at 0 and from 3 on; # it runs, alone
//!          |#··#··#··#··#…
//!          0  3  6  9  12
//!  queue   at 0 (0,2); at 1 (1,1) (6,1); at 3, awake, (3,1) (6,1); at 4 (6,1) (9,1)
//! ```
//!
//! **Rules.** A refill (time, amount) can be used from its time on; at first there is (0, `Q`).
//! Only the first refill is used: the budget is its amount once its time has come.
//!
//! * *Charged* is what was consumed, `x`, when the server stops running, and when its first refill is used
//!   up. Of (`r`, `a`) that leaves (`r + x`, `a − x`), or nothing, and then the refill is gone; after
//!   that (`r + T`, `x`) is queued at the end. It joins the last refill if that reaches to it
//!   (`last.time + last.amount >= r + T`). If the queue is full, which a refill that is gone leaves it
//!   less often than one that is used in part, the last refill is put off to reach it:
//!   `last.time := r + T − last.amount`, and it joins then.
//! * *The guest gets work at t* and the time of the first refill has come: its time is `t`, and
//!   every next refill that it then reaches to (`next.time <= first.time + first.amount`) joins it.
//! * *After each charge*, as long as the first refill has less than the least budget, it joins the next
//!   one, which then begins earlier by as much, and ends when it did.
//!
//! * *A refill is exhausted* and the time of the next has come: the server goes behind those of its priority.
//! * *Round robin*, `Q = T`: there is one refill, whose time has always come. When it is exhausted, or has less
//!   than the least budget when the server stops running, it is `Q` again and the server goes behind those of its
//!   priority. What is left of it is kept while the guest sleeps.
//!
//! It differs from [`super::Sporadic`]: that one takes its times from the level, never delays
//! budget to keep the queue short, and needs as many refills as the budget has pieces.
//!
//! **Assumptions.** 1. [`Server::replenish`] is called when the first refill's time comes, while the
//! server waits for it. 2. [`Server::stop`] is called when it stops running, and has no effect where it
//! does not run. Until then nothing depends on the charge.
//!
//! **Invariant.** The amounts sum to `Q` and are above zero; refills are ordered and disjoint
//! (`time + amount <= next.time`), the last one ends within a period of the first; there are at most as
//! many as the queue holds; less than the first is not yet charged; the first has the least budget, if
//! all have it together.
//!
//! **Cost.** Constant time per refill touched; no allocation after [`RefillQueue::new`].
//!
//! Reference: A. Lyons et al., Scheduling-context capabilities, European Conference on Computer Systems
//! 2018; seL4 16.0.0-dev, `src/kernel/sporadic.c`. The rule is that of M. Stanovich, T. Baker,
//! A.-I. Wang, M. González Harbour, Defects of the POSIX sporadic server and how to correct them,
//! RTAS 2010, but for when it charges.

use super::{Server, Violation, assert_invariant, require};
use alloc::collections::VecDeque;
use vorrang_time::{Duration, Instant};

/// State of a server with a bounded queue of refills.
#[derive(Clone, Debug)]
pub struct RefillQueue {
    full: Duration,
    period: Duration,
    refills: VecDeque<Refill>,
    /// How many there may be.
    limit: usize,
    /// With less than that the first joins the next.
    least: Duration,
    /// Consumed of the first and not charged yet.
    used: Duration,
    /// The time of the first has come.
    usable: bool,
    /// It has used up a refill, or joined one, and goes on: behind its equals.
    is_behind: bool,
}

/// Time that can be used from an instant on.
#[derive(Clone, Copy, Debug)]
struct Refill {
    at: Instant,
    amount: Duration,
}

impl Refill {
    /// When it is used up if it is used from its time on.
    fn end(self) -> Instant {
        self.at + self.amount
    }
}

impl RefillQueue {
    /// Refills that the queue holds unless stated otherwise.
    pub const MAX_REFILLS: usize = 8;

    /// A server of `full` budget per `period`.
    pub fn new(full: Duration, period: Duration) -> Self {
        Self::with_max_refills(full, period, Self::MAX_REFILLS)
    }

    /// A server of `full` budget per `period` whose queue holds `limit` refills, at least two.
    pub fn with_max_refills(full: Duration, period: Duration, limit: usize) -> Self {
        let limit = limit.max(2);
        let mut refills = VecDeque::with_capacity(limit);
        refills.push_back(Refill { at: Instant::ZERO, amount: full });
        let (least, used) = (Duration::ZERO, Duration::ZERO);
        Self { full, period, refills, limit, least, used, usable: true, is_behind: false }
    }

    /// The same where a refill with less than `least` is not used by itself.
    #[must_use]
    pub fn with_least_budget(self, least: Duration) -> Self {
        Self { least, ..self }
    }

    /// Whether its budget is a slice that is there again once it is used up.
    fn is_round_robin(&self) -> bool {
        self.full == self.period
    }

    /// A new slice, behind its equals.
    fn renew(&mut self) {
        self.used = Duration::ZERO;
        self.is_behind = true;
    }

    /// Charges what was consumed of the first refill, which is more than that.
    fn charge_part(&mut self, now: Instant) {
        if self.is_round_robin() {
            if self.budget() < self.least {
                self.renew();
            }
            return;
        }
        let amount = core::mem::take(&mut self.used);
        if amount.is_zero() {
            return;
        }
        let first = self.refills.front_mut().expect("the amounts sum to a full budget");
        let back = Refill { at: first.at + self.period, amount };
        first.at += amount;
        first.amount -= amount;
        self.queue(back);
        if self.join_what_is_too_little() {
            self.is_behind = self.first().at <= now;
        }
    }

    /// Charges the first refill, which is used up.
    fn charge_whole(&mut self) {
        self.used = Duration::ZERO;
        let mut back = self.refills.pop_front().expect("the amounts sum to a full budget");
        back.at += self.period;
        self.queue(back);
        self.join_what_is_too_little();
    }

    /// A first refill below the least budget joins the next, without moving the end of that; returns whether
    /// there was one.
    fn join_what_is_too_little(&mut self) -> bool {
        let before = self.refills.len();
        while self.first().amount < self.least && self.refills.len() > 1 {
            let small = self.refills.pop_front().expect("the first of two").amount;
            let next = self.refills.front_mut().expect("the second of two");
            next.at = next.at - small;
            next.amount += small;
        }
        self.refills.len() < before
    }

    /// Puts consumed time at the end.
    fn queue(&mut self, back: Refill) {
        let is_full = self.refills.len() == self.limit;
        match self.refills.back_mut() {
            Some(last) if last.end() >= back.at => last.amount += back.amount,
            Some(last) if is_full => {
                last.at = back.at - last.amount;
                last.amount += back.amount;
            }
            _ => self.refills.push_back(back),
        }
    }

    /// Lets the first refill begin now, with all those that it then reaches to.
    fn begin(&mut self, now: Instant) {
        let mut first = self.refills.pop_front().expect("the amounts sum to a full budget");
        first.at = now;
        while let Some(next) = self.refills.front().filter(|next| next.at <= first.end()) {
            first.amount += next.amount;
            self.refills.pop_front();
        }
        self.refills.push_front(first);
    }

    fn first(&self) -> Refill {
        *self.refills.front().expect("the amounts sum to a full budget")
    }
}

impl Server for RefillQueue {
    #[inline]
    fn budget(&self) -> Duration {
        if self.usable { self.first().amount - self.used } else { Duration::ZERO }
    }

    fn consume(&mut self, now: Instant, amount: Duration) {
        assert_invariant(self);
        self.used += amount;
        if self.is_round_robin() {
            if self.used >= self.full {
                self.renew();
            }
            return assert_invariant(self);
        }
        while self.used >= self.first().amount {
            let more = self.used - self.first().amount;
            self.charge_whole();
            self.used = more;
            self.is_behind = true;
        }
        self.usable = self.first().at <= now;
        assert_invariant(self);
    }

    fn stop(&mut self, now: Instant) {
        assert_invariant(self);
        self.charge_part(now);
        self.usable &= self.first().at <= now;
        assert_invariant(self);
    }

    fn due(&self) -> Instant {
        if self.usable { Instant::NEVER } else { self.first().at }
    }

    fn replenish(&mut self, now: Instant) {
        assert_invariant(self);
        self.usable = self.first().at <= now;
        assert_invariant(self);
    }

    fn wake(&mut self, now: Instant) {
        assert_invariant(self);
        if self.is_round_robin() {
            return;
        }
        // It may have run up to this very instant.
        self.stop(now);
        if self.usable {
            self.begin(now);
        }
        assert_invariant(self);
    }

    fn goes_behind(&mut self) -> bool {
        core::mem::take(&mut self.is_behind)
    }

    fn check(&self) -> Result<(), Violation> {
        let refills = || self.refills.iter();
        let all: Duration = refills().map(|refill| refill.amount).sum();
        require(all == self.full, "the refills do not sum to a full budget")?;
        require(refills().all(|refill| !refill.amount.is_zero()), "a refill is empty")?;
        require(
            refills().zip(refills().skip(1)).all(|(refill, next)| refill.end() <= next.at),
            "refills overlap or are out of order",
        )?;
        let last = self.refills.back().expect("the amounts sum to a full budget").end();
        require(last <= self.first().at + self.period, "the last refill ends too late")?;
        require(self.refills.len() <= self.limit, "there are too many refills")?;
        require(
            self.first().amount >= self.least.min(self.full),
            "the first refill has less than the least budget",
        )?;
        require(self.used < self.first().amount, "a refill is used up and not charged")?;
        require(self.full <= self.period, "the budget exceeds the period")
    }
}
