//! `SCHED_DEADLINE` of Linux: a hard constant-bandwidth server with its own deadline, another wake-up rule,
//! overruns that are paid back, and reclaiming.
//!
//! ```text
//!  Q=2, D=T=5, granularity 3; the guest has work from 0 on, alone
//!          |######····|######····|######··············|###
//!          0     3    5     8    10    13             20
//!  runtime 2    -1    1    -2    2    -1              1
//!  deadline 5        10         20                    25
//!  at 3 one unit is overdrawn, which the next period pays; at 8 two are, and at 10 a whole
//!  period pays for them, so the deadline moves by two
//! ```
//!
//! **Rules.** State: runtime `q`, deadline `d`, none at first. Parameters `Q <= D <= T`.
//!
//! * *The guest gets work at t.* Throttled: stays so. Without a deadline: `d := t + D, q := Q`.
//!   With `d < t < d − D + T`: `q := 0`, throttled. Else if `d < t` or `q·D > (d − t)·Q`
//!   (strictly): with `D = T` or `d < t` afresh, `d := t + D, q := Q`; otherwise (the *revised*
//!   rule) `q := floor((d − t)·Q/D)` and `d` is kept.
//! * *`q <= 0`*: throttled until `d − D + T`. Then, until `q > 0`: `d += T, q += Q`; if that
//!   leaves `d` in the past: `d := t + D, q := Q`.
//! * *Reclaiming (GRUB)*: `q` falls by the bandwidth of all active servers of the parent instead
//!   of 1, by at least its own and at most 1. That is Linux's `max(U, 1 − U_inactive − U_extra)`:
//!   bandwidth that is not reserved (`U_extra`) is not reclaimed. A server whose guest sleeps
//!   stays active until its 0-lag time `d − q·T/Q`, rounded up; if that has passed, no longer.
//! * *Overrun*: while the guest has work, the runtime ends that much below zero.
//! * *Granularity*: where budget is enforced by a tick, the guest runs in whole ticks, so `q` may
//!   become negative.
//!
//! **Assumptions.** 1. Runtime is counted in 2^-20 ns and bandwidth in 2^-20, so a charge is exact
//! and does not depend on how an interval is divided. 2. Overruns stay below a year.
//!
//! **Invariant.** `q <= Q`; unless throttled, `q > 0` once there is a deadline, or as much more as it
//! may be overrun.
//!
//! Reference: kernel/sched/deadline.c and Documentation/scheduler/sched-deadline.rst of Linux;
//! L. Abeni, J. Lelli, C. Scordino, L. Palopoli, Greedy CPU reclaiming for `SCHED_DEADLINE`,
//! RTLWS 2014; L. Abeni, G. Lipari, J. Lelli, Constant bandwidth server revisited, 2014.

use super::{Bandwidth, Server, Violation, assert_invariant, require};
use vorrang_time::{Duration, Instant};

/// State of a `SCHED_DEADLINE` server.
#[derive(Clone, Debug)]
pub struct SchedDeadline {
    full: Duration,
    relative: Duration,
    period: Duration,
    granularity: Duration,
    /// By how much the runtime may fall below zero before it ends, while the guest has work.
    overrun: Duration,
    reclaims: bool,
    /// Its bandwidth.
    own: Bandwidth,
    /// The remaining runtime, in 2^-20 ns; below zero after an overrun.
    runtime: i128,
    /// `None`: the guest never had work.
    deadline: Option<Instant>,
    throttled: bool,
    activity: Activity,
    /// The sum of the active bandwidths on the parent.
    active: Bandwidth,
}

/// Whether its bandwidth is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Activity {
    /// The guest has work.
    Active,
    /// The guest has none, but its bandwidth stays active until then.
    Until(Instant),
    /// Its bandwidth may be reclaimed.
    Inactive,
}

impl SchedDeadline {
    /// A server of `full` runtime within `deadline` of the beginning of every `period`.
    ///
    /// # Panics
    /// Unless 0 < `full` <= `deadline` <= `period`.
    pub fn new(full: Duration, deadline: Duration, period: Duration) -> Self {
        let is_possible = !full.is_zero() && full <= deadline && deadline <= period;
        assert!(is_possible, "a runtime of {full} within {deadline} of every {period}");
        Self {
            full,
            relative: deadline,
            period,
            granularity: Duration::RESOLUTION,
            overrun: Duration::ZERO,
            reclaims: false,
            own: Bandwidth::of(full, period),
            runtime: scaled(full),
            deadline: None,
            throttled: false,
            activity: Activity::Inactive,
            active: Bandwidth::NONE,
        }
    }

    /// It reclaims (GRUB).
    #[must_use]
    pub fn reclaiming(self) -> Self {
        Self { reclaims: true, ..self }
    }

    /// Its runtime is enforced in whole ticks of that length.
    #[must_use]
    pub fn with_granularity(self, granularity: Duration) -> Self {
        Self { granularity: granularity.max(Duration::RESOLUTION), ..self }
    }

    /// Its runtime ends this late, as long as the guest has work.
    #[must_use]
    pub fn overrun_by(self, overrun: Duration) -> Self {
        Self { overrun, ..self }
    }

    /// The guest gives up the rest of its runtime (`sched_yield`).
    pub fn give_up(&mut self) {
        assert_invariant(self);
        if self.deadline.is_some() {
            self.runtime = self.runtime.min(0);
            self.throttled = true;
        }
        assert_invariant(self);
    }

    /// The runtime, in 2^-20 ns, that is charged for a nanosecond.
    fn rate(&self) -> i128 {
        let whole = Bandwidth::WHOLE;
        let rate = if self.reclaims { self.active.clamp(self.own, whole) } else { whole };
        rate.parts()
    }

    /// Where a runtime ends: below zero while the guest has work.
    fn least(&self) -> i128 {
        if self.activity == Activity::Active { -scaled(self.overrun) } else { 0 }
    }

    /// The longest time until the runtime is gone: at most a period, for the rate is at least the
    /// own bandwidth.
    fn time_left(&self) -> Duration {
        let left = self.runtime - self.least();
        let time = if self.reclaims {
            (left + self.rate() - 1) / self.rate()
        } else {
            (left + Bandwidth::WHOLE.parts() - 1) >> Bandwidth::SHIFT
        };
        Duration::from_ns(u64::try_from(time).expect("at most a period"))
    }

    /// Whether a runtime ends, or has ended.
    fn is_used_up(&self) -> bool {
        self.deadline.is_some() && self.runtime <= self.least()
    }

    /// When a throttled server is replenished.
    fn release(&self) -> Instant {
        self.deadline.map_or(Instant::NEVER, |deadline| deadline + (self.period - self.relative))
    }

    fn start_afresh(&mut self, now: Instant) {
        self.deadline = Some(now + self.relative);
        self.runtime = scaled(self.full);
    }

    /// The wake-up rule.
    fn wake_to(&mut self, deadline: Instant, now: Instant) {
        let left = i128::from(deadline.saturating_since(now).as_ns());
        let (full, relative) = (scaled(self.full), i128::from(self.relative.as_ns()));
        if deadline < now && now < self.release() {
            self.runtime = 0;
        } else if deadline < now || self.runtime * relative > left * full {
            if deadline < now || self.relative == self.period {
                self.start_afresh(now);
            } else {
                let runtime = left * i128::from(self.full.as_ns()) / relative;
                self.runtime = runtime << Bandwidth::SHIFT;
            }
        }
        self.throttled = self.runtime <= 0;
    }

    /// The 0-lag time, if the guest sleeps from `now` on.
    fn zero_lag(&self) -> Option<Instant> {
        let deadline = self.deadline?;
        let ahead = (self.runtime * i128::from(self.period.as_ns())).div_euclid(scaled(self.full));
        let at = i128::from(deadline.as_ns()) - ahead;
        Some(u64::try_from(at.max(0)).map_or(Instant::NEVER, Instant::from_ns))
    }
}

/// In 2^-20 ns.
fn scaled(duration: Duration) -> i128 {
    i128::from(duration.as_ns()) << Bandwidth::SHIFT
}

impl Server for SchedDeadline {
    /// More than the runtime by less than a tick.
    fn budget(&self) -> Duration {
        if self.throttled {
            return Duration::ZERO;
        }
        if self.granularity == Duration::RESOLUTION {
            return self.time_left();
        }
        self.granularity * self.time_left().div_ceil(self.granularity)
    }

    fn consume(&mut self, _now: Instant, amount: Duration) {
        assert_invariant(self);
        self.runtime -= i128::from(amount.as_ns()) * self.rate();
        self.throttled |= self.is_used_up();
        assert_invariant(self);
    }

    fn due(&self) -> Instant {
        let release = if self.throttled { self.release() } else { Instant::NEVER };
        match self.activity {
            Activity::Until(at) => at.min(release),
            Activity::Active | Activity::Inactive => release,
        }
    }

    fn replenish(&mut self, now: Instant) {
        assert_invariant(self);
        if matches!(self.activity, Activity::Until(at) if at <= now) {
            self.activity = Activity::Inactive;
        }
        if self.throttled && self.release() <= now {
            let periods = (-self.runtime).div_euclid(scaled(self.full)) + 1;
            self.runtime += scaled(self.full) * periods;
            let periods = u64::try_from(periods).expect("overruns are below a year");
            self.deadline = self.deadline.map(|deadline| deadline + self.period * periods);
            if self.deadline.is_some_and(|deadline| deadline < now) {
                self.start_afresh(now);
            }
            self.throttled = false;
        }
        assert_invariant(self);
    }

    fn wake(&mut self, now: Instant) {
        assert_invariant(self);
        self.activity = Activity::Active;
        match self.deadline {
            None => self.start_afresh(now),
            Some(deadline) if !self.throttled => self.wake_to(deadline, now),
            Some(_) => {}
        }
        assert_invariant(self);
    }

    fn sleep(&mut self, now: Instant) {
        assert_invariant(self);
        if self.activity == Activity::Active {
            self.activity = match self.zero_lag() {
                Some(at) if at > now => Activity::Until(at),
                _ => Activity::Inactive,
            };
            self.throttled |= self.is_used_up();
        }
        assert_invariant(self);
    }

    fn bandwidth(&self) -> Bandwidth {
        if self.activity == Activity::Inactive { Bandwidth::NONE } else { self.own }
    }

    fn reclaim(&mut self, active: Bandwidth) {
        assert_invariant(self);
        self.active = active;
        assert_invariant(self);
    }

    fn deadline(&self) -> Instant {
        self.deadline.unwrap_or(Instant::NEVER)
    }

    fn check(&self) -> Result<(), Violation> {
        require(self.runtime <= scaled(self.full), "the runtime exceeds a full one")?;
        require(self.throttled || !self.is_used_up(), "no runtime, and not throttled")?;
        require(!self.throttled || self.deadline.is_some(), "throttled without a deadline")?;
        require(
            self.deadline.is_some() || self.activity == Activity::Inactive,
            "active without a deadline",
        )
    }
}
