//! What on a core no analysis covers.
//!
//! A bound that leaves something out is worse than none, so a feature is refused here, by name, until an
//! analysis accounts for it. A [`System`] is taken apart without a rest: who adds a field is asked what it does.
//!
//! **Assumptions.**
//! 1. The best-case execution time of a task and the machine of a virtual processor are in no
//!    bound: a bound holds for every execution time up to the worst, and wherever a server stands.
//!    So does how often a job takes which time; what that says is in `compose/chance.rs`.
//! 2. Shares and quanta do nothing where nothing takes turns.
//! 3. What a timer does is accounted for wherever it expires (`overhead/timers.rs`).
//!
//! Theory: docs/theory/not-bounded.md.

mod cost;
mod packets;

pub(crate) use cost::kernel_takes;

use crate::device::Card;
use crate::feature::{Feature, PacketFeature, SchedulingFeature};
use cost::about_kernel;
use packets::about_card;
use vorrang_model::system::{
    Activation, Member, Scheduler, Server, ServerKind, Supply, SupplyId, System, Task, TaskId,
};

/// The first feature on a core that makes every requirement there undecided.
pub(crate) fn not_covered(system: &System, core: SupplyId) -> Option<Feature> {
    let System {
        supplies,
        tasks: _,
        interrupts: _,
        timers: _,
        devices: _,
        caches: _,
        costs: _,
        requirements: _,
        host: _,
        unsupported,
    } = system;
    let feature = unsupported.iter().find(|of| of.core.is_none_or(|affected| affected == core));
    if let Some(feature) = feature {
        return Some(Feature::Unrepresented { what: feature.what.clone() });
    }
    let supplies_on = || (0..supplies.len()).map(SupplyId).filter(|&id| system.core_of(id) == core);
    let mut cards = system.devices_on(core).map(|id| system.device(id));
    cards
        .find_map(|card| about_card(system, card).map(Feature::Packets))
        .or_else(|| about_kernel(system, core).map(Feature::Cost))
        .or_else(|| supplies_on().find_map(|id| about_supply(system, system.supply(id))))
}

/// One supply, and the way its members are scheduled.
fn about_supply(system: &System, supply: &Supply) -> Option<Feature> {
    let Supply {
        name,
        server: _,
        scheduler,
        members,
        vm: _,
        cache: _,
        quantum: _,
        interrupt_order: _,
        timer_queue: _,
        max_defer: _,
        interrupt_time: _,
        overrun: _,
        sections: _,
        kernel: _,
        serves_other: _,
    } = supply;
    if matches!(scheduler, Scheduler::Stride | Scheduler::Vtrr) {
        let (supply, scheduler) = (name.clone(), *scheduler);
        return Some(SchedulingFeature::Scheduler { supply, scheduler }.into());
    }
    members.iter().find_map(|&member| match member {
        Member::Task(id) => about_task(system, supply, id),
        Member::Server(id) => {
            let Supply { name, server, .. } = system.supply(id);
            let feature = about_server(name, *scheduler, server.as_ref()?);
            feature.map(Feature::Scheduling)
        }
    })
}

fn about_task(system: &System, parent: &Supply, id: TaskId) -> Option<Feature> {
    let Task {
        name,
        on: _,
        wcet: _,
        min_interarrival: _,
        deadline,
        jitter: _,
        blocking,
        priority: _,
        bcet: _,
        execution: _,
        share: _,
        cache: _,
        activation,
    } = system.task(id);
    // This is for systems that were not read.
    if matches!(activation, Activation::Device(_)) && Card::read_by(system, id).is_none() {
        return Some(PacketFeature::Unconnected { name: name.clone() }.into());
    }
    let task = || name.clone();
    let feature = match parent.scheduler {
        Scheduler::Slots => {
            SchedulingFeature::TaskOnSlots { task: task(), slots: parent.name.clone() }
        }
        scheduler if scheduler.takes_turns() && !blocking.is_zero() => {
            SchedulingFeature::BlockedInTurns { task: task() }
        }
        Scheduler::Edf if deadline.is_none() => SchedulingFeature::NoDeadline { task: task() },
        _ => return None,
    };
    Some(feature.into())
}

/// A server, by its kind: what only other kinds have does nothing.
fn about_server(name: &str, parent: Scheduler, server: &Server) -> Option<SchedulingFeature> {
    let Server {
        on: _,
        kind,
        budget: _,
        period: _,
        offset: _,
        priority: _,
        blocking,
        deadline: _,
        reclaims,
        share: _,
        refills: _,
        min_budget: _,
    } = server;
    let of_kind = match parent {
        Scheduler::Linux if *kind == ServerKind::SchedDeadline => true,
        Scheduler::FixedPriority | Scheduler::Linux => matches!(
            kind,
            ServerKind::Periodic
                | ServerKind::Polling
                | ServerKind::Deferrable
                | ServerKind::Sporadic
                | ServerKind::RefillQueue
        ),
        Scheduler::Edf => matches!(
            kind,
            ServerKind::Periodic
                | ServerKind::Polling
                | ServerKind::Deferrable
                | ServerKind::CbsHard
                | ServerKind::CbsSoft
                | ServerKind::SchedDeadline
        ),
        Scheduler::Slots => *kind == ServerKind::Slot,
        Scheduler::RoundRobin | Scheduler::WeightedRoundRobin => *kind == ServerKind::Share,
        Scheduler::Stride | Scheduler::Vtrr => false,
    };
    let by_priority = matches!(parent, Scheduler::FixedPriority | Scheduler::Linux)
        && *kind != ServerKind::SchedDeadline;
    let (server, kind) = (|| name.to_owned(), *kind);
    if !by_priority && !blocking.is_zero() {
        return Some(SchedulingFeature::BlockedServer { server: server() });
    }
    match (of_kind, reclaims) {
        (true, false) => None,
        (true, true) => Some(SchedulingFeature::Reclaiming { server: server(), kind }),
        (false, _) => Some(SchedulingFeature::ServerKind { server: server(), kind }),
    }
}
