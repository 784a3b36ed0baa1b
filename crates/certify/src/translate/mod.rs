//! What a description means in the terms of `proofs/Certificate.v`.
//!
//! **Model.** A task or a routine on a supply is `Jobs_of (cost, period, jitter)`, a server `Budgets_of (kind, budget,
//! period)`, with the numbers of the description. On a core service routines are more urgent than all members; among
//! routines all others count as more urgent, by priority and nested those of at least the same priority, and by priority one
//! below that has begun. A member that an interrupt of the core wakes arrives with the interrupt and is released up to a certified
//! bound of its routine later. To a task, members of its priority count as more urgent. Under EDF the other members of a supply are
//! `Dated_jobs` and `Bandwidth_of`, with the deadlines of the description; a hard constant-bandwidth server on a core is
//! a `Reservation`, in which a task without others is alone. A server of kind *slot* is a `Slot` after the routines of its core.
//!
//! Interrupts of the core, their routines in guests, pseudo-VCPUs and the timers of budgets are `Jobs_of`, as
//! `interrupts.rs` says; what other tasks wake is what `woken.rs` says. What a pseudo-VCPU pays for is `By_credit` or `By_sharing` (`credits.rs`). Calls of the
//! scheduler, sections of a kernel and a reservation of Linux are what `kernel.rs` says, servers without a budget what `levels.rs` says.
//!
//! **Assumptions.** 1. Those of the theorem: `history` and `members` hold of every history that the description allows.
//! 2. A description has no member that this leaves out: what it does not know it refuses.

mod beside;
mod caches;
mod callers;
mod counted;
mod coverage;
mod credits;
mod deadlines;
mod idle_guest;
mod interrupts;
mod kernel;
mod levels;
mod requests;
mod servers;
mod shield;
mod shielding;
mod supplies;
mod timers;
mod woken;

use crate::Uncertified;
use crate::windows::Search;
use beside::beside;
use coverage::core_is_covered;
use deadlines::{relative, rivals};
use idle_guest::idle_guest;
use interrupts::{after_job, delay, delivered, routines};
use requests::{from_arrival, paid};
use servers::not_scheduled;
use supplies::{above, last_routine_of, own_jobs, supply, unthrottled, urgent};
use vorrang_certificate::{Certificate, Member, Order, Supply};
use vorrang_model::System;
use vorrang_model::system::{
    Activation, InterruptId, Member as OnSupply, Scheduler, ServerKind, Task, TaskId,
};

/// The certificates of a task by each theorem that covers it.
pub(crate) fn of_task(
    system: &System,
    id: TaskId,
    search: &mut Search,
) -> Result<Vec<Certificate>, Uncertified> {
    let task = system.task(id);
    core_is_covered(system, system.core_of(task.on))?;
    let Activation::Interrupt(by) = task.activation else { return of_jobs(system, id, search) };
    let paid_for = paid(system, by).map(|of| credits::handled(system, by, of, search));
    let otherwise = behaves(system, by).and_then(|()| of_jobs(system, id, search));
    with_credit(paid_for, otherwise)
}

/// What a pseudo-VCPU pays for, and the same in the time of its virtual processor alone.
fn with_credit(
    paid_for: Option<Result<Certificate, Uncertified>>,
    otherwise: Result<Vec<Certificate>, Uncertified>,
) -> Result<Vec<Certificate>, Uncertified> {
    match (paid_for, otherwise) {
        (None, otherwise) => otherwise,
        (Some(Ok(first)), otherwise) => {
            Ok([first].into_iter().chain(otherwise.unwrap_or_default()).collect())
        }
        (Some(Err(_)), Ok(otherwise)) => Ok(otherwise),
        (Some(Err(why)), Err(_)) => Err(why),
    }
}

/// The certificates of the jobs of a task.
fn of_jobs(
    system: &System,
    id: TaskId,
    search: &mut Search,
) -> Result<Vec<Certificate>, Uncertified> {
    let task = system.task(id);
    if system.supply(task.on).server_kind() == Some(ServerKind::SchedDeadline) {
        let found = [unthrottled(system, id, search), beside(system, id, search)];
        return any_of(found);
    }
    let Member::Jobs { cost, period, jitter } = own_jobs(system, id, search)? else {
        unreachable!("it is a task")
    };
    let on = supply(system, task.on, search)?;
    let own = Certificate { on, cost, period, jitter, ..Certificate::default() };
    let (alone, of_guest) = (by_itself(system, task, &own), own.clone());
    let ordered = match system.supply(task.on).scheduler {
        Scheduler::FixedPriority | Scheduler::Linux => by_priority(system, id, own, search),
        Scheduler::Edf => by_deadline(system, id, own, search),
        other => Err(not_scheduled(other)),
    };
    let otherwise = alone.or_else(|| idle_guest(system, id, &of_guest, search));
    match (otherwise, ordered) {
        (None, ordered) => Ok(vec![ordered?]),
        (Some(other), ordered) => Ok([other].into_iter().chain(ordered).collect()),
    }
}

/// What was found, or why the last one was not.
fn any_of(found: [Result<Certificate, Uncertified>; 2]) -> Result<Vec<Certificate>, Uncertified> {
    let [first, last] = found;
    match (first, last) {
        (Err(_), Err(why)) => Err(why),
        (first, last) => Ok([first, last].into_iter().flatten().collect()),
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
    let outside = levels::blocking(system, task.on);
    let blocked_by = task.blocking.as_ns().saturating_add(delay(system, task.on));
    let blocked_by = blocked_by.saturating_add(outside);
    let order = Order::Priority { blocked_by };
    let cost = own.cost.saturating_add(after_job(system, task.on));
    search.certificate(Certificate { urgent, order, cost, ..own })
}

fn by_deadline(
    system: &System,
    id: TaskId,
    own: Certificate,
    search: &mut Search,
) -> Result<Certificate, Uncertified> {
    let on = system.task(id).on;
    if levels::blocking(system, on) > 0 {
        return Err(Uncertified::not_mechanised("blocking under EDF", "edf-response"));
    }
    let rivals = rivals(system, OnSupply::Task(id), |task| own_jobs(system, task, search))?;
    let order = Order::Deadline { relative: relative(system, id)?, rivals };
    let mut urgent = routines(system, on, search)?;
    urgent.extend(above(system, on, search)?);
    search.certificate(Certificate { urgent, order, ..own })
}

/// Where nothing else is in a reservation, each job finds it afresh if the one before is complete.
fn by_itself(system: &System, task: &Task, own: &Certificate) -> Option<Certificate> {
    let Supply::Reservation(of) = &own.on else { return None };
    let others = system.supply(task.on).members.len() > 1;
    let interrupts = delivered(system, task.on).next().is_some();
    let in_level = system.supply(task.on).level().is_some();
    let is_alone = !others && !interrupts && !in_level && task.blocking.as_ns() == 0;
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
    if let Some(task) = interrupt.wakes {
        return of_task(system, task, search);
    }
    let paid_for = paid(system, id).map(|of| credits::handled(system, id, of, search));
    let otherwise = behaves(system, id).and_then(|()| from_arrival(system, id));
    let otherwise = otherwise.and_then(|requests| last_routine_of(system, id, requests, search));
    with_credit(paid_for, otherwise.map(|one| vec![one]))
}

/// It does not storm: its requests count as they arrive.
fn behaves(system: &System, id: InterruptId) -> Result<(), Uncertified> {
    match system.interrupt(id).storm {
        Some(_) => Err(Uncertified::not_mechanised("an interrupt that may storm", "storms")),
        None => Ok(()),
    }
}
