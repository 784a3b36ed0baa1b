//! The cases: one rule of the documentation of Linux each.

mod budget;
mod interrupted;
mod order;
mod shield;
mod wakeup;

use super::case::Case;

/// A reservation that always has work.
pub(super) const SATURATED: &str = "saturated";

/// Cases of the shield of timers, which need its module.
pub fn shield() -> Vec<Case> {
    shield::cases()
}

/// All other cases; settings of one case remain for those after it. The last one changes the most.
pub fn all() -> Vec<Case> {
    let mut all = [wakeup::CASES, order::CASES].concat();
    all.extend(interrupted::cases());
    all.extend(budget::CASES);
    all
}
