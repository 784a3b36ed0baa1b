//! An interrupt that a pseudo-VCPU by *arrival* pays for.
//!
//! **Model.** One that is alone in its guest, and whose task nothing there precedes, has the jobs of `By_credit`: the
//! routine of the guest with its task, as often as the interrupt comes without a storm, in the guest when the routine of
//! the core ends. One that shares its guest with others that have no pseudo-VCPU, and wakes no task, has those of
//! `By_sharing`: each adds its own routine, and those of others that are pending. What is as urgent as the pseudo-VCPU
//! comes before it, its virtual processor included.

use super::interrupts::{delivered, ended, guest_time, paid_on, routines, taken};
use super::requests::{credits, granted, paid};
use super::supplies::{competitor, last_routine, supply};
use crate::Uncertified;
use crate::windows::Search;
use vorrang_certificate::{Certificate, Credit, Member, Order, Other, Sharing, covering};
use vorrang_model::System;
use vorrang_model::system::{
    Delivery, InterruptId, Member as OnSupply, Priority, PseudoVcpu, PseudoVcpuRule, Scheduler,
    SupplyId, TaskId,
};

/// The certificate of an interrupt until it is handled.
pub(super) fn handled(
    system: &System,
    id: InterruptId,
    (delivery, payer): (&Delivery, &PseudoVcpu),
    search: &mut Search,
) -> Result<Certificate, Uncertified> {
    if payer.rule != PseudoVcpuRule::Arrival {
        return Err(not_alone("a pseudo-VCPU by another rule, as a guarantee"));
    }
    let Some(on) = system.supply(delivery.vcpu).on() else {
        return Err(not_alone("a virtual processor on no supply"));
    };
    let credit = granted(system, id, delivery, payer);
    let routine = ended(system, id, search)?;
    let period = system.interrupt(id).min_interarrival.as_ns();
    let jitter = system.interrupt(id).jitter.as_ns().saturating_add(routine);
    let (credits, back) = credits(system, id, delivery, payer);
    if credits == 0 || back > credits.saturating_mul(period) {
        return Err(not_alone("requests that are held back"));
    }
    let paid = Credit { blocked_by: 0, credit, credits, back, routine };
    let is_alone = is_alone(system, id, delivery.vcpu);
    let (order, cost) =
        if is_alone { (Order::Credit(paid), credit) } else { sharing(system, id, paid, search)? };
    let urgent = as_urgent(system, id, on, payer.priority, search)?;
    let on = supply(system, on, search)?;
    let own = Certificate { on, urgent, order, cost, period, jitter, ..Certificate::default() };
    let found = search.certificate(own)?;
    if is_alone && found.bound > period {
        return Err(not_alone("an interrupt that may come before the last one is handled"));
    }
    Ok(found)
}

fn not_alone(what: &str) -> Uncertified {
    Uncertified::not_mechanised(what, "pseudo-vcpu")
}

/// What each request adds to what its guest has to serve until it is handled, where others are there.
fn sharing(
    system: &System,
    id: InterruptId,
    paid_by: Credit,
    search: &mut Search,
) -> Result<(Order, u64), Uncertified> {
    let Some(to) = &system.interrupt(id).delivery else { unreachable!("it has a pseudo-VCPU") };
    let mut others = Vec::new();
    for other in delivered(system, to.vcpu).filter(|&other| other != id) {
        let of = system.interrupt(other);
        if paid(system, other).is_some() || of.storm.is_some() || of.timer.is_some() {
            return Err(not_alone(
                "an interrupt beside others with pseudo-VCPUs, storms or timers",
            ));
        }
        let bound = last_routine(system, other, search)?.bound;
        let every = of.min_interarrival.as_ns();
        others.push(Other { isr: guest_time(system, other), every, bound });
    }
    let own = guest_time(system, id);
    let interrupt = system.interrupt(id);
    let is_plain = interrupt.wakes.is_none() && interrupt.storm.is_none();
    let cost = covering(&others).and_then(|sum| u64::try_from(sum + u128::from(own)).ok());
    let cost = cost.filter(|&cost| is_plain && cost <= paid_by.credit);
    let cost = cost.ok_or_else(|| {
        not_alone("an interrupt whose credit does not cover what comes before it in its guest")
    })?;
    Ok((Order::Sharing(Sharing { paid: paid_by, own, others }), cost))
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
            urgent.push(taken(system, other, (delivery, payer), search)?);
        }
    }
    for &member in &system.supply(on).members {
        if precedes(system.priority(member)) {
            urgent.extend(competitor(system, member, search)?);
        }
    }
    Ok(urgent)
}
