//! Which orders Audsley's algorithm decides.
//!
//! **Assumptions.** 1. What is said of the analysis in docs/design.md, line by line; the tests of `order.rs`
//! permute members where it is said.

use crate::bare::{Trust, bare};
use crate::layout::chain;
use crate::order::Order;
use vorrang_model::System;
use vorrang_model::system::{Costs, Member, SupplyId, TimerQueue};

impl Order {
    /// What may be concluded where no order was found.
    pub(crate) fn trust(&self, system: &System) -> Trust {
        if !self.is_ample {
            Trust::Work
        } else if is_compatible(system, self.supply) {
            Trust::Core
        } else if is_compatible(&bare(system.clone()), self.supply) {
            Trust::Alone
        } else {
            Trust::Work
        }
    }
}

/// Whether what holds at a place of an order depends only on which members are above it, not on their
/// order, and holds higher up as well (docs/design.md has the argument for each line).
pub(crate) fn is_compatible(system: &System, supply: SupplyId) -> bool {
    let core = system.core_of(supply);
    let of_core = system.supply(core);
    let around = chain(system, supply);
    let in_guest = around.iter().any(|&id| system.supply(id).vm.is_some());
    let is_cold =
        |id: usize| system.supplies[id].cache.is_some() && system.core_of(SupplyId(id)) == core;
    let stands_on = |on: SupplyId| system.core_of(on) == core;
    let by_chance = system
        .requirements
        .iter()
        .any(|of| of.probability.is_some() && system.core_of_requirement(of) == core);
    let shielded =
        of_core.timer_queue == TimerQueue::TimerShield && system.timers_on(core).next().is_some();
    let costs_nothing = in_guest || system.costs == Costs::default();
    costs_nothing
        && !by_chance
        && !shielded
        && of_core.kernel.is_none()
        && of_core.overrun.is_zero()
        && of_core.sections.is_zero()
        && system.devices_on(core).next().is_none()
        && system.paid_on(core).next().is_none()
        && !(0..system.supplies.len()).any(is_cold)
        && !system.tasks.iter().any(|task| task.cache.is_some() && stands_on(task.on))
        && system.supply(supply).members.iter().all(|&member| is_free(system, member))
}

/// Whether nothing blocks a member, and it blocks nothing under another order.
fn is_free(system: &System, member: Member) -> bool {
    let keeps = matches!(member, Member::Task(id) if system.keeps(id));
    !keeps && system.blocking(member).is_zero()
}
