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

use crate::device::Card;
use vorrang_model::system::{
    Activation, Costs, Device, Interrupt, Member, Packets, Scheduler, Server, ServerKind, Supply,
    SupplyId, System, Task, TaskId, TimerQueue,
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
        costs: _,
        requirements: _,
        host: _,
        unsupported,
    } = system;
    let feature = unsupported.iter().find(|of| of.core.is_none_or(|affected| affected == core));
    if let Some(feature) = feature {
        return Some(feature.what.clone());
    }
    let supplies_on = || (0..supplies.len()).map(SupplyId).filter(|&id| system.core_of(id) == core);
    let mut cards = system.devices_on(core).map(|id| system.device(id));
    cards
        .find_map(|card| about_card(system, card))
        .or_else(|| about_kernel(system, core))
        .or_else(|| supplies_on().find_map(|id| about_supply(system, system.supply(id))))
}

/// What calls, switches or caches take on a core, if they take any time there.
pub(crate) fn kernel_takes(system: &System, core: SupplyId) -> Option<&'static str> {
    let Costs {
        scheduler_call,
        context_switch,
        timer_expiry: _,
        interrupt_entry: _,
        interrupt_exit: _,
        vm_exit: _,
    } = &system.costs;
    let is_cold = || !system.caches.is_empty() && has_cache(system, core);
    if !scheduler_call.is_zero() {
        Some("the time of scheduler calls")
    } else if !context_switch.is_zero() {
        Some("the time of context switches")
    } else {
        is_cold().then_some("cold caches")
    }
}

/// Whether a supply or something inside it has a cache.
fn has_cache(system: &System, id: SupplyId) -> bool {
    let supply = system.supply(id);
    let inside = |&member: &Member| match member {
        Member::Task(task) => system.task(task).cache.is_some(),
        Member::Server(inner) => has_cache(system, inner),
    };
    supply.cache.is_some() || supply.members.iter().any(inside)
}

/// Where calls of the kernel of a core are not bounded.
fn about_kernel(system: &System, core: SupplyId) -> Option<String> {
    let what = kernel_takes(system, core)?;
    let Supply { name, scheduler, .. } = system.supply(core);
    if scheduler.takes_turns() {
        return Some(format!("{what} on {name}, which is scheduled as \"{}\"", scheduler.word()));
    }
    let uncounted = system.interrupts_on(core).map(|id| system.interrupt(id)).find(|interrupt| {
        let delivery = interrupt.delivery.as_ref();
        delivery.filter(|delivery| delivery.pseudo_vcpu.is_some()).is_some_and(|delivery| {
            let vcpu = system.supply(delivery.vcpu).server.as_ref();
            vcpu.is_none_or(|vcpu| vcpu.on != core) || has_cache(system, delivery.vcpu)
        })
    });
    if let Some(Interrupt { name, .. }) = uncounted {
        return Some(format!("{what} for the pseudo-VCPU of {name}"));
    }
    about_callers(system, core, what, Inside::Host)
}

/// Where a supply is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Host,
    Guest,
    /// In a virtual processor with a cache.
    Cold,
}

/// The same below a supply.
fn about_callers(system: &System, parent: SupplyId, what: &str, inside: Inside) -> Option<String> {
    let servers = system.supply(parent).members.iter().filter_map(|&member| match member {
        Member::Task(_) => None,
        Member::Server(id) => Some(id),
    });
    let mut servers = servers.map(|id| (id, system.supply(id)));
    servers.find_map(|(id, supply)| {
        let name = &supply.name;
        let kind = supply.server.as_ref().map(|server| server.kind);
        if returns_uncounted(system, parent, kind) {
            return Some(format!("{what} at replenishment fragments of {name}"));
        }
        let is_reservation = inside == Inside::Host && supply.vm.is_none();
        let has_cold_task = is_reservation && has_cache(system, id);
        let is_cold = supply.cache.is_some() || inside == Inside::Cold || has_cold_task;
        if kind == Some(ServerKind::CbsSoft) && is_cold {
            return Some(format!("cold caches in {name}, a \"cbs-soft\" server"));
        }
        // A turn is time, and the work done in it is unknown.
        if is_cold && supply.scheduler.takes_turns() {
            return Some(format!("cold caches on {name}, whose members take turns"));
        }
        if is_reservation && let Some(why) = about_reservation(system, supply) {
            return Some(format!("{what} inside {name}, a reservation of the host {why}"));
        }
        let inside = match inside {
            Inside::Host if is_reservation => Inside::Host,
            _ if is_cold => Inside::Cold,
            _ => Inside::Guest,
        };
        about_callers(system, id, what, inside)
    })
}

/// Why calls and switches inside a reservation of the host are not bounded.
fn about_reservation(system: &System, supply: &Supply) -> Option<&'static str> {
    let by_deadline = supply.scheduler == Scheduler::Edf && supply.members.len() > 1;
    if by_deadline {
        // A job that completes gives way to whatever is due before the next.
        return Some("whose members have deadlines");
    }
    if supply.scheduler.takes_turns() {
        return Some("whose members take turns");
    }
    supply.members.iter().find_map(|&member| {
        let is_late = match member {
            Member::Task(_) => false,
            Member::Server(id) => {
                let kind = system.supply(id).server.as_ref().map(|server| server.kind);
                matches!(
                    kind,
                    Some(ServerKind::CbsHard | ServerKind::CbsSoft | ServerKind::SchedDeadline)
                )
            }
        };
        let is_blocked = !system.blocking(member).is_zero();
        let late = is_late.then_some("that holds a budget which may be late");
        late.or_else(|| is_blocked.then_some("with sections of less urgent work"))
    })
}

/// Whether the replenishment fragments of a server are not bounded.
fn returns_uncounted(system: &System, parent: SupplyId, kind: Option<ServerKind>) -> bool {
    let Supply { server, timer_queue, .. } = system.supply(parent);
    // When routines end is not known yet where it is found out how late timers are.
    let is_shielded = *timer_queue == TimerQueue::TimerShield
        && system.timers_on(system.core_of(parent)).next().is_some();
    match kind {
        Some(ServerKind::PosixSporadic) => true,
        Some(ServerKind::Sporadic) => server.is_some() || is_shielded,
        _ => false,
    }
}

/// A card whose packets have no least distance, or whose tasks are not chosen by priority.
fn about_card(system: &System, device: &Device) -> Option<String> {
    let Device {
        name,
        interrupt,
        ring: _,
        coalesce_packets: _,
        coalesce_time: _,
        budget: _,
        per_packet: _,
        socket: _,
        receiver,
        payload: _,
        packets,
    } = device;
    if Card::raising(system, *interrupt).is_none() {
        return Some(format!("{name}, whose packets arrive at random without a least distance"));
    }
    let Interrupt { on, wakes, delivery, .. } = system.interrupt(*interrupt);
    if let Packets::Burst { packets, interval } = packets
        && interval.as_ns() < u64::from(*packets)
    {
        return Some(format!(
            "{name}, of which more packets arrive at once than there are nanoseconds between"
        ));
    }
    let shielded = system.supply(*on).timer_queue == TimerQueue::TimerShield
        && system.timers_on(*on).next().is_some();
    if shielded {
        return Some(format!("{name}, beside a shield of timers"));
    }
    let Some(poller) = *wakes else { return Some(format!("{name}, which no task polls")) };
    let paid = |other: &&Interrupt| {
        let beside = other.delivery.as_ref().zip(delivery.as_ref());
        beside.is_some_and(|(one, own)| one.vcpu == own.vcpu && one.pseudo_vcpu.is_some())
    };
    if let Some(other) = system.interrupts.iter().find(paid) {
        return Some(format!("{name}, whose guest has the pseudo-VCPU of {}", other.name));
    }
    [Some(poller), *receiver].into_iter().flatten().find_map(|id| {
        let Task { name, on, blocking, .. } = system.task(id);
        if !blocking.is_zero() {
            return Some(format!("sections that block {name}, which processes packets"));
        }
        let scheduler = system.supply(*on).scheduler;
        let by_priority = matches!(scheduler, Scheduler::FixedPriority | Scheduler::Linux);
        let word = scheduler.word();
        (!by_priority).then(|| format!("{name}, which processes packets, under \"{word}\""))
    })
}

/// One supply, and the way its members are scheduled.
fn about_supply(system: &System, supply: &Supply) -> Option<String> {
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
        return Some(format!("the \"{}\" scheduler of {name}", scheduler.word()));
    }
    members.iter().find_map(|&member| match member {
        Member::Task(id) => about_task(system, supply, id),
        Member::Server(id) => {
            let Supply { name, server, .. } = system.supply(id);
            server.as_ref().and_then(|server| about_server(name, *scheduler, server))
        }
    })
}

fn about_task(system: &System, parent: &Supply, id: TaskId) -> Option<String> {
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
        return Some(format!("{name}, which is activated"));
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
    if !by_priority && !blocking.is_zero() {
        return Some(format!("the blocking of {name}, which is not scheduled by priority"));
    }
    match (of_kind, reclaims) {
        (true, false) => None,
        (true, true) => Some(format!("{name}, a \"{}\" server that reclaims", kind.word())),
        (false, _) => Some(format!("{name}, a \"{}\" server", kind.word())),
    }
}
