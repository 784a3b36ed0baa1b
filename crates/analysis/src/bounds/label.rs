//! What a core does for others, in words: the names of loads that no description names.

use super::budget_timer;
use vorrang_model::system::{SupplyId, System};

/// One for each timer and each member of a core, in their order, and two for each budget whose timers
/// are counted.
#[derive(Clone, Debug)]
pub(super) struct Labels {
    pub(super) callbacks: Vec<String>,
    pub(super) members: Vec<String>,
    /// That it returns, and that it ends.
    pub(super) budgets: Vec<[String; 2]>,
}

impl Labels {
    pub(super) fn new(system: &System, core: SupplyId) -> Self {
        let timers = system.timers_on(core).map(|id| &system.timer(id).name);
        let members = system.supply(core).members.iter();
        let members = members.map(|&member| system.member_name(member));
        let budgets = budget_timer::counted(system, core).map(|id| {
            let name = &system.supply(id).name;
            [format!("returns of {name}"), format!("ends of {name}")]
        });
        Self {
            budgets: budgets.collect(),
            callbacks: timers.map(|name| format!("callbacks of {name}")).collect(),
            members: members.map(|name| format!("calls and switches for {name}")).collect(),
        }
    }
}
