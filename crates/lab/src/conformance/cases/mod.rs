//! The cases: what the documentation of Linux says, one rule each.

mod budget;
mod order;
mod wakeup;

use super::case::Case;

/// The kernel's own work up to an event, all wake-ups, switches, ticks and threads of its own before
/// it together. What was seen is in `docs/lab.md`.
pub(super) const TOLERANCE: u64 = 100_000;

/// All cases; what one sets, those after it find. The last one changes the most.
pub fn all() -> Vec<Case> {
    [wakeup::CASES, order::CASES, budget::CASES].concat()
}
