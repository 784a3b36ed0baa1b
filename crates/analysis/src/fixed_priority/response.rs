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
//! **Reserved service.** A pseudo-VCPU may supply a part G of the work before a job's end, at the latest R after its
//! arrival (a pseudo-VCPU does so for the guest). The supply has to provide the rest: the job
//! completes by the least `x` with `x >= supply(... − G)` and `x >= q T − J + R`. How many jobs a busy window has is
//! decided without it.
//!
//! **Full load.** Where the demand takes all of the supply the window need not end. Then it is looked at up to the job from which on none
//! responds later than one before it (docs/theory/full-load.md).
//!
//! Exact on a dedicated core for sporadic tasks without jitter and without blocking.
//!
//! Reference: Lehoczky 1990; Tindell, Burns, Wellings 1994, eq. 4–6; on a supply the same
//! iteration with the inverse supply bound function.
//!
//! Theory: docs/theory/busy-window.md, docs/theory/full-load.md.

use crate::demand::{Load, Loads};
use crate::ground::{Effort, LongRun, NoBound, least_fixed_point};
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
    /// The longest time for which the level of the task can be busy; `None`: it need not end.
    pub busy: Option<Duration>,
}

/// Work ahead of each job, or its own, that a pseudo-VCPU supplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gift {
    /// How much, if the job is not complete before.
    pub work: Duration,
    /// By when, from the arrival of the job.
    pub by: Duration,
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
    response_time_with_gift(supply, own, blocking, loads, None, effort)
}

/// The same where a pseudo-VCPU supplies a part of the work.
///
/// # Errors
/// Why there is no bound.
pub fn response_time_with_gift<S: Supply + ?Sized>(
    supply: &S,
    own: &Load<'_>,
    blocking: Duration,
    loads: Loads<'_>,
    gift: Option<Gift>,
    effort: &Effort,
) -> Result<Response, NoBound> {
    let terms = 1 + loads.len();
    let wanted = loads.rate_floor().plus(own.rate_floor());
    let wanted = effort.expect(wanted, supply.rate_ceil(), terms)?;
    let all = wanted == LongRun::All && gift.is_none();
    let repeated = if all { repeated(supply, own, loads) } else { None };
    let found = worst_job((supply, effort), (own, blocking, loads), gift, repeated);
    found.map_err(|why| wanted.reason(why))
}

/// The job from which on none responds later than one so many before it, where the demand is no more than the supply.
fn repeated<S: Supply + ?Sized>(supply: &S, own: &Load<'_>, loads: Loads<'_>) -> Option<u64> {
    let ((jobs, time), (cost, _)) = (own.arrivals.spacing().cycle(), own.each_cycle()?);
    let whole = loads.leave(supply.repeats()?)?.without(cost, time)?;
    whole.time.div_floor(time).checked_mul(jobs)
}

/// The worst job up to the end of the busy window, or up to the one from which on all is `repeated`.
fn worst_job<S: Supply + ?Sized>(
    (supply, effort): (&S, &Effort),
    (own, blocking, loads): (&Load<'_>, Duration, Loads<'_>),
    gift: Option<Gift>,
    repeated: Option<u64>,
) -> Result<Response, NoBound> {
    let terms = 1 + loads.len();
    let (spacing, jitter) = (own.arrivals.spacing(), own.arrivals.jitter);
    let nothing = Duration::ZERO;
    let mut worst = Response { bound: nothing, job: 0, window: nothing, busy: None };
    let mut demand = blocking;
    let mut window = Duration::ZERO;
    let needed = |work: Duration, x: Duration| {
        let all = work.checked_add(loads.in_window(x)?).ok_or(NoBound::TooLong)?;
        supply.time_for(all)
    };
    for job in 0.. {
        demand = demand.checked_add(own.cost).ok_or(NoBound::TooLong)?;
        let start = supply.time_for(demand)?.max(window + own.cost);
        // Without loads what is needed does not depend on the window.
        window = if loads.is_empty() {
            effort.known(start)?
        } else {
            least_fixed_point(effort, terms, start, |x| needed(demand, x))?
        };
        let due = spacing.after(job).ok_or(NoBound::TooLong)?;
        let end = match gift {
            None => window,
            Some(Gift { work, by }) => {
                let given = (due + by).saturating_sub(jitter);
                let rest = demand.saturating_sub(work);
                let start = given.max(supply.time_for(rest)?);
                least_fixed_point(effort, terms, start, |x| Ok(needed(rest, x)?.max(given)))?
                    .min(window)
            }
        };
        let bound = (end + jitter).saturating_sub(due);
        if job == 0 || bound > worst.bound {
            worst = Response { bound, job, window: end, busy: None };
        }
        let next = spacing.after(job + 1).ok_or(NoBound::TooLong)?;
        if window + jitter <= next {
            return Ok(Response { busy: Some(window), ..worst });
        }
        if repeated == Some(job + 1) {
            break;
        }
    }
    Ok(worst)
}
