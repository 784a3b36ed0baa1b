//! What takes time of a supply before something else, by priority.

use crate::Uncertified;
use crate::windows::Search;
use vorrang_certificate::{Certificate, Kind, Member};
use vorrang_model::System;
use vorrang_model::system::{
    Activation, InterruptId, InterruptOrder, Member as OnSupply, Priority, ServerRule, SupplyId,
    TaskId,
};

/// The certificate of a service routine.
pub(super) fn of_routine(
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
    search.certificate(Certificate { urgent, cost, period, jitter, ..Certificate::default() })
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
pub(super) fn jobs(
    system: &System,
    id: TaskId,
    search: &mut Search,
) -> Result<Member, Uncertified> {
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

/// The routines of a core; of another supply none.
pub(super) fn routines(system: &System, on: SupplyId) -> Vec<Member> {
    system.interrupts_on(on).map(|id| routine(system, id)).collect()
}

/// What is as urgent as `precedes` says on the supply of a member, and on a core every routine.
pub(super) fn urgent(
    system: &System,
    member: OnSupply,
    precedes: impl Fn(Priority) -> bool,
    search: &mut Search,
) -> Result<Vec<Member>, Uncertified> {
    let on = system.on(member);
    let routines = routines(system, on).into_iter().map(Ok);
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

/// A server by priority.
pub(super) fn server(
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
