//! For which systems a search is exact, and a system without what stands in the way.
//!
//! **Model.** The properties on which a lower bound rests (docs/design.md) hold for some cores as they are
//! ([`Trust::Core`]); for others when a unit stands alone on a bare core ([`Trust::Alone`]); and where
//! servers in a guest wait for each other by deadlines, or pseudo-VCPUs give a guest time of theirs, only
//! the work that is required is a bound ([`Trust::Work`]).
//!
//! **Assumptions.**
//! 1. [`Trust::Core`]: on such a core more of its own budget harms no server, more of another's helps none, and a
//!    further member helps none, by the monotonic theorems of the analysis.
//! 2. [`Trust::Alone`]: costs, interrupts, timers and other members only add to the equations by which what is in a
//!    unit is bounded, so it takes no less among them than without.
//! 3. [`Trust::Work`]: a job of each required task may arrive at every period and take its longest time, and what is
//!    proven is so.

use crate::group::is_coupled;
use crate::layout::chain;
use vorrang_model::System;
use vorrang_model::system::{
    Activation, Costs, Member, RequirementKind, Scheduler, ServerKind, Supply, SupplyId, Task,
};
use vorrang_time::Duration;

/// What a lower bound may rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trust {
    /// Nothing: there is no bound.
    Nothing,
    /// The least work.
    Work,
    /// What a unit takes alone, on a core where the machine takes nothing.
    Alone,
    /// The analysis of the core as it is.
    Core,
}

/// The same without costs and caches.
pub(crate) fn free(mut system: System) -> System {
    system.costs = Costs::default();
    system.supplies.iter_mut().for_each(|supply| supply.cache = None);
    system.tasks.iter_mut().for_each(|task| task.cache = None);
    system
}

/// The same without costs, caches, interrupts, timers and cards. What they would have woken comes by itself,
/// as often; what requires an interrupt to be handled is dropped.
pub(crate) fn bare(system: System) -> System {
    let mut system = free(system);
    for supply in &mut system.supplies {
        supply.kernel = None;
        (supply.overrun, supply.sections) = (Duration::ZERO, Duration::ZERO);
    }
    // When a woken task comes depends on others: a history may be without it, but for a moment at its own end.
    let is_woken = |task: &Task| task.activation.is_by_tasks();
    let woken: Vec<bool> = system.tasks.iter().map(is_woken).collect();
    for task in system.tasks.iter_mut().filter(|task| is_woken(task)) {
        task.wcet = Duration::RESOLUTION;
        (task.bcet, task.execution) = (task.wcet, Vec::new());
    }
    system.tasks.iter_mut().for_each(|task| task.activation = Activation::Sporadic);
    let of_task =
        |kind: RequirementKind| matches!(kind, RequirementKind::Deadline(id) if !woken[id.0]);
    system.requirements.retain(|required| of_task(required.kind));
    system.interrupts.clear();
    system.timers.clear();
    system.devices.clear();
    system
}

/// What may be trusted on a core.
pub(crate) fn trust(system: &System, core: SupplyId) -> Trust {
    let below: Vec<&Supply> = system
        .supply_ids()
        .filter(|&id| system.core_of(id) == core)
        .map(|id| system.supply(id))
        .collect();
    let by_chance = system.requirements.iter().any(|required| {
        required.probability.is_some() && system.core_of_requirement(required) == core
    });
    let servers = below.iter().filter_map(|supply| supply.server());
    let by_deadline = |kind| {
        matches!(kind, ServerKind::CbsHard | ServerKind::CbsSoft | ServerKind::SchedDeadline)
    };
    // In a guest these may be late, the later the more budget they have.
    let waits = |on: SupplyId, kind: ServerKind| {
        let on = system.supply(on);
        !on.is_core() && (by_deadline(kind) || on.scheduler == Scheduler::Edf)
    };
    // Alone, without interrupts, a guest would be without what its pseudo-VCPUs give it.
    let is_given = system.paid_on(core).next().is_some();
    // What they wake may come less often than is stated, the less the longer it takes.
    let merges = system.devices_on(core).next().is_some()
        || system.requests_on(core).any(|id| system.interrupt(id).storm.is_some());
    let waits = servers.clone().any(|of| waits(of.on, of.kind()));
    if by_chance || is_given || merges || waits || is_coupled(system, core) {
        return Trust::Work;
    }
    // When the budget of one of these comes depends on how much it is.
    let shifts = servers.clone().any(|of| {
        of.deadline().is_some()
            || system.supply(of.on).scheduler == Scheduler::Edf && !by_deadline(of.kind())
    });
    let may_be_late = servers.clone().any(|of| by_deadline(of.kind()));
    let takes_nothing = system.costs == Costs::default()
        && below.iter().all(|supply| {
            supply.cache.is_none()
                && supply.kernel.is_none()
                && supply.overrun.is_zero()
                && supply.sections.is_zero()
        })
        && system
            .tasks
            .iter()
            .all(|task| task.cache.is_none() || !chain(system, task.on).contains(&core));
    if takes_nothing && !shifts && !(may_be_late && is_held_up(system, core, &below)) {
        Trust::Core
    } else {
        Trust::Alone
    }
}

/// Whether interrupts, timers or sections of something on the core hold up its servers.
fn is_held_up(system: &System, core: SupplyId, below: &[&Supply]) -> bool {
    let mut members = below.iter().flat_map(|supply| &supply.members);
    system.interrupts_on(core).next().is_some()
        || system.timers_on(core).next().is_some()
        || members.any(|&member| {
            let keeps = matches!(member, Member::Task(id) if system.keeps(id));
            keeps || !system.blocking(member).is_zero()
        })
}
