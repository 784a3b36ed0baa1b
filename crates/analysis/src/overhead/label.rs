//! What a core does for others, in words: the names of loads that no description names.

use super::budget_timer;
use crate::tree::server_of;
use vorrang_model::system::{InterruptId, SupplyId, System};

/// One for each timer, each member and each pseudo-VCPU of a core, in their order, and two for each budget whose timers
/// are counted.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    pub(crate) callbacks: Vec<String>,
    pub(crate) members: Vec<String>,
    /// Of each pseudo-VCPU of a member of the core.
    pub(crate) pseudo_vcpus: Vec<(InterruptId, String)>,
    /// That it returns, and that it ends.
    pub(crate) budgets: Vec<[String; 2]>,
}

impl Labels {
    pub(crate) fn new(system: &System, core: SupplyId) -> Self {
        let timers = system.timers_on(core).map(|id| &system.timer(id).name);
        let members = system.supply(core).members.iter();
        let members = members.map(|&member| system.member_name(member));
        let budgets = budget_timer::counted(system, core).map(|id| {
            let name = &system.supply(id).name;
            [format!("returns of {name}"), format!("ends of {name}")]
        });
        let paid = system.interrupts_on(core).filter(|&id| {
            let delivery = system.interrupt(id).delivery.as_ref();
            let paid = delivery.filter(|delivery| delivery.pseudo_vcpu.is_some());
            paid.is_some_and(|delivery| server_of(system, delivery.vcpu).on == core)
        });
        let paid = paid.map(|id| {
            let name = &system.interrupt(id).name;
            (id, format!("calls and switches for the pseudo-VCPU of {name}"))
        });
        Self {
            pseudo_vcpus: paid.collect(),
            budgets: budgets.collect(),
            callbacks: timers.map(|name| format!("callbacks of {name}")).collect(),
            members: members.map(|name| format!("calls and switches for {name}")).collect(),
        }
    }
}
