//! The response times of a task that is alone in a constant-bandwidth server.
//!
//! **Model.** Server (Q, T), hard or soft, or `SCHED_DEADLINE` with D = T and without reclaiming;
//! what is asked of a budget is used up by its deadline, or as late as that comes, which counts
//! like jitter. With `v` what a job finds unfinished and its own time, and `n = floor(P/T)`:
//!
//! ```text
//!   whole periods   v = max(0, v' - n Q) + c                R <= ceil(v / Q) T
//!   bandwidth       v = max(0, v' - floor(P Q / T)) + c     R <= (v + Q - 1) T / Q
//! ```
//!
//! where `v'` is that of the job before. The first is sharper where P is a multiple of T; the
//! second decays faster where it is not, and holds where P < T, too.
//!
//! **Argument.** Let `s` be the last instant at which the guest got work and the server a new pair
//! (d = s + T, c = Q), `W` all that was released since `s`, up to the end of the job in question.
//! Until the next such instant a pair is left only when its budget is gone, be it waiting for the
//! deadline (hard), at once (soft), or while the guest sleeps; and the next deadline is one period
//! later. So `W` uses the budgets of `ceil(W / Q)` pairs in turn, the last of which is due at
//! `s + ceil(W / Q) T`, *and it does not matter which of them were kept over how many wake-ups*.
//! If m arrivals lie between, the job arrived at `s + m P` at the earliest and `v >= W − m n Q`
//! (`W − m floor(P Q / T)`), for `v` was at least the time of the job that arrived at `s`. So
//! `R <= ceil(W / Q) T − m P <= ceil(v / Q) T`, for `P >= n T`; and
//! `R <= (W + Q − 1) T / Q − m P <= (v + Q − 1) T / Q`, for `P >= floor(P Q / T) T / Q`.
//!
//! Releases up to `J` after the arrivals: the first one may be, so the job arrived at `s − J + m P`
//! at the earliest, and all is later by `J`. Sections that block: at most one for each release, so
//! each job takes that much longer.
//!
//! **Assumptions.** 1. Arrivals are at least `P` apart, execution times independent and of the
//! distribution stated. 2. The server's budgets are guaranteed. 3. The task is alone in it, and
//! its time is not lost to costs of the machine or cold caches.
//!
//! Reference: Abeni, Buttazzo 1999, where arrivals lie on multiples of T.
//!
//! Theory: docs/theory/backlog.md, docs/theory/constant-bandwidth.md.

use super::{Backlog, Distribution, Probability};
use crate::ground::{Effort, NoBound};
use vorrang_time::Duration;

/// What is left when whole periods are counted, and when the bandwidth is: one of both does not grow.
#[derive(Clone, Debug)]
enum Unfinished {
    ByPeriods(Backlog),
    ByBandwidth(Backlog),
    Both { by_periods: Backlog, by_bandwidth: Backlog },
}

impl Unfinished {
    fn of(by_periods: Option<Backlog>, by_bandwidth: Option<Backlog>) -> Result<Self, NoBound> {
        match (by_periods, by_bandwidth) {
            (Some(backlog), None) => Ok(Self::ByPeriods(backlog)),
            (None, Some(backlog)) => Ok(Self::ByBandwidth(backlog)),
            (Some(by_periods), Some(by_bandwidth)) => Ok(Self::Both { by_periods, by_bandwidth }),
            (None, None) => Err(NoBound::Overload),
        }
    }

    fn by_periods(&self) -> Option<&Backlog> {
        match self {
            Self::ByPeriods(backlog) | Self::Both { by_periods: backlog, .. } => Some(backlog),
            Self::ByBandwidth(_) => None,
        }
    }

    fn by_bandwidth(&self) -> Option<&Backlog> {
        match self {
            Self::ByBandwidth(backlog) | Self::Both { by_bandwidth: backlog, .. } => Some(backlog),
            Self::ByPeriods(_) => None,
        }
    }
}

/// A task alone in its server.
#[derive(Clone, Debug)]
pub struct Reservation {
    cost: Distribution,
    unfinished: Unfinished,
    /// Steps that a budget serves.
    budget: u64,
    period: Duration,
    jitter: Duration,
}

impl Reservation {
    /// Jobs at least `min_interarrival` apart that take `cost`, in a server of `budget` every
    /// `period`.
    ///
    /// # Errors
    /// [`NoBound::Overload`] if the mean cost, in whole steps, is not below what is served between
    /// two arrivals.
    pub fn new(
        cost: Distribution,
        min_interarrival: Duration,
        budget: Duration,
        period: Duration,
        effort: &Effort,
    ) -> Result<Self, NoBound> {
        let steps = budget.as_ns() / cost.step().as_ns();
        let periods = min_interarrival.as_ns() / period.as_ns();
        let whole = steps.checked_mul(periods).ok_or(NoBound::TooLong)?;
        let part = u128::from(min_interarrival.as_ns()) * u128::from(steps);
        let part = part / u128::from(period.as_ns());
        let part = u64::try_from(part).map_err(|_| NoBound::TooLong)?;
        if steps == 0 {
            return Err(NoBound::Overload);
        }
        let by_periods = Backlog::new(&cost, whole, effort).ok();
        // What whole periods already serve is not served better by counting parts of them.
        let by_bandwidth = if part > whole { Backlog::new(&cost, part, effort).ok() } else { None };
        let unfinished = Unfinished::of(by_periods, by_bandwidth)?;
        Ok(Self { unfinished, cost, budget: steps, period, jitter: Duration::ZERO })
    }

    /// The same with releases up to `jitter` after the arrivals.
    #[must_use]
    pub fn released_within(self, jitter: Duration) -> Self {
        Self { jitter, ..self }
    }

    /// At least the probability that a job takes longer than `limit`.
    pub fn later_than(&self, limit: Duration) -> Probability {
        let Some(limit) = limit.as_ns().checked_sub(self.jitter.as_ns()) else {
            return Probability::ONE;
        };
        // Later only if ceil(v / Q) > limit / T, that is, v > floor(limit / T) Q.
        let within = u128::from(limit / self.period.as_ns()) * u128::from(self.budget);
        let by_periods = self.more_than(self.unfinished.by_periods(), Some(within));
        // Later only if v + Q - 1 > limit Q / T.
        let within = u128::from(limit) * u128::from(self.budget) / u128::from(self.period.as_ns());
        let within = (within + 1).checked_sub(u128::from(self.budget));
        by_periods.min(self.more_than(self.unfinished.by_bandwidth(), within))
    }

    /// At least the probability that a job has more than `within` before it and of its own.
    fn more_than(&self, backlog: Option<&Backlog>, within: Option<u128>) -> Probability {
        let (Some(backlog), Some(within)) = (backlog, within) else { return Probability::ONE };
        // Nothing is that long: what comes after is the same.
        let within = i64::try_from(within).unwrap_or(i64::MAX / 2);
        self.cost.mean_ceil(|c| backlog.at_least(within + 1 - i64::from(c)))
    }

    /// What jobs find unfinished, by the one of the two ways in which it is less.
    pub fn backlog(&self) -> (&Backlog, Served) {
        match &self.unfinished {
            Unfinished::ByBandwidth(backlog) | Unfinished::Both { by_bandwidth: backlog, .. } => {
                (backlog, Served::Bandwidth)
            }
            Unfinished::ByPeriods(backlog) => (backlog, Served::WholePeriods),
        }
    }

    /// The time of a job.
    pub fn cost(&self) -> &Distribution {
        &self.cost
    }
}

/// What is counted as served between two arrivals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    /// A budget for each whole period.
    WholePeriods,
    /// The bandwidth, from the first deadline on.
    Bandwidth,
}
