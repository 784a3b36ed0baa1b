//! The response times of a task that is alone in a constant-bandwidth server.
//!
//! **Model.** Server (Q, T), hard or soft, or `SCHED_DEADLINE` with D = T and without reclaiming;
//! what stands on the server's parent meets the demand criterion, so every budget is used up by its
//! deadline if it is wanted. A job that finds `w` and takes `c` has `v = w + c` before it, and
//! completes within `(ceil(v / Q) + 1) T`.
//!
//! **Argument.** Let `d − T` be the deadline before the one that the server has when its guest gets
//! work, at `s >= d − T`, and let it have used `Q − b` of the budget due at `d`. From then on it
//! provides `k Q − (Q − b)` by `d − T + k T`, for every k, as long as it has work. So the work
//! `W` that arrived since `s` is complete by `d − T + ceil((W + Q − b) / Q) T`, at most
//! `s + (ceil(W / Q) + 1) T`. What is served between two arrivals while there is work is counted
//! as `floor(P / T) Q`; if `m` arrivals lie between, `W = v + m floor(P / T) Q` and the job arrived
//! at `s + m P` at the earliest, so it completes within `(ceil(v / Q) + 1) T` of its arrival. Where
//! the server goes idle the backlog of the walk is zero or more, and the argument begins anew.
//!
//! **Assumptions.** 1. Arrivals are at least `P >= T` apart, execution times independent and
//! of the distribution stated. 2. No jitter, no blocking. 3. The server's budgets are guaranteed.
//!
//! Reference: Abeni, Buttazzo 1999, where arrivals lie on multiples of T and the last period is
//! not needed.

use super::{Backlog, Distribution, Probability};
use crate::effort::NoBound;
use vorrang_time::Duration;

/// A task alone in its server.
#[derive(Clone, Debug)]
pub struct Reservation {
    cost: Distribution,
    backlog: Backlog,
    /// Steps that a budget serves.
    budget: u64,
    period: Duration,
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
    ) -> Result<Self, NoBound> {
        let steps = budget.as_ns() / cost.step().as_ns();
        let periods = min_interarrival.as_ns() / period.as_ns();
        let served = steps.checked_mul(periods).ok_or(NoBound::TooLong)?;
        if steps == 0 {
            return Err(NoBound::Overload);
        }
        Ok(Self { backlog: Backlog::new(&cost, served)?, cost, budget: steps, period })
    }

    /// At least the probability that a job takes longer than `limit`.
    pub fn later_than(&self, limit: Duration) -> Probability {
        let Some(periods) = (limit.as_ns() / self.period.as_ns()).checked_sub(1) else {
            return Probability::ONE;
        };
        // Later only if ceil(v / Q) + 1 > limit / T, that is, v > periods Q.
        let within = i64::try_from(periods.saturating_mul(self.budget)).unwrap_or(i64::MAX / 2);
        self.cost.mean_ceil(|c| self.backlog.at_least(within + 1 - i64::from(c)))
    }
}
