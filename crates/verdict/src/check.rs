//! From a description, its bounds and observations to the complete result of `vorrang check`.

use crate::bug::{self, Bug};
use crate::chain;
use crate::checked::Checked;
use crate::earlier::Earlier;
use crate::gather::gather;
use crate::guarantee;
use crate::input::Input;
use crate::loss;
use crate::nearest;
use crate::ruling::Ruling;
use crate::tried;
use crate::verdict;
use vorrang_analysis::Bounds;
use vorrang_analysis::utilisation::occupied;
use vorrang_sim::{Observations, Search};

/// The parts that are evaluated, and their limits.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The search of the simulator.
    pub search: Search,
    /// Whether to search for remedies.
    pub helps: bool,
    /// Whether it was interrupted: the result is then what is known so far.
    pub is_end_wanted: fn() -> bool,
}

impl Limits {
    /// As `vorrang check` does by default, to the end.
    pub fn usual() -> Self {
        Self { search: Search::default(), helps: true, is_end_wanted: || false }
    }
}

/// The verdicts, and the tables beside them. What is to be explained needs bounds with their derivations.
///
/// # Errors
/// Analysis and simulator contradict each other.
pub fn conclude(
    input: Input,
    bounds: Bounds,
    observations: Observations,
    limits: &Limits,
) -> Result<Checked, Bug> {
    conclude_since(input, bounds, observations, limits, Earlier::default())
}

/// The same, after a change.
///
/// # Errors
/// Analysis and simulator contradict each other.
pub fn conclude_since(
    input: Input,
    bounds: Bounds,
    observations: Observations,
    limits: &Limits,
    earlier: Earlier<'_>,
) -> Result<Checked, Bug> {
    let system = &input.system;
    let evidence = gather(system, &bounds, &observations, limits.is_end_wanted);
    let mut rulings =
        verdict::decide(evidence).map_err(|found| bug::of(&input, &observations, &found))?;
    let mut guarantees = guarantee::all(system, &bounds);
    let mut chains = chain::all(system, &bounds, &observations);
    let interrupted = (limits.is_end_wanted)();
    if interrupted {
        rulings.iter_mut().for_each(Ruling::interrupt);
    } else if limits.helps {
        nearest::seek(system, &bounds, (&mut rulings, &mut guarantees, &mut chains));
    }
    // Neither decides anything.
    let (tried, losses) = if interrupted {
        (Vec::new(), Vec::new())
    } else {
        let (same, known) = earlier.losses(system);
        (tried::all(system, &bounds), loss::all(system, &limits.search, (&same, known)))
    };
    if let Some(found) = loss::exceeded(&losses) {
        return Err(bug::of_losses(&input, &found));
    }
    let occupied = occupied(system);
    Ok(Checked {
        input,
        rulings,
        guarantees,
        chains,
        bounds,
        observations,
        occupied,
        tried,
        losses,
        search: limits.search,
        interrupted,
    })
}
