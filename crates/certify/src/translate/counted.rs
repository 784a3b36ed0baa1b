//! The cores of which calls and switches are a member of their own.
//!
//! **Model.** By priority, with tasks and servers whose budgets return once in a period. Contexts are virtual processors,
//! servers of the host with one task, and tasks.
//!
//! **Does not cover** pseudo-VCPUs, servers without a budget, equals of servers, sections of less urgent work, time slices
//! and throttling.
//!
//! Theory: docs/theory/scheduler-costs.md.

use vorrang_model::System;
use vorrang_model::system::{
    Activation, Delivery, Member as OnSupply, RtThrottling, Scheduler, ServerKind, SupplyId,
};

/// Whether calls and switches of a core are a member of their own.
pub(super) fn are_counted(system: &System, core: SupplyId) -> bool {
    let costs = &system.costs;
    let cost = !costs.scheduler_call.is_zero() || !costs.context_switch.is_zero();
    cost && is_counted(system, core)
}

/// Whether the theorem covers the members of a core.
pub(super) fn is_counted(system: &System, core: SupplyId) -> bool {
    let of = system.supply(core);
    let on_core = |&supply: &SupplyId| system.core_of(supply) == core;
    let tasks = system.tasks.iter().filter(|task| on_core(&task.on));
    let blocked = tasks.clone().any(|task| !task.blocking.is_zero())
        || system.supply_ids().filter(on_core).any(|id| !system.supply(id).blocking().is_zero());
    let is_paid = |to: &Delivery| to.pseudo_vcpu.is_some();
    let pays = system
        .interrupts_on(core)
        .any(|id| system.interrupt(id).delivery.as_ref().is_some_and(is_paid));
    matches!(of.scheduler, Scheduler::FixedPriority | Scheduler::Linux)
        && !matches!(of.rt_throttling, RtThrottling::After(_))
        && of.time_slice.is_none()
        && !blocked
        && !pays
        && tasks.clone().all(|task| is_woken_here(system, task.on, task.activation))
        && of.members.iter().all(|&member| is_caller(system, core, member))
}

/// No routine of another guest wakes it.
fn is_woken_here(system: &System, on: SupplyId, by: Activation) -> bool {
    let Activation::Interrupt(interrupt) = by else { return true };
    system.interrupt(interrupt).delivery.as_ref().is_none_or(|to| to.vcpu == on)
}

/// A task, or a server whose budget returns once in a period, with one context and without equals.
fn is_caller(system: &System, core: SupplyId, member: OnSupply) -> bool {
    let OnSupply::Server(id) = member else { return true };
    let own = system.supply(id);
    let others = system.supply(core).members.iter().filter(|&&other| other != member);
    let equal = others.map(|&other| system.priority(other)).any(|of| of == system.priority(member));
    let is_one = own.vm.is_some() || matches!(own.members[..], [OnSupply::Task(_)]);
    is_fixed(own.server_kind())
        && is_one
        && !equal
        && inside(system, id).all(|of| {
            matches!(of, OnSupply::Task(_))
                || matches!(of, OnSupply::Server(id) if is_fixed(system.supply(id).server_kind()))
        })
}

fn is_fixed(kind: Option<ServerKind>) -> bool {
    kind.is_some_and(returns_once)
}

/// All that is in a server, and in the servers in it.
pub(super) fn inside(system: &System, id: SupplyId) -> Box<dyn Iterator<Item = OnSupply> + '_> {
    let members = system.supply(id).members.iter().copied();
    Box::new(members.flat_map(|member| {
        let below = match member {
            OnSupply::Task(_) => None,
            OnSupply::Server(inner) => Some(inside(system, inner)),
        };
        core::iter::once(member).chain(below.into_iter().flatten())
    }))
}

/// Whether budget returns once in a period, at fixed instants.
pub(super) const fn returns_once(kind: ServerKind) -> bool {
    matches!(kind, ServerKind::Periodic | ServerKind::Polling | ServerKind::Deferrable)
}
