//! What the credit of a pseudo-VCPU covers, so that its interrupt is handled by that alone.
//!
//! **Model.** By *arrival* a pseudo-VCPU gives its credit by the longest time that a task of its urgency with that execution
//! time takes. An interrupt is handled by then if the credit covers all that may be served before.
//!
//! **Assumptions.** 1. Routines of the guest are served first come, first served. 2. The task that an interrupt wakes is directly
//! in the guest, above everything else there.
//!
//! Reference: Kim, Wang, Rajkumar 2015, with the rule of docs/model.md; for interrupts that share a guest the same page.
//!
//! Theory: docs/theory/pseudo-vcpu.md.

use super::credit;
use super::pseudo_vcpu::Reserved;
use crate::arrival::Propagation;
use crate::competitor::Ranked;
use crate::fixed_priority::Gift;
use crate::tree::delivered_to;
use vorrang_model::system::{Member, Scheduler, SupplyId, TaskId};
use vorrang_time::Duration;

/// Whether the credit of one interrupt covers all that the guest may serve before it is handled.
///
/// Of another interrupt, whose routines end within B of their arrival, at most `ceil(B/T)` requests are pending at
/// an instant. First come, first served, no later one comes before the routine; before the task, which is above
/// everything else in the guest, come those that arrive until then, within `until`. An earlier request of
/// its own is handled by then if that is within its period.
pub(crate) fn credit_covers(
    arrivals: &Propagation<'_>,
    own: Reserved,
    gift: &Gift,
    until: Duration,
) -> bool {
    let system = arrivals.system;
    let (id, others) = (own.interrupt, delivered_to(system, own.vcpu));
    let mut before = others.into_iter().filter(|&other| other != id);
    let sum = before.try_fold(credit(system, id), |sum, other| {
        let response = arrivals.stages[other.0].in_guest?;
        let interrupt = system.interrupt(other);
        let routine = interrupt.delivery.as_ref()?.isr + system.costs.vm_exit;
        let count = response.checked_add(until)?.div_ceil(interrupt.min_interarrival);
        sum.checked_add(routine.checked_mul(count)?)
    });
    gift.by <= system.interrupt(id).min_interarrival && sum.is_some_and(|sum| sum <= gift.work)
}

/// Whether nothing of a guest runs before a task but routines.
pub(crate) fn is_first_in_guest(arrivals: &Propagation<'_>, task: TaskId, guest: SupplyId) -> bool {
    let system = arrivals.system;
    let own = system.task(task);
    let supply = system.supply(guest);
    if own.on != guest || !own.blocking.is_zero() {
        return false;
    }
    let urgency = |member: &Member| match member {
        Member::Task(id) => system.task(*id).priority,
        Member::Server(id) => system.supply(*id).priority(),
    };
    let others = || supply.members.iter().filter(|member| **member != Member::Task(task));
    let by_priority = supply.scheduler == Scheduler::FixedPriority;
    // Those of virtual processors inside the guest stand beside the task.
    let rank = u64::from(own.priority.0);
    let is_below = |paid: &Ranked<'_>| paid.rank < rank;
    arrivals.pseudo_vcpus_on(guest).is_ok_and(|inside| inside.iter().all(is_below))
        && (others().next().is_none()
            || by_priority
                && others().all(|other| own.priority.is_more_urgent_than(urgency(other))))
}
