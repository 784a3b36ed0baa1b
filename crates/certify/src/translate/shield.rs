//! Timers behind a shield, in the terms of `Timers_of`.
//!
//! **Model.** A timer is as urgent as the member of its core through which the task runs that armed it, an idle core less
//! urgent than everything. An interrupt for it takes what comes around a routine, and the callback. A task of the core
//! that a timer wakes has the jitter of its latency. Any other task of the core counts from the request of the interrupt
//! that wakes it, since the routine is ready until it has ended.
//!
//! **Assumptions.** 1. Calls, switches, sections and cold caches take no time, callbacks do: [`is_covered`].
//!
//! Derived in docs/theory/timer-shield.md.

use super::counted::returns_once;
use super::requests::{Requests, around, budget_timers, routine};
use super::shielding::{Found, latencies};
use crate::Uncertified;
use crate::windows::Search;
use vorrang_certificate::{Member, Shield, Shielded};
use vorrang_model::System;
use vorrang_model::system::{
    Activation, Member as OnSupply, RtThrottling, Scheduler, SupplyId, TaskId, TimerId, TimerQueue,
};

/// Whether timers of a core wait for what is more urgent than they are.
pub(super) fn is_shielded(system: &System, core: SupplyId) -> bool {
    let of = system.supply(core);
    of.timer_queue == TimerQueue::TimerShield
        && matches!(of.scheduler, Scheduler::FixedPriority | Scheduler::Linux)
        && system.timers_on(core).next().is_some()
}

/// Whether the theorem knows all that happens on a core with a shield.
pub(super) fn is_covered(system: &System, core: SupplyId) -> bool {
    let of = system.supply(core);
    let costs = &system.costs;
    let kernel = costs.scheduler_call + costs.context_switch + of.sections;
    let on_core = |&supply: &SupplyId| system.core_of(supply) == core;
    let blocked = system.tasks.iter().any(|task| on_core(&task.on) && !task.blocking.is_zero())
        || system.supply_ids().filter(on_core).any(|id| !system.supply(id).blocking().is_zero());
    let pays = system.paid_on(core).next().is_some();
    let is_known = |&member: &OnSupply| match member {
        OnSupply::Task(id) => of_task(system, id).is_some(),
        OnSupply::Server(id) => system.supply(id).server_kind().is_some_and(returns_once),
    };
    kernel.is_zero()
        && !costs.timer_expiry.is_zero()
        && !blocked
        && !pays
        && !matches!(of.rt_throttling, RtThrottling::After(_))
        && of.time_slice.is_none()
        && of.members.iter().all(is_known)
}

/// A task of the core, which no timer wakes or one does.
fn of_task(system: &System, id: TaskId) -> Option<Member> {
    let task = system.task(id);
    let cost = task.wcet.as_ns();
    match task.activation {
        Activation::Sporadic | Activation::Timer(_) => Some(Member::Jobs {
            cost,
            period: task.min_interarrival.as_ns(),
            jitter: task.jitter.as_ns(),
        }),
        Activation::Interrupt(by) if system.interrupt(by).delivery.is_none() => {
            let requests = Requests::of(system, by);
            Some(requests.each(cost, requests.jitter))
        }
        _ => None,
    }
}

/// The timers of a core beside a member of this urgency, if a shield keeps them from something.
pub(super) fn shield(
    system: &System,
    core: SupplyId,
    beside: u64,
    search: &mut Search,
) -> Result<Option<Member>, Uncertified> {
    if system.supply(core).on().is_some() || !is_shielded(system, core) {
        return Ok(None);
    }
    let (shield, _) = found(system, core, search)?;
    Ok(Some(Member::Timers(Box::new(Shield { beside, ..shield }))))
}

/// How much later than its expiry the callback of a timer has ended.
pub(super) fn latency(
    system: &System,
    id: TimerId,
    search: &mut Search,
) -> Result<u64, Uncertified> {
    let core = system.core_of(system.task(system.timer(id).armed_by).on);
    let (shield, ids) = found(system, core, search)?;
    let own = ids.iter().zip(&shield.timers).find(|(other, _)| **other == id);
    // It has ended before.
    Ok(own.map_or(0, |(_, timer)| timer.latency - 1))
}

fn found(
    system: &System,
    core: SupplyId,
    search: &mut Search,
) -> Result<(Shield, Vec<TimerId>), Uncertified> {
    let ids: Vec<_> = system.timers_on(core).collect();
    let timers = ids.iter().map(|&id| of_timer(system, core, id)).collect();
    let mut first: Vec<_> = system.interrupts_on(core).map(|id| routine(system, id)).collect();
    first.extend(budget_timers(system, core));
    let deferral = system.supply(core).max_defer.map(vorrang_time::Duration::as_ns);
    let others = others(system, core);
    let mut shield = Shield { deferral, timers, first, others, ..Shield::default() };
    match latencies(&mut shield, search) {
        Found::Latencies => Ok((shield, ids)),
        Found::Nothing => Err(Uncertified::NoWindow),
    }
}

fn of_timer(system: &System, core: SupplyId, id: TimerId) -> Shielded {
    let timer = system.timer(id);
    let task = system.task(timer.armed_by);
    let takes = around(system, core).saturating_add(system.costs.timer_expiry.as_ns());
    let wakes = if timer.wakes && task.on == core { task.wcet.as_ns() } else { 0 };
    let urgency = urgency_of(system, through(system, core, timer.armed_by));
    Shielded { urgency, takes, period: timer.period.as_ns(), latency: 0, wakes }
}

/// The member of a core through which a task runs.
fn through(system: &System, core: SupplyId, id: TaskId) -> OnSupply {
    let (mut member, mut on) = (OnSupply::Task(id), system.task(id).on);
    while on != core {
        member = OnSupply::Server(on);
        on = system.on(member);
    }
    member
}

/// How urgent a member is, where an idle core is 0.
pub(super) fn urgency_of(system: &System, member: OnSupply) -> u64 {
    u64::from(system.priority(member).0) + 1
}

/// The members of a core, but for tasks that a timer wakes.
fn others(system: &System, core: SupplyId) -> Vec<(u64, Member)> {
    let member = |&member: &OnSupply| {
        let of = match member {
            OnSupply::Task(id) if is_woken(system, id) => None,
            OnSupply::Task(id) => of_task(system, id),
            OnSupply::Server(id) => budgets(system, id),
        };
        of.map(|of| (urgency_of(system, member), of))
    };
    system.supply(core).members.iter().filter_map(member).collect()
}

fn is_woken(system: &System, id: TaskId) -> bool {
    matches!(system.task(id).activation, Activation::Timer(_))
}

fn budgets(system: &System, id: SupplyId) -> Option<Member> {
    let (kind, server) = super::servers::server(system, id).ok()?;
    Some(Member::Budgets { kind, budget: server.budget.as_ns(), period: server.period.as_ns() })
}
