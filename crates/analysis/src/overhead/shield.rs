//! Timers that wait until the core runs nothing more urgent than they are.
//!
//! **Model.** A timer is handled at once if it is at least as urgent as what the core was decided
//! for last, else in the batch of the next decision for something no more urgent than it is. Let
//! `L` be the longest time from an expiry to the end of the callback, its *latency*. Of what has
//! expired before a window, only what did so up to `L` before it is still to be handled; and when
//! no routine is requested as a window begins, every timer interrupt in it comes from an expiry in
//! it. So with `c` for the callback and `e` for entry and exit a timer takes at most
//! `ceil((x + L) / T) c + ceil(x / T) e`.
//!
//! ```text
//!  nothing urgent   released                      first decision
//!  ----------------|·[ batch ][ timers, routines ]|######## urgent work ########
//!                   <------------ W ------------->  only timers as urgent as it
//! ```
//!
//! * Latency: a timer waits in a window in which the core has routines, more urgent members, and
//!   any timers. It begins when neither of the first two is there; all is done in the least
//!   `x = 1 + ` the sum of all these, of what the kernel does for these members, and
//!   of what it may do before a decision. (The 1 stays: what a callback without time releases comes
//!   after the other events of its instant.)
//! * Blocking: once something as urgent as the member is ready, every decision is for something as
//!   urgent; less urgent timers take time before the first one only, that is, within the least
//!   `W = 1 + ` the sum of routines, timers, and what the kernel does before a decision.
//!
//! Latencies depend on each other. They are increased from zero until nothing grows any more; if
//! one were exceeded, at the first such instant all others would still hold, and so would it.
//!
//! **Assumptions.** 1. A timer interrupt handles one expiry, or each pays for its own.
//!
//! Reference: Patel, Vanga, Brandenburg 2017 for the mechanism; derived in docs/theory/timer-shield.md.

use super::timer::Timer;
use crate::competitor::Urgency;
use crate::effort::{Effort, LONGEST_WINDOW, NoBound};
use crate::load::{Load, Loads};
use crate::supply::{Dedicated, Residual, Supply};
use vorrang_time::Duration;

/// What a shield lets through.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shield {
    /// Until the first decision of a busy window.
    pub(super) first_decision: Duration,
}

impl Shield {
    /// What timers less urgent than a member take before the first decision.
    pub(super) fn blocking(self, timers: &[Timer<'_>], urgency: Urgency) -> Duration {
        let less = timers.iter().filter(|timer| timer.urgency < urgency);
        let less = less.flat_map(|timer| [timer.around, timer.callback]);
        less.map(|load| load.cost * load.occurrences(self.first_decision)).sum()
    }
}

/// By when `routines` and `others` have left the core a nanosecond.
///
/// # Errors
/// Why they may never.
pub(super) fn until_idle(
    routines: &[Load<'_>],
    others: &[Load<'_>],
    blocking: Duration,
    effort: &Effort,
) -> Result<Duration, NoBound> {
    let loads = Loads::new(others).after(routines);
    let left = Residual::new(&Dedicated, loads, effort).blocked(blocking);
    let first = left.time_for(Duration::RESOLUTION)?;
    if first > LONGEST_WINDOW { Err(NoBound::TooLong) } else { Ok(first) }
}
