//! The search for long responses, which ends where bounds say that there are no longer ones.

use vorrang_analysis::Bounds;
use vorrang_model::System;
use vorrang_sim::{Ceilings, Observations, Observer, Progress, Search, search_observed};

/// Looks for long responses, and no further where one is as long as its bound.
pub fn search(
    system: &System,
    bounds: &Bounds,
    search: &Search,
    observer: &mut impl Observer,
    progress: &mut impl FnMut(Progress),
) -> Observations {
    let ceilings = Ceilings {
        tasks: system.task_ids().map(|id| bounds.task(id).bound()).collect(),
        interrupts: system.interrupt_ids().map(|id| bounds.interrupt(id).bound()).collect(),
    };
    search_observed(system, search, &ceilings, observer, progress)
}
