//! `SCHED_DEADLINE` of Linux, in exact fractions.

use super::fraction::Fraction;
use vorrang_model::system::Server;

/// The state of one such server.
#[derive(Clone, Debug)]
pub(super) struct Linux {
    full: u64,
    relative: u64,
    period: u64,
    /// The remaining runtime; below zero after an overrun.
    runtime: Fraction,
    /// Where the runtime ends, while its guest has work.
    least: Fraction,
    deadline: Option<u64>,
    throttled: bool,
    guest_ready: bool,
    /// Until when a server whose guest sleeps counts as active.
    active_until: u64,
    reclaims: bool,
    /// The present rate of the runtime.
    rate: Fraction,
}

impl Linux {
    /// `overrun`: by how much its runtimes end late.
    pub(super) fn new(server: &Server, overrun: u64) -> Self {
        Self {
            least: Fraction::ZERO - Fraction::whole(overrun),
            full: server.budget.as_ns(),
            relative: server.relative_deadline().as_ns(),
            period: server.period.as_ns(),
            runtime: Fraction::whole(server.budget.as_ns()),
            deadline: None,
            throttled: false,
            guest_ready: false,
            active_until: 0,
            reclaims: server.reclaims(),
            rate: Fraction::whole(1),
        }
    }

    /// Counted in 2^-20, rounded up.
    pub(super) fn utilisation(&self) -> Fraction {
        Fraction::of((self.full << 20).div_ceil(self.period), 1 << 20)
    }

    /// Whether its bandwidth is in use or promised from this instant on.
    pub(super) fn is_active(&self, now: u64) -> bool {
        self.guest_ready || now < self.active_until
    }

    /// The bandwidth of the active servers determines the rate of a reclaiming one.
    pub(super) fn set_rate(&mut self, active: Fraction) {
        if self.reclaims {
            let whole = Fraction::whole(1);
            self.rate = if active > whole { whole } else { self.utilisation().max(active) };
        }
    }

    pub(super) fn has_budget(&self) -> bool {
        !self.throttled && !self.is_gone()
    }

    pub(super) fn deadline(&self) -> u64 {
        self.deadline.expect("its guest has got work")
    }

    pub(super) fn pay(&mut self) {
        self.runtime = self.runtime - self.rate;
    }

    fn is_gone(&self) -> bool {
        let above =
            if self.guest_ready { self.runtime > self.least } else { self.runtime.is_positive() };
        !above
    }

    /// Step 2. Whether it is throttled now and was not before.
    pub(super) fn exhaust(&mut self) -> bool {
        let gone = !self.throttled && self.is_gone();
        self.throttled |= gone;
        gone
    }

    /// When a throttled server is replenished, at the earliest: d − D + T.
    fn due(&self) -> u64 {
        self.deadline() - self.relative + self.period
    }

    /// Step 3. Whether it was due.
    pub(super) fn replenish(&mut self, now: u64) -> bool {
        if !self.throttled || self.due() > now {
            return false;
        }
        let mut deadline = self.deadline();
        while !self.runtime.is_positive() {
            deadline += self.period;
            self.runtime = self.runtime + Fraction::whole(self.full);
        }
        if deadline < now {
            deadline = now + self.relative;
            self.runtime = Fraction::whole(self.full);
        }
        self.deadline = Some(deadline);
        self.throttled = false;
        true
    }

    pub(super) fn wake(&mut self, now: u64) {
        self.guest_ready = true;
        if self.throttled {
            return;
        }
        let Some(deadline) = self.deadline else {
            return self.begin(now);
        };
        let constrained = self.relative < self.period;
        if constrained && deadline < now && now < self.due() {
            self.runtime = Fraction::ZERO;
            self.throttled = true;
            return;
        }
        if deadline < now {
            return self.begin(now);
        }
        let left = Fraction::whole(deadline - now) * Fraction::whole(self.full);
        if self.runtime * Fraction::whole(self.relative) > left {
            if !constrained {
                return self.begin(now);
            }
            let runtime = (left / Fraction::whole(self.relative)).floor();
            self.runtime = Fraction::new(runtime, 1);
            self.throttled = !self.runtime.is_positive();
        }
    }

    fn begin(&mut self, now: u64) {
        self.deadline = Some(now + self.relative);
        self.runtime = Fraction::whole(self.full);
    }

    /// Until its 0-lag time d − q·T/Q it stays active.
    pub(super) fn sleep(&mut self, now: u64) {
        self.guest_ready = false;
        self.throttled |= self.is_gone();
        let lag = self.runtime * Fraction::whole(self.period) / Fraction::whole(self.full);
        let until = (Fraction::whole(self.deadline()) - lag).ceil();
        self.active_until = u64::try_from(until).unwrap_or(0).max(now);
        // One that is late by then has its next budget at once.
        self.replenish(now);
    }
}
