//! Response time of one task under preemptive fixed priority, on any supply.
//!
//! **Model.** The busy window of the task's level starts with one blocking and as many of its own
//! jobs as jitter allows. Job q (from 0) completes at the least
//! `x = supply((q + 1) C + B + sum ceil((x + J_h) / T_h) C_h)`; its response time is
//! `x + J − q T`. The window ends with the first job that completes before the next can be
//! released: `x + J <= (q + 1) T`. Deadlines may be shorter, equal or longer than periods.
//!
//! **Assumptions.** 1. Loads hold everything of higher or equal priority. 2. Jobs of the task run
//! in the order of arrival and do not suspend themselves. 3. At most one blocking of length B per
//! busy window.
//!
//! Exact on a dedicated core for sporadic tasks without jitter and without blocking.
//!
//! Reference: Lehoczky 1990; Tindell, Burns, Wellings 1994, eq. 4–6; on a supply the same
//! iteration with the inverse supply bound function.

use crate::effort::{Effort, NoBound, least_fixed_point};
use crate::load::{Load, Loads};
use crate::supply::Supply;
use vorrang_time::Duration;

/// The worst job of the busy window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// Response time, from the arrival.
    pub bound: Duration,
    /// The job of the busy window that has it, from 0.
    pub job: u64,
    /// From the start of the busy window to the completion of that job.
    pub window: Duration,
}

/// The longest response time of `own` with `blocking`, after `loads`, on `supply`.
///
/// # Errors
/// Why there is no bound.
pub fn response_time<S: Supply + ?Sized>(
    supply: &S,
    own: &Load<'_>,
    blocking: Duration,
    loads: Loads<'_>,
    effort: &Effort,
) -> Result<Response, NoBound> {
    let terms = 1 + loads.len();
    effort.expect(loads.rate_floor().plus(own.rate_floor()), supply.rate_ceil(), terms)?;
    let mut worst: Option<Response> = None;
    let mut demand = blocking;
    let mut window = Duration::ZERO;
    for job in 0.. {
        demand = demand.checked_add(own.cost).ok_or(NoBound::TooLong)?;
        let start = supply.time_for(demand)?.max(window + own.cost);
        window = least_fixed_point(effort, terms, start, |x| {
            let all = demand.checked_add(loads.in_window(x)?).ok_or(NoBound::TooLong)?;
            supply.time_for(all)
        })?;
        let due = own.period.checked_mul(job).ok_or(NoBound::TooLong)?;
        let bound = (window + own.jitter).saturating_sub(due);
        if worst.is_none_or(|known| bound > known.bound) {
            worst = Some(Response { bound, job, window });
        }
        if window + own.jitter <= due + own.period {
            break;
        }
    }
    Ok(worst.expect("the loop looks at one job at least"))
}
