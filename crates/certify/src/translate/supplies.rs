//! Supplies, and what takes time of one before something else.

use super::caches::{contexts, warmed};
use super::callers::kernel;
use super::deadlines::reservation;
use super::interrupts::{
    after_job, delivered, ended_of, guest_time, of_guest, paid_on, pseudo_vcpus, routine_of,
    routines,
};
use super::kernel::{
    calls, calls_of_server, in_reservation, is_before_priorities, refused, runtime,
};
use super::levels;
use super::requests::{Requests, from_arrival};
use super::servers::{not_scheduled, of_kind, server};
use super::shield::{shield, urgency_of};
use super::timers;
use super::woken::woken;
use crate::Uncertified;
use crate::windows::Search;
use vorrang_certificate::{Certificate, Member, Order, Server, Slot, Supply};
use vorrang_model::System;
use vorrang_model::system::{
    Activation, InterruptId, Member as OnSupply, Priority, Scheduler, SupplyId, TaskId,
};

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
            Ok(Requests::of(system, by).each(cost, last_routine(system, by, search)?.bound))
        }
        Activation::Timer(by) => timers::woken(system, id, by, search),
        Activation::Task(_) | Activation::Join => woken(system, id, search),
        Activation::Device(_) => {
            Err(Uncertified::not_mechanised("a task that reads packets", "network-card"))
        }
    }
}

/// The same where their arrivals matter, whatever holds requests back.
pub(super) fn own_jobs(
    system: &System,
    id: TaskId,
    search: &mut Search,
) -> Result<Member, Uncertified> {
    let task = system.task(id);
    let Activation::Interrupt(by) = task.activation else { return jobs(system, id, search) };
    let requests = from_arrival(system, by)?;
    let late = last_routine_of(system, by, requests, search)?.bound;
    Ok(requests.each(task.wcet.as_ns(), late))
}

/// The certificate of the last routine of an interrupt: that of the core, or of the guest.
pub(super) fn last_routine(
    system: &System,
    id: InterruptId,
    search: &mut Search,
) -> Result<Certificate, Uncertified> {
    last_routine_of(system, id, Requests::of(system, id), search)
}

/// The same of such requests.
pub(super) fn last_routine_of(
    system: &System,
    id: InterruptId,
    requests: Requests,
    search: &mut Search,
) -> Result<Certificate, Uncertified> {
    let Some(delivery) = &system.interrupt(id).delivery else {
        return routine_of(system, id, requests, search);
    };
    let on = supply(system, delivery.vcpu, search)?;
    let others = delivered(system, delivery.vcpu).filter(|&other| other != id);
    let others = others.map(|other| of_guest(system, other, search));
    let mut urgent = others.collect::<Result<Vec<_>, _>>()?;
    let (Requests { count, period, .. }, cost) = (requests, guest_time(system, id));
    let jitter = ended_of(system, id, requests, search)?;
    if count > 1 {
        urgent.push(Requests { count: count - 1, period, jitter }.each(cost, jitter));
    }
    urgent.extend(above(system, delivery.vcpu, search)?);
    let order = Order::Priority { blocked_by: levels::blocking(system, delivery.vcpu) };
    let own = Certificate { on, urgent, order, cost, period, jitter, ..Certificate::default() };
    search.certificate(own)
}

/// What is as urgent as `precedes` says on the supply of a member, and every routine there.
pub(super) fn urgent(
    system: &System,
    member: OnSupply,
    precedes: impl Fn(Priority) -> bool,
    search: &mut Search,
) -> Result<Vec<Member>, Uncertified> {
    let on = system.on(member);
    let mut first = routines(system, on, search)?;
    first.extend(above(system, on, search)?);
    first.extend(calls(system, on, (search, jobs))?);
    first.extend(kernel(system, member, &precedes, (search, jobs))?);
    first.extend(contexts(system, member, &precedes, (search, jobs))?);
    first.extend(pseudo_vcpus(system, on, &precedes, search)?);
    first.extend(shield(system, on, urgency_of(system, member), search)?);
    let others = system.supply(on).members.iter().copied();
    let first_of_all = |other| is_before_priorities(system, other);
    let others = others.filter(|&other| {
        other != member && (first_of_all(other) || precedes(system.priority(other)))
    });
    for other in others {
        first.extend(competitor(system, other, search)?);
    }
    Ok(first)
}

/// What is more urgent than the levels that a supply is, or is in.
pub(super) fn above(
    system: &System,
    on: SupplyId,
    search: &mut Search,
) -> Result<Vec<Member>, Uncertified> {
    let Some(level) = levels::priority(system, on)? else { return Ok(Vec::new()) };
    urgent(system, OnSupply::Server(on), |other| other.is_more_urgent_than(level), search)
}

/// What a level takes of its supply: all that is in it.
fn contents(
    system: &System,
    level: SupplyId,
    search: &mut Search,
) -> Result<Vec<Member>, Uncertified> {
    levels::nothing_blocks_in(system, level)?;
    let mut all = routines(system, level, search)?;
    all.extend(pseudo_vcpus(system, level, |_| true, search)?);
    for &member in &system.supply(level).members {
        all.extend(competitor(system, member, search)?);
    }
    Ok(all)
}

pub(super) fn competitor(
    system: &System,
    member: OnSupply,
    search: &mut Search,
) -> Result<Vec<Member>, Uncertified> {
    match member {
        OnSupply::Task(id) => {
            let after = after_job(system, system.task(id).on);
            Ok(vec![with(jobs(system, id, search)?, after)])
        }
        OnSupply::Server(id) if is_before_priorities(system, member) => {
            let Some(&OnSupply::Task(task)) = system.supply(id).members.first() else {
                return Err(of_kind("sched-deadline", "sched-deadline"));
            };
            if let Ok(Certificate { cost, period, jitter, .. }) = unthrottled(system, task, search)
            {
                let after = system.costs.scheduler_call.as_ns();
                return Ok(vec![with(Member::Jobs { cost, period, jitter }, after)]);
            }
            let task = jobs(system, task, search)?;
            Ok([vec![runtime(system, id, search)?], calls_of_server(system, id, &task)].concat())
        }
        OnSupply::Server(id) if system.supply(id).level().is_some() => contents(system, id, search),
        OnSupply::Server(id) => {
            let (kind, server) = server(system, id)?;
            let (budget, period) = (server.budget.as_ns(), server.period.as_ns());
            Ok(vec![Member::Budgets { kind, budget, period }])
        }
    }
}

/// The certificate of a task that is alone in the only reservation of a core.
pub(super) fn unthrottled(
    system: &System,
    id: TaskId,
    search: &mut Search,
) -> Result<Certificate, Uncertified> {
    let on = system.task(id).on;
    let (core, order) = (system.core_of(on), in_reservation(system, on)?);
    let Member::Jobs { cost, period, jitter } = jobs(system, id, search)? else {
        unreachable!("it is a task")
    };
    let mut urgent = routines(system, core, search)?;
    urgent.extend(calls(system, core, (search, jobs))?);
    let own = Certificate { urgent, order, cost, period, jitter, ..Certificate::default() };
    let found = search.reserved(own).filter(vorrang_certificate::check);
    found.ok_or_else(|| refused("whose runtime may be used up"))
}

/// A task with so much after each of its jobs.
fn with(of: Member, after: u64) -> Member {
    match of {
        Member::Jobs { cost, period, jitter } => {
            Member::Jobs { cost: cost.saturating_add(after), period, jitter }
        }
        Member::Budgets { .. }
        | Member::Runtime { .. }
        | Member::Kernel { .. }
        | Member::Cold { .. }
        | Member::Timers(_) => of,
    }
}

/// A supply, whatever schedules its members.
pub(super) fn supply(
    system: &System,
    id: SupplyId,
    search: &mut Search,
) -> Result<Supply, Uncertified> {
    let Some(on) = system.supply(id).on() else { return Ok(Supply::Core) };
    let is_level = system.supply(id).level().is_some();
    match system.supply(on).scheduler {
        Scheduler::FixedPriority | Scheduler::Linux if is_level => supply(system, on, search),
        Scheduler::FixedPriority => prioritised(system, id, on, search),
        Scheduler::Edf if system.supply(on).on().is_none() => reserved(system, id, on, search),
        Scheduler::Slots => slotted(system, id, on, search),
        other => Err(not_scheduled(other)),
    }
}

fn slotted(
    system: &System,
    id: SupplyId,
    on: SupplyId,
    search: &mut Search,
) -> Result<Supply, Uncertified> {
    let Some(server) = system.supply(id).server() else { unreachable!("a slot is a server") };
    let Some(offset) = server.slot_offset() else { return Err(of_kind("table", "tables")) };
    let [offset, budget, period] =
        [offset, server.budget, server.period].map(vorrang_time::Duration::as_ns);
    Ok(Supply::Slot(Slot { offset, budget, period, urgent: routines(system, on, search)? }))
}

/// A server on a core under EDF.
fn reserved(
    system: &System,
    id: SupplyId,
    on: SupplyId,
    search: &mut Search,
) -> Result<Supply, Uncertified> {
    let urgent = routines(system, on, search)?;
    let jobs = |task| own_jobs(system, task, search);
    Ok(Supply::Reservation(reservation(system, id, urgent, jobs)?))
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
    if paid_on(system, on).any(|(.., payer)| payer.priority == Some(server.priority)) {
        let what = "pseudo-VCPUs of the priority of a server";
        return Err(Uncertified::not_mechanised(what, "pseudo-vcpu-load"));
    }
    let more_urgent = |other: Priority| other.is_more_urgent_than(server.priority);
    let urgent = urgent(system, own, more_urgent, search)?;
    let (budget, period) = (server.budget.as_ns(), server.period.as_ns());
    let blocking = server.blocking.as_ns().saturating_add(levels::blocking(system, on));
    let mut server = Server { kind, budget, period, blocking, urgent, full: Vec::new(), parent };
    let full = search.full(&server);
    server.full = full.ok_or_else(|| Uncertified::NoBudget(system.supply(id).name.clone()))?;
    warmed(system, id, Supply::Server(Box::new(server)), (search, jobs))
}
