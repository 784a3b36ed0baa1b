//! What no analysis covers in a description with values left open.
//!
//! **Model.** The description is analysed with the first of what may be chosen for each value. What has no bound then
//! for want of an analysis mostly has none with other budgets and periods either; another kind or place may be
//! covered.
//!
//! **Assumptions.** 1. None: it is said of the choice that was looked at.

use crate::judge::declared;
use crate::layout::provisional;
use vorrang_analysis::{Reason, bounds};
use vorrang_model::Open;

/// Names of requirements, and of servers whose budget is not guaranteed, each with the reason.
pub fn uncovered(open: &mut Open) -> Vec<(String, String)> {
    let first = provisional(open, &vec![None; open.values().len()]);
    let Some(system) = open.resolve(&first) else { return Vec::new() };
    let found = bounds(&system);
    let is_uncovered = |reason: &&Reason| matches!(reason, Reason::NotCovered { .. });
    let required = system.requirements.iter().filter_map(|required| {
        let reason = found.requirement(required).reason().filter(is_uncovered)?;
        Some((required.name.clone(), reason.to_string()))
    });
    let budgets = declared(&system).filter_map(|id| {
        let reason = found.reservation(&system, id)?.err().filter(is_uncovered)?;
        Some((system.supply(id).name.clone(), reason.to_string()))
    });
    required.chain(budgets).collect()
}
