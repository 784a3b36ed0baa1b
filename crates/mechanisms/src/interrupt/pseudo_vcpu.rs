//! Pseudo-VCPU: a reservation for one interrupt of a guest, beside the one of its virtual
//! processor.
//!
//! ```text
//!  Q=2, T=6, c=2, arrival: requests at 1 and 4, the second is held back
//!  requests   1     4
//!             |     |· · ·|             held back (masked) until 1 + T
//!  budget   0 0 2 1 0 . . 0 2 1 0       c at the end of the core's routine, here 1 long
//!               ####        ####        the guest runs on it
//! ```
//!
//! **Model.** Three rules of replenishment, and of holding back requests that exceed the budget
//! ("Pseudo-VCPUs" in `docs/model.md`); `c` is the time of one interrupt in the guest.
//!
//! * [`Rule::Arrival`]: `floor(Q/c)` credits, each back a period after a *request* took it.
//! * [`Rule::Deferrable`]: the full budget at every multiple of the period.
//! * [`Rule::Released`]: `c` for every interrupt, and all of it lost at every multiple of the period, except
//!   the budget on which the interrupt runs at that instant: as in the code released with Linux/RK 1.5.
//!
//! **Assumptions.** The caller stores the requests that are held back, releases them in order, and reports
//! which interrupts enter and leave the guest.
//!
//! **Invariant.** By *arrival*, no more credits are taken than there are, and there is no budget
//! while no interrupt of it is in the guest; by the other rules the budget never exceeds `Q`.
//!
//! **Cost.** Constant time and memory for the periodic rules; *arrival* keeps an instant for every
//! credit taken in the last period.
//!
//! Reference: H. Kim, S. Wang, R. Rajkumar, Responsive and enforced interrupt handling for
//! real-time system virtualization, RTCSA 2015. The published response time holds by *arrival*
//! only; the tests of the simulator exhibit a failure of *released*.

use crate::server::{Server, Violation, assert_invariant, require};
use alloc::collections::VecDeque;
use vorrang_time::{Duration, Instant};

/// The replenishment rule of a pseudo-VCPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// From credits that are back a period after they were taken.
    Arrival,
    /// All of it at every multiple of the period.
    Deferrable,
    /// With every interrupt, until the next multiple of the period.
    Released,
}

/// State of a pseudo-VCPU.
#[derive(Clone, Debug)]
pub struct PseudoVcpu {
    rule: Rule,
    full: Duration,
    period: Duration,
    /// The time of one interrupt.
    credit: Duration,
    budget: Duration,
    /// The next multiple of the period.
    next: Instant,
    /// When the outstanding credits were taken.
    taken: VecDeque<Instant>,
    /// What was added since the last multiple of the period.
    added: Duration,
    /// Interrupts of it that are in the guest.
    inside: u64,
    is_masked: bool,
    runs_own: bool,
}

impl PseudoVcpu {
    /// `full` budget every `period` for interrupts of `credit` each, at most `full`; the multiples
    /// of the period are counted from `phase`.
    pub fn new(
        rule: Rule,
        full: Duration,
        period: Duration,
        credit: Duration,
        phase: Duration,
    ) -> Self {
        Self {
            rule,
            full,
            period,
            credit,
            budget: if rule == Rule::Deferrable { full } else { Duration::ZERO },
            next: if rule == Rule::Arrival { Instant::NEVER } else { Instant::ZERO + phase },
            taken: VecDeque::new(),
            added: Duration::ZERO,
            inside: 0,
            is_masked: false,
            runs_own: false,
        }
    }

    /// An interrupt is requested; returns whether it is admitted. If not, it and those that follow are held
    /// back until they are released in order.
    pub fn request(&mut self, now: Instant) -> bool {
        let passes = !self.is_masked && self.let_through(now);
        self.is_masked = !passes;
        passes
    }

    /// Whether one more request that was held back is released.
    pub fn let_through(&mut self, now: Instant) -> bool {
        assert_invariant(self);
        let passes = match self.rule {
            Rule::Arrival => self.take_credit(now),
            Rule::Deferrable => !self.budget.is_zero(),
            Rule::Released => !self.budget.is_zero() || self.added < self.full,
        };
        assert_invariant(self);
        passes
    }

    /// Nothing is held back any more.
    pub fn unmask(&mut self) {
        self.is_masked = false;
    }

    /// Whether requests are held back.
    pub fn is_masked(&self) -> bool {
        self.is_masked
    }

    /// The routine of the core is complete: the interrupt is in the guest, by itself, or `merged`
    /// with one that is there.
    pub fn enter(&mut self, merged: bool) {
        assert_invariant(self);
        self.inside += u64::from(!merged);
        let before = self.budget;
        match self.rule {
            Rule::Arrival => self.budget += self.credit,
            Rule::Deferrable => {}
            Rule::Released => self.budget = self.full.min(before + self.credit),
        }
        self.added += self.budget - before;
        assert_invariant(self);
    }

    /// An interrupt in the guest is handled.
    pub fn leave(&mut self) {
        assert_invariant(self);
        self.inside -= 1;
        if self.rule == Rule::Arrival && self.inside == 0 {
            self.budget = Duration::ZERO;
        }
        assert_invariant(self);
    }

    /// All of its interrupts in the guest are handled.
    pub fn leave_all(&mut self) {
        if self.inside > 0 {
            self.inside = 1;
            self.leave();
        }
    }

    /// Whether a routine of the interrupt, or a job of the task it wakes, has run on it up to the
    /// instant of the next [`Server::replenish`] and is not complete.
    pub fn runs_own(&mut self, runs_own: bool) {
        self.runs_own = runs_own;
    }

    fn take_credit(&mut self, now: Instant) -> bool {
        while self.taken.front().is_some_and(|&taken| taken + self.period <= now) {
            self.taken.pop_front();
        }
        let is_left = (self.taken.len() as u64) < self.credits();
        if is_left {
            self.taken.push_back(now);
        }
        is_left
    }

    fn credits(&self) -> u64 {
        self.full.div_floor(self.credit)
    }
}

impl Server for PseudoVcpu {
    #[inline]
    fn budget(&self) -> Duration {
        self.budget
    }

    /// Budget that was dropped at this instant cannot be charged.
    fn consume(&mut self, _now: Instant, amount: Duration) {
        assert_invariant(self);
        if self.rule == Rule::Arrival && self.inside == 0 {
            return;
        }
        self.budget -= amount;
        assert_invariant(self);
    }

    /// By *arrival* a credit matters only for requests that are held back.
    fn due(&self) -> Instant {
        match self.taken.front() {
            Some(&taken) if self.is_masked => taken + self.period,
            _ => self.next,
        }
    }

    fn replenish(&mut self, _now: Instant) {
        assert_invariant(self);
        match self.rule {
            Rule::Arrival => return,
            Rule::Deferrable => self.budget = self.full,
            Rule::Released if self.runs_own => self.budget = self.credit.min(self.budget),
            Rule::Released => self.budget = Duration::ZERO,
        }
        self.added = Duration::ZERO;
        self.next += self.period;
        assert_invariant(self);
    }

    fn check(&self) -> Result<(), Violation> {
        require(self.credit <= self.full, "one interrupt exceeds the budget")?;
        require(self.full <= self.period, "the budget exceeds the period")?;
        match self.rule {
            Rule::Arrival => {
                require(self.taken.len() as u64 <= self.credits(), "a credit too many is taken")?;
                require(self.taken.iter().is_sorted(), "credits are out of order")?;
                require(
                    self.inside > 0 || self.budget.is_zero(),
                    "there is budget without an interrupt in the guest",
                )
            }
            Rule::Deferrable | Rule::Released => {
                require(self.budget <= self.full, "the budget exceeds a full one")
            }
        }
    }
}
