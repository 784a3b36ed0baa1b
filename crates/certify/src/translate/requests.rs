//! How often routines of a core are requested, and what each takes.
//!
//! **Model.** A routine takes its time with entry, exit, and the exit of a guest. It comes as often as its interrupt, in
//! a storm if that states one; or, where a pseudo-VCPU by *arrival* with n credits holds requests back, n times in
//! each of its periods. By the other rules a request waits for the next period at most. Returns and ends of budgets of
//! the host are interrupts of their own.

use super::counted::returns_once;
use crate::Uncertified;
use core::iter::successors;
use vorrang_certificate::Member;
use vorrang_model::System;
use vorrang_model::system::{Delivery, InterruptId, PseudoVcpu, PseudoVcpuRule, Server, SupplyId};

/// How often an interrupt is requested at its worst: so many times, at least this far apart and up to so much later.
#[derive(Clone, Copy)]
pub(super) struct Requests {
    pub(super) count: u64,
    pub(super) period: u64,
    pub(super) jitter: u64,
}

impl Requests {
    pub(super) fn of(system: &System, id: InterruptId) -> Self {
        match paid(system, id) {
            Some((delivery, payer)) if payer.rule == PseudoVcpuRule::Arrival => {
                let (count, back) = credits(system, id, delivery, payer);
                Self { count, period: back, jitter: 0 }
            }
            payer => {
                let held = payer.map_or(0, |(_, payer)| payer.period.as_ns());
                let own = Self::arrivals(system, id);
                Self { jitter: own.jitter.saturating_add(held), ..own }
            }
        }
    }

    /// The same, but counted from its arrivals; `None`: for how long a request may be held back is not bounded.
    fn from_arrival(system: &System, id: InterruptId) -> Option<Self> {
        let Some((delivery, payer)) = paid(system, id) else { return Some(Self::of(system, id)) };
        if payer.rule != PseudoVcpuRule::Arrival {
            return Some(Self::of(system, id));
        }
        let own = Self::arrivals(system, id);
        let (count, back) = credits(system, id, delivery, payer);
        (back <= count.saturating_mul(own.period)).then_some(own)
    }

    fn arrivals(system: &System, id: InterruptId) -> Self {
        let interrupt = system.interrupt(id);
        let period = interrupt.storm.unwrap_or(interrupt.min_interarrival).as_ns();
        Self { count: 1, period, jitter: interrupt.jitter.as_ns() }
    }

    /// What takes `cost` each time, up to `late` after that.
    pub(super) fn each(&self, cost: u64, late: u64) -> Member {
        let cost = cost.saturating_mul(self.count);
        Member::Jobs { cost, period: self.period, jitter: late }
    }
}

/// The requests of an interrupt, from its arrivals on.
pub(super) fn from_arrival(system: &System, id: InterruptId) -> Result<Requests, Uncertified> {
    let requests = Requests::from_arrival(system, id);
    requests.ok_or_else(|| {
        Uncertified::not_mechanised("requests that are held back", "held-back-requests")
    })
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

/// What a pseudo-VCPU by *arrival* is credited with for one request: that; or its share of the budget, if others of the
/// guest may come before it that have none.
pub(super) fn granted(
    system: &System,
    id: InterruptId,
    delivery: &Delivery,
    payer: &PseudoVcpu,
) -> u64 {
    let takes = credit(system, id, delivery);
    let is_unpaid = |other: InterruptId| {
        let to = system.interrupt(other).delivery.as_ref();
        to.is_some_and(|to| to.vcpu == delivery.vcpu && to.pseudo_vcpu.is_none())
    };
    if takes == 0 || !system.interrupt_ids().any(is_unpaid) {
        return takes;
    }
    let usual = payer.period.div_ceil(system.interrupt(id).min_interarrival);
    let covered = usual.min(payer.budget.as_ns() / takes);
    payer.budget.as_ns() / covered.max(1)
}

/// How many credits it has, and when one is back after it was taken.
pub(super) fn credits(
    system: &System,
    id: InterruptId,
    delivery: &Delivery,
    payer: &PseudoVcpu,
) -> (u64, u64) {
    let one = granted(system, id, delivery, payer).max(1);
    (payer.budget.as_ns() / one, payer.period.as_ns())
}

/// What a routine of a core takes besides its own time.
pub(super) fn around(system: &System, core: SupplyId) -> u64 {
    let guests = |&id: &SupplyId| system.supply(id).vm.is_some() && system.core_of(id) == core;
    let costs = &system.costs;
    let both = costs.interrupt_entry + costs.interrupt_exit;
    let exit = if system.supply_ids().any(|id| guests(&id)) { costs.vm_exit.as_ns() } else { 0 };
    both.as_ns().saturating_add(exit)
}

pub(super) fn routine(system: &System, id: InterruptId) -> Member {
    let interrupt = system.interrupt(id);
    let cost = interrupt.isr.as_ns().saturating_add(around(system, interrupt.on));
    let requests = Requests::of(system, id);
    requests.each(cost, requests.jitter)
}

/// The interrupts with which budgets of the host return and end.
pub(super) fn budget_timers(system: &System, core: SupplyId) -> Vec<Member> {
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

/// How long a routine of the core may be delayed by a section of the kernel, a call and the switch after it.
pub(super) fn delay_of_routine(system: &System, core: SupplyId) -> u64 {
    let kernel = system.costs.scheduler_call + system.costs.context_switch;
    system.supply(core).sections.as_ns().saturating_add(kernel.as_ns())
}
