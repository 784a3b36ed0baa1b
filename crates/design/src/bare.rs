//! A system without what the machine takes for itself: what holds for the system holds for it, too.

use vorrang_model::System;
use vorrang_model::system::{Activation, Costs, RequirementKind, Scheduler, ServerKind, SupplyId};
use vorrang_time::Duration;

/// The same without costs, caches, interrupts, timers and cards. What they would have woken comes by itself,
/// as often; what requires an interrupt to be handled is dropped.
pub(crate) fn bare(mut system: System) -> System {
    system.costs = Costs::default();
    for supply in &mut system.supplies {
        (supply.cache, supply.overrun) = (None, Duration::ZERO);
    }
    for task in &mut system.tasks {
        (task.cache, task.activation) = (None, Activation::Sporadic);
    }
    let of_task = |kind: RequirementKind| matches!(kind, RequirementKind::Deadline(_));
    system.requirements.retain(|required| of_task(required.kind));
    system.interrupts.clear();
    system.timers.clear();
    system.devices.clear();
    system
}

/// Whether the assumptions under which a search is exact hold for a core: nothing is taken by the machine,
/// and nothing comes before servers with deadlines that makes them late.
pub(crate) fn is_plain(system: &System, core: SupplyId) -> bool {
    let by_deadline = |kind: ServerKind| {
        use ServerKind::{CbsHard, CbsSoft, SchedDeadline};
        matches!(kind, CbsHard | CbsSoft | SchedDeadline)
    };
    let below = |id: &SupplyId| system.core_of(*id) == core;
    let late = (0..system.supplies.len()).map(SupplyId).filter(below).any(|id| {
        let supply = system.supply(id);
        let reserves = supply.server.as_ref().is_some_and(|server| by_deadline(server.kind));
        reserves || supply.scheduler == Scheduler::Edf && supply.server.is_none()
    });
    let interrupted =
        system.interrupts_on(core).next().is_some() || system.timers_on(core).next().is_some();
    let pays =
        |id| system.interrupt(id).delivery.as_ref().is_some_and(|to| to.pseudo_vcpu.is_some());
    system.costs == Costs::default()
        && system.supply(core).kernel.is_none()
        && system.supply(core).overrun.is_zero()
        && system.supplies.iter().all(|supply| supply.cache.is_none())
        && system.tasks.iter().all(|task| task.cache.is_none())
        && system.devices_on(core).next().is_none()
        && !system.interrupts_on(core).any(pays)
        && !(late && interrupted)
}
