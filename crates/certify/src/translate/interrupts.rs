//! What a core does before its members, and what interrupts set off in guests.
//!
//! **Model.** A routine takes its time with entry, exit, and the exit of a guest. It comes as often as its interrupt, in
//! a storm if that states one; or, where a pseudo-VCPU by *arrival* with n credits holds requests back, n times in
//! each of its periods. The pseudo-VCPU takes n credits in each period, up to the end of the routine late; so
//! does the routine of a guest, whose other time is that of its virtual processor alone. Returns and ends of budgets of
//! the host are interrupts of their own.

use super::counted::{are_counted, returns_once};
use crate::Uncertified;
use crate::windows::Search;
use core::iter::successors;
use vorrang_certificate::{Certificate, Member, Order};
use vorrang_model::System;
use vorrang_model::system::{
    Delivery, InterruptId, InterruptOrder, Priority, PseudoVcpu, Server, SupplyId,
};

/// How often an interrupt is requested at its worst: so many times, at least this far apart and up to so much later.
pub(super) struct Requests {
    pub(super) count: u64,
    pub(super) period: u64,
    pub(super) jitter: u64,
}

impl Requests {
    pub(super) fn of(system: &System, id: InterruptId) -> Self {
        let interrupt = system.interrupt(id);
        if let Some((delivery, payer)) = paid(system, id) {
            let count = payer.budget.as_ns() / credit(system, id, delivery).max(1);
            Self { count, period: payer.period.as_ns(), jitter: 0 }
        } else {
            let period = interrupt.storm.unwrap_or(interrupt.min_interarrival).as_ns();
            Self { count: 1, period, jitter: interrupt.jitter.as_ns() }
        }
    }

    /// What takes `cost` each time, up to `late` after that.
    pub(super) fn each(&self, cost: u64, late: u64) -> Member {
        let cost = cost.saturating_mul(self.count);
        Member::Jobs { cost, period: self.period, jitter: late }
    }
}

/// The pseudo-VCPU of an interrupt.
pub(super) fn paid(system: &System, id: InterruptId) -> Option<(&Delivery, &PseudoVcpu)> {
    let delivery = system.interrupt(id).delivery.as_ref()?;
    Some((delivery, delivery.pseudo_vcpu.as_ref()?))
}

/// What one interrupt takes in its guest.
pub(super) fn credit(system: &System, id: InterruptId, delivery: &Delivery) -> u64 {
    let woken = system.interrupt(id).wakes.map_or(0, |task| system.task(task).wcet.as_ns());
    (delivery.isr + system.costs.vm_exit).as_ns().saturating_add(woken)
}

/// What a routine of a core takes besides its own time.
fn around(system: &System, core: SupplyId) -> u64 {
    let guests = |&id: &SupplyId| system.supply(id).vm.is_some() && system.core_of(id) == core;
    let costs = &system.costs;
    let both = costs.interrupt_entry + costs.interrupt_exit;
    let exit = if system.supply_ids().any(|id| guests(&id)) { costs.vm_exit.as_ns() } else { 0 };
    both.as_ns().saturating_add(exit)
}

fn routine(system: &System, id: InterruptId) -> Member {
    let interrupt = system.interrupt(id);
    let cost = interrupt.isr.as_ns().saturating_add(around(system, interrupt.on));
    let requests = Requests::of(system, id);
    requests.each(cost, requests.jitter)
}

/// The interrupts with which budgets of the host return and end.
fn budget_timers(system: &System, core: SupplyId) -> Vec<Member> {
    let cost = around(system, core).saturating_add(system.costs.timer_expiry.as_ns());
    if cost == 0 {
        return Vec::new();
    }
    let clocked = |&id: &SupplyId| is_of_host(system, id) && system.core_of(id) == core;
    let servers = system.supply_ids().filter(clocked).filter_map(|id| system.supply(id).server());
    let servers = servers.filter(|of| returns_once(of.kind()));
    let both = |&Server { budget, period, .. }: &Server| {
        let (period, late) = (period.as_ns(), (period - budget).as_ns());
        [0, late].map(|jitter| Member::Jobs { cost, period, jitter })
    };
    servers.flat_map(both).collect()
}

/// Whether a server is in no virtual processor.
pub(super) fn is_of_host(system: &System, id: SupplyId) -> bool {
    let within = |id: &SupplyId| system.supply(*id).on();
    let is_server = within(&id).is_some();
    is_server && successors(within(&id), within).all(|id| system.supply(id).vm.is_none())
}

/// What comes before all members of a supply: on a core its routines and the timers of budgets, in a virtual
/// processor its routines.
pub(super) fn routines(
    system: &System,
    on: SupplyId,
    search: &mut Search,
) -> Result<Vec<Member>, Uncertified> {
    let own = system.interrupts_on(on).map(|id| routine(system, id));
    let own: Vec<_> = own.chain(budget_timers(system, on)).collect();
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
    let late = of_routine(system, id, search)?.bound;
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
    let all = all.map(|(id, delivery, _)| {
        let late = of_routine(system, id, search)?.bound;
        Ok(Requests::of(system, id).each(credit(system, id, delivery), late))
    });
    all.collect()
}

/// The certificate of a service routine of a core, from its request on; with the jitter of that where none is held back.
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
    let mut urgent: Vec<_> = others.map(|other| routine(system, other)).collect();
    urgent.extend(budget_timers(system, interrupt.on));
    let Requests { count, period, jitter } = Requests::of(system, id);
    let cost = interrupt.isr.as_ns().saturating_add(around(system, interrupt.on));
    if count > 1 {
        urgent.push(Requests { count: count - 1, period, jitter }.each(cost, jitter));
    }
    let order = Order::Priority { blocked_by: delay_of_routine(system, interrupt.on) };
    search.certificate(Certificate {
        urgent,
        order,
        cost,
        period,
        jitter,
        ..Certificate::default()
    })
}

/// How long a routine of the core may be delayed by a section of the kernel, a call and the switch after it.
fn delay_of_routine(system: &System, core: SupplyId) -> u64 {
    let kernel = system.costs.scheduler_call + system.costs.context_switch;
    system.supply(core).sections.as_ns().saturating_add(kernel.as_ns())
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
