//! An interrupt that a pseudo-VCPU by *arrival* pays for.
//!
//! **Model.** One that is alone in its guest, and whose task nothing there precedes, has the jobs of `By_credit`: the
//! routine of the guest with its task, as often as the interrupt comes without a storm, in the guest when the routine of
//! the core ends. What is as urgent as the pseudo-VCPU comes before it, its virtual processor included.

use super::interrupts::{delivered, of_routine, paid_on, routines};
use super::requests::{Requests, credit};
use super::supplies::{competitor, supply};
use crate::Uncertified;
use crate::windows::Search;
use vorrang_certificate::{Certificate, Credit, Member, Order};
use vorrang_model::System;
use vorrang_model::system::{
    Delivery, InterruptId, Member as OnSupply, Priority, PseudoVcpu, Scheduler, SupplyId, TaskId,
};

/// The certificate of an interrupt until it is handled.
pub(super) fn handled(
    system: &System,
    id: InterruptId,
    (delivery, payer): (&Delivery, &PseudoVcpu),
    search: &mut Search,
) -> Result<Certificate, Uncertified> {
    if !is_alone(system, id, delivery.vcpu) {
        return Err(not_alone("an interrupt that others of its guest, or tasks, precede"));
    }
    let Some(on) = system.supply(delivery.vcpu).on() else {
        return Err(not_alone("a virtual processor on no supply"));
    };
    let routine = of_routine(system, id, search)?.bound;
    let cost = credit(system, id, delivery);
    let period = system.interrupt(id).min_interarrival.as_ns();
    let jitter = system.interrupt(id).jitter.as_ns().saturating_add(routine);
    let (credits, back) = (payer.budget.as_ns() / cost.max(1), payer.period.as_ns());
    if credits == 0 || back > credits.saturating_mul(period) {
        return Err(not_alone("requests that are held back"));
    }
    let order = Order::Credit(Credit { blocked_by: 0, credit: cost, credits, back, routine });
    let urgent = as_urgent(system, id, on, payer.priority, search)?;
    let on = supply(system, on, search)?;
    let own = Certificate { on, urgent, order, cost, period, jitter, ..Certificate::default() };
    let found = search.certificate(own)?;
    if found.bound > period {
        return Err(not_alone("an interrupt that may come before the last one is handled"));
    }
    Ok(found)
}

fn not_alone(what: &str) -> Uncertified {
    Uncertified::not_mechanised(what, "pseudo-vcpu")
}

/// Whether no other interrupt is in the guest, and nothing there precedes the task that it wakes.
fn is_alone(system: &System, id: InterruptId, vcpu: SupplyId) -> bool {
    let guest = system.supply(vcpu);
    let is_first = |task: TaskId| {
        let own = system.task(task).priority;
        let mut others = guest.members.iter().filter(|&&other| other != OnSupply::Task(task));
        guest.scheduler == Scheduler::FixedPriority
            && others.all(|&other| own.is_more_urgent_than(system.priority(other)))
            && paid_on(system, vcpu).next().is_none()
    };
    delivered(system, vcpu).all(|other| other == id)
        && system.interrupt(id).wakes.is_none_or(is_first)
}

/// What comes before a pseudo-VCPU of this priority, or of none, on its supply.
fn as_urgent(
    system: &System,
    id: InterruptId,
    on: SupplyId,
    own: Option<Priority>,
    search: &mut Search,
) -> Result<Vec<Member>, Uncertified> {
    let precedes = |other| own.is_some_and(|own: Priority| !own.is_more_urgent_than(other));
    let mut urgent = routines(system, on, search)?;
    for (other, delivery, payer) in paid_on(system, on) {
        if other != id && payer.priority.is_none_or(precedes) {
            let late = of_routine(system, other, search)?.bound;
            let requests = Requests::of(system, other);
            urgent.push(requests.each(credit(system, other, delivery), late));
        }
    }
    for &member in &system.supply(on).members {
        if precedes(system.priority(member)) {
            urgent.extend(competitor(system, member, search)?);
        }
    }
    Ok(urgent)
}
