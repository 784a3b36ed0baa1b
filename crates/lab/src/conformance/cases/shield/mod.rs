//! Timers that wait while something more urgent runs: the shield of the module `timer_shield`, which is loaded before.

mod order;
mod reservation;
mod running;

use crate::conformance::case::Case;

/// The parameter of the module that limits for how long a timer waits, in nanoseconds.
const MAX_DEFER: &str = "/sys/module/timer_shield/parameters/max_defer";

/// All of them. The last one changes the parameter.
pub(super) fn cases() -> Vec<Case> {
    [order::CASES, running::CASES, reservation::CASES].concat()
}
