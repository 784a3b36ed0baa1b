//! What on a core no analysis covers.
//!
//! A bound that leaves something out is worse than none, so a feature is refused here, by name,
//! until an analysis accounts for it. Everything that a [`System`] holds is taken apart field by
//! field, without a rest: who adds a field is asked here what it does to a bound.
//!
//! **Assumptions.**
//! 1. The best-case execution time of a task and the machine of a virtual processor are in no
//!    bound: a bound holds for every execution time up to the worst, and wherever a server stands.
//!    So does how often a job takes which time; what that says is in `bounds/chance.rs`.
//! 2. Shares and quanta do nothing where nothing takes turns.
//! 3. What a timer does is accounted for wherever it expires (`bounds/machine.rs`).

use vorrang_model::system::{
    Activation, CacheId, Costs, Delivery, Interrupt, Member, PseudoVcpu, PseudoVcpuRule, Scheduler,
    Server, ServerKind, Supply, SupplyId, System, Task, TimerQueue,
};

/// The first thing on a core, by name, that makes every requirement there undecided.
pub(crate) fn not_covered(system: &System, core: SupplyId) -> Option<String> {
    let System {
        supplies,
        tasks: _,
        interrupts: _,
        timers: _,
        devices: _,
        caches: _,
        costs,
        requirements: _,
        unsupported,
    } = system;
    let feature = unsupported.iter().find(|of| of.core.is_none_or(|affected| affected == core));
    if let Some(feature) = feature {
        return Some(feature.what.clone());
    }
    let interrupts = || system.interrupts_on(core).map(|id| system.interrupt(id));
    let supplies_on = || (0..supplies.len()).map(SupplyId).filter(|&id| system.core_of(id) == core);
    interrupts()
        .find_map(|interrupt| about_interrupt(system, interrupt))
        .or_else(|| system.devices_on(core).next().map(|id| system.device(id).name.clone()))
        .or_else(|| about_costs(costs))
        .or_else(|| supplies_on().find_map(|id| about_supply(system, system.supply(id))))
}

/// What the machine takes for itself besides what routines and timers do.
fn about_costs(costs: &Costs) -> Option<String> {
    let Costs {
        scheduler_call,
        context_switch,
        timer_expiry: _,
        interrupt_entry: _,
        interrupt_exit: _,
        vm_exit: _,
    } = costs;
    if !scheduler_call.is_zero() {
        return Some("the time of scheduler calls".into());
    }
    (!context_switch.is_zero()).then(|| "the time of context switches".into())
}

/// An interrupt that does more than its routines and the task it wakes.
fn about_interrupt(system: &System, interrupt: &Interrupt) -> Option<String> {
    let Interrupt {
        name,
        on,
        isr: _,
        min_interarrival: _,
        jitter: _,
        priority: _,
        wakes,
        delivery,
        storm: _,
    } = interrupt;
    let Delivery { vcpu, isr: _, pseudo_vcpu } = delivery.as_ref()?;
    let PseudoVcpu { budget: _, period: _, priority: _, rule } = pseudo_vcpu.as_ref()?;
    // It keeps its budget while that server has none, and nobody knows for how long.
    let inside = wakes.is_some_and(|task| system.task(task).on != *vcpu);
    if inside && *rule == PseudoVcpuRule::Arrival {
        let what = "which wakes a task in a server of the guest";
        return Some(format!("the pseudo-VCPU of {name}, {what}"));
    }
    // How long timers wait for it.
    let shielded = system.supply(*on).timer_queue == TimerQueue::TimerShield
        && system.timers_on(*on).next().is_some();
    shielded.then(|| format!("the pseudo-VCPU of {name}, beside a shield of timers"))
}

/// One supply, and the way its members are scheduled.
fn about_supply(system: &System, supply: &Supply) -> Option<String> {
    let Supply {
        name,
        server: _,
        scheduler,
        members,
        vm: _,
        cache,
        quantum: _,
        interrupt_order: _,
        timer_queue: _,
    } = supply;
    if let Some(cache) = cache {
        return Some(about_cache(system, *cache, name));
    }
    if matches!(scheduler, Scheduler::Stride | Scheduler::Vtrr) {
        return Some(format!("the \"{}\" scheduler of {name}", scheduler.word()));
    }
    members.iter().find_map(|&member| match member {
        Member::Task(id) => about_task(system, supply, system.task(id)),
        Member::Server(id) => {
            let Supply { name, server, .. } = system.supply(id);
            server.as_ref().and_then(|server| about_server(name, *scheduler, server))
        }
    })
}

fn about_cache(system: &System, cache: CacheId, of: &str) -> String {
    format!("{} of {of}", system.cache(cache).name)
}

fn about_task(system: &System, parent: &Supply, task: &Task) -> Option<String> {
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
        cache,
        activation,
    } = task;
    if let Some(cache) = cache {
        return Some(about_cache(system, *cache, name));
    }
    // Devices are named before; this is for systems that were not read.
    if matches!(activation, Activation::Device(_)) {
        return Some(format!("{name}, which something wakes"));
    }
    match parent.scheduler {
        Scheduler::Slots => {
            Some(format!("{name}, a task directly on the slots of {}", parent.name))
        }
        scheduler if scheduler.takes_turns() && !blocking.is_zero() => {
            Some(format!("the blocking of {name}, where members take turns"))
        }
        Scheduler::Edf if deadline.is_none() => {
            Some(format!("{name}, a task without deadline under EDF"))
        }
        _ => None,
    }
}

/// A server, by its kind: what only other kinds have does nothing.
fn about_server(name: &str, parent: Scheduler, server: &Server) -> Option<String> {
    let Server {
        on: _,
        kind,
        budget: _,
        period: _,
        offset: _,
        priority: _,
        deadline: _,
        reclaims,
        share: _,
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
    match (of_kind, reclaims) {
        (true, false) => None,
        (true, true) => Some(format!("{name}, a \"{}\" server that reclaims", kind.word())),
        (false, _) => Some(format!("{name}, a \"{}\" server", kind.word())),
    }
}
