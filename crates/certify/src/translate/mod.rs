//! What a description means in the terms of `proofs/Certificate.v`.
//!
//! **Model.** A task or a routine on a supply is `Jobs_of (cost, period, jitter)`, a server `Budgets_of (kind, budget,
//! period)`, with the numbers of the description. On a core service routines are more urgent than all members; among
//! routines all others count as more urgent, whatever the order of the core (nested: those of at least the same
//! priority). A member that an interrupt of the core wakes arrives with the interrupt and is released up to a certified
//! bound of its routine later. To a task, members of its priority count as more urgent. Under EDF the other members of a supply are
//! `Dated_jobs` and `Bandwidth_of`, with the deadlines of the description; a hard constant-bandwidth server on a core is
//! a `Reservation`, in which a task without others is alone.
//!
//! **Assumptions.** 1. Those of the theorem: `history` and `members` hold of every history that the description allows.
//! 2. A description has no member that this leaves out: what it does not know it refuses.

mod coverage;
mod deadlines;
mod loads;

use crate::Uncertified;
use crate::windows::Search;
use coverage::core_is_covered;
use deadlines::{relative, reservation, rivals};
use loads::{jobs, of_routine, routines, server, urgent};
use vorrang_certificate::{Certificate, Member, Order, Server, Supply};
use vorrang_model::System;
use vorrang_model::system::{
    InterruptId, Member as OnSupply, Priority, Scheduler, SupplyId, Task, TaskId,
};

/// The certificates of a task by each theorem that covers it.
pub(crate) fn of_task(
    system: &System,
    id: TaskId,
    search: &mut Search,
) -> Result<Vec<Certificate>, Uncertified> {
    let task = system.task(id);
    core_is_covered(system, system.core_of(task.on))?;
    let Member::Jobs { cost, period, jitter } = jobs(system, id, search)? else {
        unreachable!("it is a task")
    };
    let on = supply(system, task.on, search)?;
    let own = Certificate { on, cost, period, jitter, ..Certificate::default() };
    let alone = by_itself(system, task, &own);
    let ordered = match system.supply(task.on).scheduler {
        Scheduler::FixedPriority => by_priority(system, id, own, search),
        Scheduler::Edf => by_deadline(system, id, own, search),
        other => Err(not_scheduled(other)),
    };
    match (alone, ordered) {
        (None, ordered) => Ok(vec![ordered?]),
        (Some(alone), ordered) => Ok([alone].into_iter().chain(ordered).collect()),
    }
}

fn by_priority(
    system: &System,
    id: TaskId,
    own: Certificate,
    search: &mut Search,
) -> Result<Certificate, Uncertified> {
    let task = system.task(id);
    let as_urgent = |other| !task.priority.is_more_urgent_than(other);
    let urgent = urgent(system, OnSupply::Task(id), as_urgent, search)?;
    let order = Order::Priority { blocked_by: task.blocking.as_ns() };
    search.certificate(Certificate { urgent, order, ..own })
}

fn by_deadline(
    system: &System,
    id: TaskId,
    own: Certificate,
    search: &mut Search,
) -> Result<Certificate, Uncertified> {
    let rivals = rivals(system, OnSupply::Task(id), search)?;
    let order = Order::Deadline { relative: relative(system, id)?, rivals };
    let urgent = routines(system, system.task(id).on);
    search.certificate(Certificate { urgent, order, ..own })
}

/// Where nothing else is in a reservation, each job finds it afresh if the one before is complete.
fn by_itself(system: &System, task: &Task, own: &Certificate) -> Option<Certificate> {
    let Supply::Reservation(of) = &own.on else { return None };
    let is_alone = system.supply(task.on).members.len() == 1 && task.blocking.as_ns() == 0;
    let parts = own.cost.div_ceil(of.budget);
    let wait = parts.checked_mul(of.period - of.budget)?.checked_add(own.cost)?;
    let bound = wait.checked_add(own.jitter)?;
    let found = Certificate { order: Order::Alone, bound, ..own.clone() };
    (is_alone && vorrang_certificate::check(&found)).then_some(found)
}

/// The certificates of an interrupt: of its routine, or of the task that it wakes.
pub(crate) fn of_interrupt(
    system: &System,
    id: InterruptId,
    search: &mut Search,
) -> Result<Vec<Certificate>, Uncertified> {
    let interrupt = system.interrupt(id);
    core_is_covered(system, interrupt.on)?;
    match interrupt.wakes {
        Some(task) => of_task(system, task, search),
        None => Ok(vec![of_routine(system, id, search)?]),
    }
}

fn not_scheduled(by: Scheduler) -> Uncertified {
    let (what, page) = match by {
        Scheduler::FixedPriority => ("fixed priority", "busy-window"),
        Scheduler::Edf => ("EDF in a guest", "edf-response"),
        Scheduler::Linux => ("Linux", "linux"),
        Scheduler::Slots => ("fixed slots", "fixed-slot"),
        Scheduler::Vtrr
        | Scheduler::Stride
        | Scheduler::RoundRobin
        | Scheduler::WeightedRoundRobin => ("turns", "turns"),
    };
    Uncertified::not_mechanised(what, page)
}

/// A supply, whatever schedules its members.
fn supply(system: &System, id: SupplyId, search: &mut Search) -> Result<Supply, Uncertified> {
    let Some(on) = system.supply(id).on() else { return Ok(Supply::Core) };
    match system.supply(on).scheduler {
        Scheduler::FixedPriority => prioritised(system, id, on, search),
        Scheduler::Edf if system.supply(on).on().is_none() => {
            Ok(Supply::Reservation(reservation(system, id, search)?))
        }
        other => Err(not_scheduled(other)),
    }
}

/// A server on a supply under fixed priority.
fn prioritised(
    system: &System,
    id: SupplyId,
    on: SupplyId,
    search: &mut Search,
) -> Result<Supply, Uncertified> {
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
    server.full = full.ok_or_else(|| Uncertified::NoBudget(system.supply(id).name.clone()))?;
    Ok(Supply::Server(Box::new(server)))
}
