//! Timers that wait while something more urgent runs: the shield of the module `timer_shield`, which is loaded before.

mod order;
mod reservation;
mod running;

use crate::conformance::case::Case;

/// All of them. The last one changes the parameter.
pub(super) fn cases() -> Vec<Case> {
    [order::CASES, running::CASES, reservation::CASES].concat()
}
