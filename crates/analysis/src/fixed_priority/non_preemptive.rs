//! Response time of a task whose jobs are not preempted by the other members of its supply.
//!
//! **Model.** Job q (from 0) of the busy window has begun by the least `x` in which the supply provides all that comes before it and
//! its first nanosecond. What arrives later is not counted, so the job completes by `f`:
//!
//! ```text
//!   x = supply(q C + B + sum ceil((x + J_h) / T_h) C_h + 1 ns)
//!   f = supply(q C + B + sum ceil((x + J_h) / T_h) C_h + C)
//! ```
//!
//! Its response time is `f + J − q T`. The window is that of a task that is preempted, so it holds the same jobs: a job
//! that is not preempted leaves what came meanwhile to the next one, whose response may be longer.
//!
//! **Assumptions.** 1. Those of `response.rs`; B holds the longest job of a less urgent member that is not preempted.
//! 2. What does interrupt the job is taken from the supply. 3. The machine takes no time.
//!
//! Reference: Davis, Burns, Bril, Lukkien 2007, section 4.
//!
//! Theory: docs/theory/non-preemptive.md.

use crate::demand::{Load, Loads};
use crate::ground::{Effort, NoBound, least_fixed_point};
use crate::supply::Supply;
use vorrang_time::Duration;

/// The worst job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    /// From the arrival.
    pub(crate) bound: Duration,
    /// The job of the busy window that has it, from 0.
    pub(crate) job: u64,
    /// From the start of the busy window until its first nanosecond is done, and until all is.
    pub(crate) begun: Duration,
    pub(crate) window: Duration,
}

/// The longest response time of `own` with `blocking`, after `loads`, in a busy window that ends after `busy`.
///
/// # Errors
/// Why there is no bound.
pub(crate) fn response_without_preemption(
    supply: &dyn Supply,
    own: &Load<'_>,
    (blocking, loads): (Duration, Loads<'_>),
    busy: Duration,
    effort: &Effort,
) -> Result<Kept, NoBound> {
    let (spacing, jitter) = (own.arrivals.spacing(), own.arrivals.jitter);
    let sum = |one: Duration, other: Duration| one.checked_add(other).ok_or(NoBound::TooLong);
    let mut worst = None::<Kept>;
    let mut before = blocking;
    let mut begun = Duration::ZERO;
    for job in 0.. {
        let due = spacing.after(job).ok_or(NoBound::TooLong)?;
        if job > 0 && sum(busy, jitter)? <= due {
            break;
        }
        let first = sum(before, Duration::RESOLUTION)?;
        let start = supply.time_for(first)?.max(begun);
        begun = least_fixed_point(effort, 1 + loads.len(), start, |x| {
            supply.time_for(sum(first, loads.in_window(x)?)?)
        })?;
        let work = sum(sum(before, loads.in_window(begun)?)?, own.cost)?;
        let window = supply.time_for(work)?;
        let bound = sum(window, jitter)?.saturating_sub(due);
        if worst.is_none_or(|worst| bound > worst.bound) {
            worst = Some(Kept { bound, job, begun, window });
        }
        before = sum(before, own.cost)?;
    }
    worst.ok_or(NoBound::TooLong)
}
