//! The routine of a guest that has no other, from the request at its core on.
//!
//! **Model.** A request at the core, at `r`, is followed by the routine of the core, which ends within `D`, and then by that of the guest,
//! `w`. From `r` to the end of the routine of the core no member of the core runs, so it does not matter whether the guest
//! wants time there: a window of a server that keeps its budget while its guest wants nothing, or spends it in any case,
//! begins at `r`. Let `y(w)` be what the level of the server takes, and `C N` what the routine of the core takes in that window.
//!
//! ```text
//!    r          E                 p                    done
//!   ─|─ core's ─|─ no budget ···· |─ y(w) − N C ───────|─>
//!    <──── D ───>                 replenished
//! ```
//!
//! | the last replenishment before it is done comes | done after r by |
//! |---|---|
//! | after `E` | `W + y(w) − N C`: requests up to `r` are complete by then, in the same busy window of the level at most |
//! | before `E` | `D − 1 + y(w)` |
//! | not at all | `y(w)` |
//!
//! From `E` on, for any server with the wait `W`: `D + W + y(w) − N C`.
//!
//! **Assumptions.** 1. The routine takes no more than a budget, which is received within each period. 2. The guest has no other
//! routine, and the interrupt no storm and no pseudo-VCPU. 3. The server is on the core, nothing is as urgent as it, and none is scheduled
//! by deadline. 4. What is found, with the jitter, is at most the least inter-arrival time: so one request alone counts.
//!
//! **Cost.** One response time at the level of the server.
//!
//! Theory: docs/theory/delivered-routine.md.

use crate::demand::Load;
use crate::derivation::{Derivation, OfResponse};
use crate::ground::NoBound;
use crate::ground::Source;
use crate::supply::Supply;
use vorrang_time::Duration;

/// The routine of a guest that has no other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delivered<'a> {
    /// Of which interrupt.
    pub(crate) of: Source,
    /// The requests at the core, and what its routine takes.
    pub(crate) at_core: Load<'a>,
    /// From a request to the end of the routine of the core at most.
    pub(crate) delay: Duration,
    /// What the routine of the guest takes: something, and at most a budget.
    pub(crate) routine: Duration,
    /// How long the server may be without budget.
    pub(crate) wait: Duration,
    /// Whether it has the same budget as if its guest had wanted time since the request.
    pub(crate) is_kept: bool,
}

/// How long it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handled {
    /// If there is budget.
    straight: Duration,
    /// Of this, what the routine of the core takes.
    own: Duration,
    /// From the arrival on.
    pub(crate) bound: Duration,
}

impl Delivered<'_> {
    /// The longest time from an arrival to its end, given the level of the server; none if another request may come before.
    ///
    /// # Errors
    /// Why there is no such time.
    pub(crate) fn handled(&self, level: &dyn Supply) -> Result<Option<Handled>, NoBound> {
        let Self { delay, wait, .. } = *self;
        let straight = level.time_for(self.routine)?;
        let own = self.at_core.in_window(straight)?;
        let waited = wait + straight.saturating_sub(own);
        let from_end = delay + waited;
        let before_end = delay.saturating_sub(Duration::RESOLUTION) + straight;
        let time = if self.is_kept {
            from_end.min(waited.max(before_end).max(straight))
        } else {
            from_end
        };
        let bound = self.at_core.arrivals.jitter + time;
        let is_alone = bound <= self.at_core.arrivals.period;
        Ok(is_alone.then_some(Handled { straight, own, bound }))
    }

    /// What the routine of the guest takes, by requests at the core.
    pub(crate) fn load(&self) -> Load<'_> {
        self.at_core.with(self.of, self.routine)
    }

    /// How that comes about.
    pub(crate) fn derive(&self, handled: &Handled, level: &dyn Supply, to: &mut Derivation) {
        let Self { of, delay, wait, routine, is_kept, .. } = *self;
        let Handled { straight, own, bound } = *handled;
        to.push(OfResponse::FromRequest { of, bound });
        to.push(OfResponse::CoreRoutine { delay, wait, straight, own, is_kept });
        to.cite("from the request at the core on; docs/theory/delivered-routine.md");
        to.indented(|to| level.derive(routine, to));
    }
}
