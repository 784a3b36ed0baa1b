//! The findings of `vorrang check`, independent of their presentation.

use crate::chain::ChainRuling;
use crate::guarantee::Guarantee;
use crate::input::Input;
use crate::loss::Lost;
use crate::outcome::Verdict;
use crate::ruling::Ruling;
use crate::tried::Tried;
use crate::verdict;
use vorrang_analysis::Bounds;
use vorrang_analysis::utilisation::Occupied;
use vorrang_sim::{Observations, Search};

/// The verdicts on requirements, budgets and chains.
pub type Decided = (Vec<Ruling>, Vec<Guarantee>, Vec<ChainRuling>);

/// All parts of a report.
pub struct Checked {
    /// The description.
    pub input: Input,
    /// One per requirement, in the order of declaration.
    pub rulings: Vec<Ruling>,
    /// One per server with a budget.
    pub guarantees: Vec<Guarantee>,
    /// One per requirement of a chain.
    pub chains: Vec<ChainRuling>,
    /// All bounds; with their derivations if they were asked for.
    pub bounds: Bounds,
    /// What the simulator did.
    pub observations: Observations,
    /// What is reserved, used and left of each core and server.
    pub occupied: Vec<Occupied>,
    /// The utilisation bounds that were also evaluated.
    pub tried: Vec<Tried>,
    /// Overheads of the machine; empty where there are none.
    pub losses: Vec<Lost>,
    /// With what the simulator searched.
    pub search: Search,
    /// Whether Ctrl-C ended it, so that some of this is missing.
    pub interrupted: bool,
}

impl Checked {
    /// The verdict on all of it; `None`: nothing is required.
    pub fn verdict(&self) -> Option<Verdict> {
        verdict::of_all(&self.rulings, &self.guarantees, &self.chains)
    }
}
