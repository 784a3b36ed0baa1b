//! The search for long responses, which ends where bounds say that there are no longer ones.

use crate::earlier::Earlier;
use vorrang_analysis::Bounds;
use vorrang_model::System;
use vorrang_sim::{Observations, Observer, Progress, Search};

/// Looks for long responses, and no further where one is as long as its bound.
pub fn search(
    system: &System,
    bounds: &Bounds,
    search: &Search,
    observer: &mut impl Observer,
    progress: &mut impl FnMut(Progress),
) -> Observations {
    Earlier::default().search((system, bounds), search, observer, progress)
}
