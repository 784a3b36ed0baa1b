//! What a core does before its members, and what interrupts set off in guests.
//!
//! **Model.** A routine comes as often as its interrupt is requested (`requests.rs`), or its timer expires (`timers.rs`). A
//! pseudo-VCPU by *arrival* with n credits takes n of them in each period, up to the end of the routine late; so does the
//! routine of a guest, whose other time is that of its virtual processor alone. By *deferrable* it takes what a deferrable
//! server does; by *released* the time of each interrupt, and once its budget: as many more that come as late.

use super::counted::are_counted;
use super::requests::{
    Requests, around, budget_timers, credit, delay_of_routine, granted, paid, routine,
};
use super::shield::shield;
use super::timers::{expiries, latency};
use crate::Uncertified;
use crate::windows::Search;
use vorrang_certificate::{Certificate, Kind, Member, Order};
use vorrang_model::System;
use vorrang_model::system::{
    Delivery, InterruptId, InterruptOrder, Priority, PseudoVcpu, PseudoVcpuRule, SupplyId,
};

/// What comes before all members of a supply: on a core its routines and timers, in a virtual processor its routines.
pub(super) fn routines(
    system: &System,
    on: SupplyId,
    search: &mut Search,
) -> Result<Vec<Member>, Uncertified> {
    let own = system.interrupts_on(on).map(|id| routine(system, id));
    let timers = budget_timers(system, on).into_iter().chain(expiries(system, on));
    let own: Vec<_> = own.chain(timers).collect();
    let guests = delivered(system, on).map(|id| of_guest(system, id, search));
    own.into_iter().map(Ok).chain(guests).collect()
}

/// The interrupts of a guest.
pub(super) fn delivered(system: &System, to: SupplyId) -> impl Iterator<Item = InterruptId> + '_ {
    let is_to = move |delivery: &Delivery| delivery.vcpu == to;
    system
        .interrupt_ids()
        .filter(move |&id| system.interrupt(id).delivery.as_ref().is_some_and(is_to))
}

/// How long the routine of a guest takes.
pub(super) fn guest_time(system: &System, id: InterruptId) -> u64 {
    let isr = system.interrupt(id).delivery.as_ref().map_or(0, |delivery| delivery.isr.as_ns());
    isr.saturating_add(system.costs.vm_exit.as_ns())
}

/// The routine of a guest.
pub(super) fn of_guest(
    system: &System,
    id: InterruptId,
    search: &mut Search,
) -> Result<Member, Uncertified> {
    let cost = guest_time(system, id);
    let late = ended(system, id, search)?;
    Ok(Requests::of(system, id).each(cost, late))
}

/// The interrupts that a pseudo-VCPU of a supply pays for.
pub(super) fn paid_on(
    system: &System,
    on: SupplyId,
) -> impl Iterator<Item = (InterruptId, &Delivery, &PseudoVcpu)> {
    let all = system.interrupt_ids().filter_map(|id| paid(system, id).map(|(to, by)| (id, to, by)));
    all.filter(move |(_, to, _)| system.supply(to.vcpu).on() == Some(on))
}

/// The pseudo-VCPUs of a supply that are as urgent as `precedes` says; one without a priority is above all members.
pub(super) fn pseudo_vcpus(
    system: &System,
    on: SupplyId,
    precedes: impl Fn(Priority) -> bool,
    search: &mut Search,
) -> Result<Vec<Member>, Uncertified> {
    let all = paid_on(system, on).filter(|(.., payer)| payer.priority.is_none_or(&precedes));
    all.map(|(id, delivery, payer)| taken(system, id, (delivery, payer), search)).collect()
}

/// What a pseudo-VCPU takes of its supply.
pub(super) fn taken(
    system: &System,
    id: InterruptId,
    (delivery, payer): (&Delivery, &PseudoVcpu),
    search: &mut Search,
) -> Result<Member, Uncertified> {
    let (budget, period) = (payer.budget.as_ns(), payer.period.as_ns());
    if payer.rule == PseudoVcpuRule::Deferrable {
        return Ok(Member::Budgets { kind: Kind::Deferrable, budget, period });
    }
    let (requests, late) = (Requests::of(system, id), ended(system, id, search)?);
    if payer.rule == PseudoVcpuRule::Arrival {
        return Ok(requests.each(granted(system, id, delivery, payer), late));
    }
    let cost = credit(system, id, delivery).max(1);
    let more = budget.div_ceil(cost).saturating_mul(requests.period);
    Ok(requests.each(cost, late.saturating_add(more)))
}

/// The certificate of a service routine of a core, from such a request on; with the jitter of that where none is held back.
pub(super) fn routine_of(
    system: &System,
    id: InterruptId,
    requests: Requests,
    search: &mut Search,
) -> Result<Certificate, Uncertified> {
    let interrupt = system.interrupt(id);
    let order = system.supply(interrupt.on).interrupt_order;
    let is_below = |&other: &InterruptId| {
        order != InterruptOrder::FirstCome
            && interrupt.priority.is_more_urgent_than(system.interrupt(other).priority)
    };
    let others = system.interrupts_on(interrupt.on).filter(|&other| other != id);
    let (below, others): (Vec<_>, Vec<_>) = others.partition(is_below);
    let mut urgent: Vec<_> = others.into_iter().map(|other| routine(system, other)).collect();
    // One that has begun runs to its end.
    let begun = match order {
        InterruptOrder::Priority => {
            below.into_iter().map(|other| routine(system, other).cost()).max()
        }
        InterruptOrder::FirstCome | InterruptOrder::Nested => None,
    };
    let begun = begun.map_or(0, |longest| longest.saturating_sub(1));
    urgent.extend(budget_timers(system, interrupt.on));
    urgent.extend(expiries(system, interrupt.on));
    urgent.extend(shield(system, interrupt.on, 0, search)?);
    let Requests { count, period, jitter } = requests;
    let cost = interrupt.isr.as_ns().saturating_add(around(system, interrupt.on));
    if count > 1 {
        urgent.push(Requests { count: count - 1, period, jitter }.each(cost, jitter));
    }
    let blocked_by = delay_of_routine(system, interrupt.on).saturating_add(begun);
    let order = Order::Priority { blocked_by };
    search.certificate(Certificate {
        urgent,
        order,
        cost,
        period,
        jitter,
        ..Certificate::default()
    })
}

/// How long it takes until the routine of a core has ended, or the callback of a timer that delivers to a guest.
pub(super) fn ended(
    system: &System,
    id: InterruptId,
    search: &mut Search,
) -> Result<u64, Uncertified> {
    ended_of(system, id, Requests::of(system, id), search)
}

/// The same of such requests.
pub(super) fn ended_of(
    system: &System,
    id: InterruptId,
    requests: Requests,
    search: &mut Search,
) -> Result<u64, Uncertified> {
    match system.interrupt(id).timer {
        Some(timer) => latency(system, timer, search),
        None => Ok(routine_of(system, id, requests, search)?.bound),
    }
}

/// How long something of the core may be delayed by a section of the kernel, and by a call where these are no member.
pub(super) fn delay(system: &System, on: SupplyId) -> u64 {
    let sections = system.supply(on).sections.as_ns();
    sections.saturating_add(after_job(system, on))
}

/// What the kernel takes when a job on a supply ends, where calls are no member.
pub(super) fn after_job(system: &System, on: SupplyId) -> u64 {
    let is_core = system.supply(on).on().is_none();
    if is_core && !are_counted(system, on) { system.costs.scheduler_call.as_ns() } else { 0 }
}
