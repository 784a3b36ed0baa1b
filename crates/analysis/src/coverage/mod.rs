//! What on a core no analysis covers.
//!
//! A bound that leaves something out is worse than none, so a feature is refused here, by name, until an
//! analysis accounts for it. A [`System`] is taken apart without a rest: who adds a field is asked what it does.
//!
//! **Assumptions.**
//! 1. The best-case execution time of a task and the machine of a virtual processor are in no
//!    bound: a bound holds for every execution time up to the worst, and wherever a server stands.
//!    So does how often a job takes which time; what that says is in `bounds/chance.rs`.
//! 2. Shares and quanta do nothing where nothing takes turns.
//! 3. What a timer does is accounted for wherever it expires (`overhead/timers.rs`).
//!
//! Theory: docs/theory/not-bounded.md.

mod cost;
mod packets;
mod schedule;

pub(crate) use cost::kernel_takes;
pub(crate) use schedule::{ByDeadline, Schedule, ServerMember, kind_of_server};

use crate::feature::{BesideKept, BesideLevel, Feature, PacketFeature, SchedulingFeature};
use crate::ground::has_blocked_server;
use crate::request::Card;
use cost::{about_kernel, has_cold_contexts};
use packets::about_card;
use schedule::about_member;
use vorrang_model::system::{
    Activation, Level, Member, Scheduler, Server, Share, Supply, SupplyId, SupplyKind, System,
    Task, TaskId, TimerQueue,
};

/// The first feature on a core that makes every requirement there undecided.
pub(crate) fn not_covered(system: &System, core: SupplyId) -> Option<Feature> {
    let System {
        supplies: _,
        tasks: _,
        interrupts: _,
        timers: _,
        devices: _,
        caches: _,
        costs: _,
        requirements: _,
        host: _,
        chains: _,
        unsupported,
    } = system;
    let feature = unsupported.iter().find(|of| of.core.is_none_or(|affected| affected == core));
    if let Some(feature) = feature {
        return Some(Feature::Unrepresented { what: feature.what.clone() });
    }
    let mut cards = system.devices_on(core).map(|id| system.device(id));
    cards
        .find_map(|card| about_card(system, card).map(Feature::Packets))
        .or_else(|| about_kernel(system, core).map(Feature::Cost))
        .or_else(|| {
            system.supplies_within(core).into_iter().find_map(|id| about_supply(system, id))
        })
}

/// One supply, and the way its members are scheduled.
fn about_supply(system: &System, id: SupplyId) -> Option<Feature> {
    let Supply {
        name: _,
        kind: _,
        scheduler,
        members,
        vm: _,
        cache: _,
        quantum: _,
        time_slice: _,
        interrupt_order: _,
        timer_queue: _,
        max_defer: _,
        interrupt_time: _,
        overrun: _,
        sections: _,
        kernel: _,
        deadline_limits: _,
        rt_throttling: _,
        windows: _,
        serves_other: _,
    } = system.supply(id);
    if let Some(interrupt) = system.pseudo_vcpu_beside_slices(id) {
        let interrupt = interrupt.name.clone();
        return Some(SchedulingFeature::PseudoVcpuBesideSlices { interrupt }.into());
    }
    members.iter().find_map(|&member| {
        let before = match member {
            Member::Task(task) => about_task(system, *scheduler, task),
            Member::Server(server) => about_server(system, *scheduler, server),
        };
        before
            .or_else(|| about_member(system, *scheduler, member).map(Feature::Scheduling))
            .or_else(|| about_level(system, member).map(Feature::Scheduling))
    })
}

/// A task, besides what its scheduler asks of it.
fn about_task(system: &System, parent: Scheduler, id: TaskId) -> Option<Feature> {
    let Task {
        name,
        on: _,
        wcet: _,
        min_interarrival: _,
        distances: _,
        latest_interarrival: _,
        offset: _,
        communication: _,
        preemption: _,
        polls: _,
        deadline: _,
        jitter: _,
        blocking,
        priority: _,
        bcet: _,
        execution: _,
        share: _,
        cache: _,
        wakes: _,
        activation,
    } = system.task(id);
    // This is for systems that were not read.
    if matches!(activation, Activation::Device(_)) && Card::read_by(system, id).is_none() {
        return Some(PacketFeature::Unconnected { name: name.clone() }.into());
    }
    let is_blocked = parent.takes_turns() && !blocking.is_zero();
    if is_blocked {
        return Some(SchedulingFeature::BlockedInTurns { task: name.clone() }.into());
    }
    let beside = kept_beside(system, parent, id)?;
    Some(SchedulingFeature::Kept { task: name.clone(), beside }.into())
}

/// Beside what a task that is not preempted is not covered.
fn kept_beside(system: &System, parent: Scheduler, id: TaskId) -> Option<BesideKept> {
    if !system.keeps(id) {
        return None;
    }
    let on = system.task(id).on;
    let core = system.core_of(on);
    let mut deliveries = system.interrupts.iter().filter_map(|of| of.delivery.as_ref());
    let is_shielded = system.supply(core).timer_queue == TimerQueue::TimerShield;
    if !matches!(parent, Scheduler::FixedPriority | Scheduler::Linux) {
        Some(BesideKept::Scheduler)
    } else if system.supply(on).time_slice.is_some() {
        Some(BesideKept::Slices)
    } else if Card::polled_by(system, id).is_some() {
        Some(BesideKept::Polling)
    } else if is_shielded && system.timers_on(core).next().is_some() {
        Some(BesideKept::Shield)
    } else if deliveries.any(|of| of.pseudo_vcpu.is_some() && system.core_of(of.vcpu) == core) {
        Some(BesideKept::PseudoVcpu)
    } else {
        None
    }
}

/// A server or a share, besides its kind.
fn about_server(system: &System, parent: Scheduler, id: SupplyId) -> Option<Feature> {
    let Server { on: _, rule, budget: _, period: _, priority: _, blocking } =
        match &system.supply(id).kind {
            SupplyKind::Server(server) => server,
            SupplyKind::Core
            | SupplyKind::Share(Share { on: _, weight: _ })
            | SupplyKind::Level(Level { on: _, priority: _, blocking: _ }) => return None,
        };
    let by_priority =
        matches!(parent, Scheduler::FixedPriority | Scheduler::Linux) && !rule.kind().is_of_linux();
    let is_blocked = !by_priority && !blocking.is_zero();
    let server = || system.supply(id).name.clone();
    is_blocked.then(|| SchedulingFeature::BlockedServer { server: server() }.into())
}

/// A server without a budget, which takes what is asked for in it; so does a share of turns in any order.
fn about_level(system: &System, member: Member) -> Option<SchedulingFeature> {
    let Member::Server(id) = member else { return None };
    let supply = system.supply(id);
    let on = system.supply(supply.on()?);
    let in_any_order = matches!(on.scheduler, Scheduler::Stride | Scheduler::Vtrr);
    let core = (in_any_order || supply.level().is_some()).then_some(on)?;
    // What is in it is not known yet where it is found out how late timers are.
    let is_shielded = core.timer_queue == TimerQueue::TimerShield
        && system.timers_on(system.core_of(id)).next().is_some();
    let beside = if has_blocked_server(system, id) {
        BesideLevel::SectionsInside
    } else if is_shielded {
        BesideLevel::Shield
    } else if has_cold_contexts(system, id) {
        BesideLevel::ColdContexts
    } else {
        return None;
    };
    Some(SchedulingFeature::Level { server: system.supply(id).name.clone(), beside })
}
