//! Timers that wait until the core runs nothing more urgent than they are.
//!
//! **Model.** A timer requests the timer interrupt when it expires if it is at least as urgent as what the core was
//! decided for last, else at the next decision for something no more urgent than it is. Let `L` be the longest time
//! from an expiry to the end of the callback, its *latency*. Of what has expired before a window, only what did so
//! up to `L` before it is still to be handled. So with `c` for the callback and `e` for entry and exit a timer takes
//! at most `ceil((x + L) / T) (c + e)`, in whatever order and in however many interrupts timers are handled. Where
//! calls of the scheduler take time it takes another `e` each: it may expire during the call that decides for
//! something more urgent, and the interrupt then finds nothing to handle.
//!
//! ```text
//!  nothing urgent   released                      first decision
//!  ----------------|·[ call ][ timers, routines ]|######## urgent work ########
//!                   <------------ W ------------>  only timers as urgent as it
//! ```
//!
//! * Latency: a timer waits in a window in which the core has routines, more urgent members, and
//!   any timers. It begins when neither of the first two is there; all is done in the least
//!   `x = 1 + ` the sum of all these, of what the kernel does for these members, of what it may do before a
//!   decision, of the section that may be under way because the core was idle, of the longest one that may hold up one of
//!   these members, and of what runtimes of these members that end late add. (The 1 stays: what a callback without time releases comes
//!   after the other events of its instant.)
//! * Blocking: once something as urgent as the member is ready, every decision is for something as
//!   urgent; less urgent timers take time before the first one only, that is, within the least
//!   `W = 1 + ` the sum of routines, timers, a section, and what the kernel does before a decision.
//!
//! Until the first decision, and in the window of a timer that nothing is more urgent than, no decision requests the
//! timer interrupt but the one that may be under way. So there a timer takes `ceil((x + L) / T) c + ceil(x / T) e`, and
//! all together another `e`.
//!
//! Latencies depend on each other. They are increased from zero until nothing grows any more; if
//! one were exceeded, at the first such instant all others would still hold, and so would it.
//!
//! **`max-defer` D.** If all latencies are less than D no timer ever waits for so long, and nothing changes: until
//! the first that did, all is as without. Else every timer comes before every member and every routine. In a window
//! of the interrupt level, before which no routine was requested, nothing had waited for D when it began, so what is
//! handled in it expired at most D before it: with `x` the least time in which routines, all timers, each with the
//! jitter D, and a section leave something of the core, `L = D + x`.
//!
//! **Assumptions.** 1. A timer interrupt handles one expiry, or each pays for its own.
//!
//! Reference: Patel, Vanga, Brandenburg 2017 for the mechanism; derived in docs/theory/timer-shield.md.

use super::timer::Timer;
use crate::demand::{Load, Loads};
use crate::ground::{Effort, LONGEST_WINDOW, NoBound};
use crate::request::Urgency;
use crate::supply::{Dedicated, Residual, Supply};
use vorrang_time::Duration;

/// What a shield lets through.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shield {
    /// Until the first decision of a busy window.
    pub(super) first_decision: Duration,
    /// What comes around the callbacks of the interrupt that is under way when such a window begins.
    pub(super) another: Duration,
    /// Whether timers may wait for as long as they may, so that each may come before everything.
    pub(super) may_be_overdue: bool,
}

impl Shield {
    /// What timers less urgent than a member take before the first decision.
    pub(super) fn blocking(self, timers: &[Timer<'_>], urgency: Urgency) -> Duration {
        let less = timers.iter().filter(|timer| timer.urgency < urgency);
        let loads: Vec<Load<'_>> = less.flat_map(Timer::handled_at_once).collect();
        if loads.is_empty() {
            return Duration::ZERO;
        }
        let taken = loads.iter().map(|load| load.cost * load.occurrences(self.first_decision));
        self.another + taken.sum()
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
