//! What a description means in the terms of `proofs/Certificate.v`.
//!
//! **Model.** A task or a routine on a supply is `Jobs_of (cost, period, jitter)`, a server `Budgets_of (kind, budget,
//! period)`, with the numbers of the description. On a core service routines are more urgent than all members; among
//! routines all others count as more urgent, whatever the order of the core (nested: those of at least the same
//! priority). A member that an interrupt of the core wakes arrives with the interrupt and is released up to a certified
//! bound of its routine later. To a task, members of its priority count as more urgent.
//!
//! **Assumptions.** 1. Those of the theorem: `history` and `members` hold of every history that the description allows.
//! 2. A description has no member that this leaves out: what it does not know it refuses.

use crate::Uncertified;
use crate::windows::{Place, Search};
use vorrang_certificate::{Certificate, Kind, Member, Server, Supply};
use vorrang_model::System;
use vorrang_model::system::{
    Activation, Costs, InterruptId, InterruptOrder, InterruptTime, Member as OnSupply, Priority,
    Scheduler, ServerRule, SupplyId, TaskId,
};

/// The certificate of a task.
pub(crate) fn of_task(
    system: &System,
    id: TaskId,
    search: &mut Search,
) -> Result<Certificate, Uncertified> {
    let task = system.task(id);
    core_is_covered(system, system.core_of(task.on))?;
    let Member::Jobs { cost, period, jitter } = jobs(system, id, search)? else {
        unreachable!("it is a task")
    };
    let on = supply(system, task.on, search)?;
    let as_urgent = |other| !task.priority.is_more_urgent_than(other);
    let urgent = urgent(system, OnSupply::Task(id), as_urgent, search)?;
    let blocked_by = task.blocking.as_ns();
    search.certificate(Place { on, urgent, blocked_by, cost, period, jitter })
}

/// The certificate of an interrupt: of its routine, or of the task that it wakes.
pub(crate) fn of_interrupt(
    system: &System,
    id: InterruptId,
    search: &mut Search,
) -> Result<Certificate, Uncertified> {
    let interrupt = system.interrupt(id);
    core_is_covered(system, interrupt.on)?;
    match interrupt.wakes {
        Some(task) => of_task(system, task, search),
        None => of_routine(system, id, search),
    }
}

fn of_routine(
    system: &System,
    id: InterruptId,
    search: &mut Search,
) -> Result<Certificate, Uncertified> {
    let interrupt = system.interrupt(id);
    let nested = system.supply(interrupt.on).interrupt_order == InterruptOrder::Nested;
    let precedes = |&other: &InterruptId| {
        let less = interrupt.priority.is_more_urgent_than(system.interrupt(other).priority);
        other != id && !(nested && less)
    };
    let others = system.interrupts_on(interrupt.on).filter(precedes);
    let urgent = others.map(|other| routine(system, other)).collect();
    let Member::Jobs { cost, period, jitter } = routine(system, id) else {
        unreachable!("it is a routine")
    };
    search.certificate(Place { on: Supply::Core, urgent, blocked_by: 0, cost, period, jitter })
}

fn routine(system: &System, id: InterruptId) -> Member {
    let interrupt = system.interrupt(id);
    Member::Jobs {
        cost: interrupt.isr.as_ns(),
        period: interrupt.min_interarrival.as_ns(),
        jitter: interrupt.jitter.as_ns(),
    }
}

/// The jobs of a task, from their arrivals.
fn jobs(system: &System, id: TaskId, search: &mut Search) -> Result<Member, Uncertified> {
    let task = system.task(id);
    let cost = task.wcet.as_ns();
    match task.activation {
        Activation::Sporadic => Ok(Member::Jobs {
            cost,
            period: task.min_interarrival.as_ns(),
            jitter: task.jitter.as_ns(),
        }),
        Activation::Interrupt(by) => {
            let Certificate { period, bound, .. } = of_routine(system, by, search)?;
            Ok(Member::Jobs { cost, period, jitter: bound })
        }
        Activation::Timer(_) => {
            Err(Uncertified::not_mechanised("a task that a timer wakes", "timers"))
        }
        Activation::Device(_) => {
            Err(Uncertified::not_mechanised("a task that reads packets", "network-card"))
        }
    }
}

/// What is as urgent as `precedes` says on the supply of a member, and on a core every routine.
fn urgent(
    system: &System,
    member: OnSupply,
    precedes: impl Fn(Priority) -> bool,
    search: &mut Search,
) -> Result<Vec<Member>, Uncertified> {
    let on = system.on(member);
    let routines = system.interrupts_on(on).map(|id| Ok(routine(system, id)));
    let others = system.supply(on).members.iter().copied();
    let others = others.filter(|&other| other != member && precedes(system.priority(other)));
    routines.chain(others.map(|other| competitor(system, other, search))).collect()
}

fn competitor(
    system: &System,
    member: OnSupply,
    search: &mut Search,
) -> Result<Member, Uncertified> {
    match member {
        OnSupply::Task(id) => jobs(system, id, search),
        OnSupply::Server(id) => {
            let (kind, server) = server(system, id)?;
            let (budget, period) = (server.budget.as_ns(), server.period.as_ns());
            Ok(Member::Budgets { kind, budget, period })
        }
    }
}

fn server(
    system: &System,
    id: SupplyId,
) -> Result<(Kind, vorrang_model::system::Server), Uncertified> {
    let supply = system.supply(id);
    let Some(server) = supply.server() else {
        return Err(Uncertified::not_mechanised("a share of turns", "turns"));
    };
    let kind = match server.rule {
        ServerRule::Periodic => Kind::Periodic,
        ServerRule::Polling => Kind::Polling,
        ServerRule::Deferrable => Kind::Deferrable,
        ServerRule::Sporadic => Kind::Sporadic,
        ServerRule::CbsHard => return Err(of_kind("cbs-hard", "constant-bandwidth")),
        ServerRule::CbsSoft => return Err(of_kind("cbs-soft", "soft-server")),
        ServerRule::SchedDeadline { .. } => {
            return Err(of_kind("sched-deadline", "sched-deadline"));
        }
        ServerRule::Slot { .. } => return Err(of_kind("slot", "fixed-slot")),
        ServerRule::PosixSporadic => return Err(of_kind("posix-sporadic", "not-bounded")),
        ServerRule::RefillQueue { .. } => return Err(of_kind("refill-queue", "refill-queue")),
    };
    Ok((kind, *server))
}

fn of_kind(kind: &str, page: &'static str) -> Uncertified {
    Uncertified::not_mechanised(format!("a server of kind {kind}"), page)
}

/// A supply whose members are scheduled by fixed priority.
fn supply(system: &System, id: SupplyId, search: &mut Search) -> Result<Supply, Uncertified> {
    let found = system.supply(id);
    match found.scheduler {
        Scheduler::FixedPriority => {}
        Scheduler::Edf => return Err(Uncertified::not_mechanised("EDF", "edf-response")),
        Scheduler::Linux => return Err(Uncertified::not_mechanised("Linux", "linux")),
        Scheduler::Slots => return Err(Uncertified::not_mechanised("fixed slots", "fixed-slot")),
        Scheduler::Vtrr
        | Scheduler::Stride
        | Scheduler::RoundRobin
        | Scheduler::WeightedRoundRobin => {
            return Err(Uncertified::not_mechanised("turns", "turns"));
        }
    }
    let Some(on) = found.on() else { return Ok(Supply::Core) };
    let (kind, server) = server(system, id)?;
    let parent = supply(system, on, search)?;
    let own = OnSupply::Server(id);
    let others = system.supply(on).members.iter().filter(|&&other| other != own);
    if others.clone().any(|&other| system.priority(other) == server.priority) {
        let what = "servers beside members of equal priority";
        return Err(Uncertified::not_mechanised(what, "fixed-priority-server"));
    }
    let more_urgent = |other: Priority| other.is_more_urgent_than(server.priority);
    let urgent = urgent(system, own, more_urgent, search)?;
    let (budget, period) = (server.budget.as_ns(), server.period.as_ns());
    let blocking = server.blocking.as_ns();
    let mut server = Server { kind, budget, period, blocking, urgent, full: Vec::new(), parent };
    let full = search.full(&server);
    server.full = full.ok_or_else(|| Uncertified::NoBudget(found.name.clone()))?;
    Ok(Supply::Server(Box::new(server)))
}

/// Nothing happens on the core that the theorems do not know.
fn core_is_covered(system: &System, id: SupplyId) -> Result<(), Uncertified> {
    let core = system.supply(id);
    let within = |supply: &SupplyId| system.core_of(*supply) == id;
    let cold =
        system.supply_ids().filter(within).any(|supply| system.supply(supply).cache.is_some())
            || system.tasks.iter().any(|task| within(&task.on) && task.cache.is_some());
    let interrupts = || system.interrupts_of(id).map(|interrupt| system.interrupt(interrupt));
    let refused: [(bool, &str, &'static str); 9] = [
        (!system.unsupported.is_empty(), "a feature that is not represented", "not-bounded"),
        (system.costs != Costs::default(), "costs of the machine", "scheduler-costs"),
        (cold, "cold caches", "cold-caches"),
        (system.timers_on(id).next().is_some(), "timers", "timers"),
        (system.devices_on(id).next().is_some(), "network cards", "network-card"),
        (interrupts().any(|of| of.delivery.is_some()), "interrupts of guests", "delivered-routine"),
        (interrupts().any(|of| of.storm.is_some()), "storms", "storms"),
        (core.sections.as_ns() > 0 || core.overrun.as_ns() > 0, "sections of a kernel", "sections"),
        (core.interrupt_time != InterruptTime::Apart, "charged interrupts", "charged-interrupts"),
    ];
    match refused.into_iter().find(|(is_so, ..)| *is_so) {
        Some((_, what, page)) => Err(Uncertified::not_mechanised(what, page)),
        None => Ok(()),
    }
}
