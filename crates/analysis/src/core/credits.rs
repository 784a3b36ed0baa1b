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

use crate::core::Propagation;
use crate::fixed_priority::Gift;
use crate::ground::delivered_to;
use crate::interrupt::Paid;
use crate::request::Card;
use crate::request::Ranked;
use crate::request::reserved::Reserved;
use crate::request::{arrivals as arrivals_of, credit, routine_in_guest};
use vorrang_model::system::{InterruptId, Member, Priority, Scheduler, SupplyId, TaskId};
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
        let routine = routine_in_guest(system, other);
        let count = arrivals_of(system, other).in_window(response.checked_add(until)?);
        sum.checked_add(routine.checked_mul(count)?)
    });
    gift.by <= system.interrupt(id).min_interarrival && sum.is_some_and(|sum| sum <= gift.work)
}

/// Whether each interrupt of a guest is served by its own credit and by nothing of another one's, so that it is handled when
/// that is spent.
///
/// Their pseudo-VCPUs are of equal priority, each is handled before it comes again if all are, and none wakes a task: so those
/// in the guest are served in the order in which their pseudo-VCPUs run. No two enter it at the same instant.
pub(crate) fn each_has_its_own(
    arrivals: &Propagation<'_>,
    guest: SupplyId,
    paid: &[Option<Paid>],
) -> bool {
    let system = arrivals.system;
    let priority = |id: InterruptId| -> Option<Priority> {
        let interrupt = system.interrupt(id);
        let Paid { of, handled, .. } = paid[id.0].as_ref()?;
        let is_alone_in_it = interrupt.wakes.is_none()
            && interrupt.storm.is_none()
            && Card::raising(system, id).is_none()
            && !arrivals.stages[id.0].at_core.calm.cost.is_zero();
        let is_in_time = handled.is_some_and(|by| by <= interrupt.min_interarrival);
        of.by.priority.filter(|_| is_alone_in_it && is_in_time)
    };
    let mut all = delivered_to(system, guest).into_iter().map(priority);
    let first = all.next().flatten();
    first.is_some() && all.all(|other| other == first)
}

/// Whether nothing of a guest runs before a task but routines.
pub(crate) fn is_first_in_guest(arrivals: &Propagation<'_>, task: TaskId, guest: SupplyId) -> bool {
    let system = arrivals.system;
    let own = system.task(task);
    let supply = system.supply(guest);
    if own.on != guest || !system.blocking(Member::Task(task)).is_zero() {
        return false;
    }
    let others = || supply.members.iter().filter(|member| **member != Member::Task(task));
    let by_priority = supply.scheduler == Scheduler::FixedPriority;
    // Those of virtual processors inside the guest stand beside the task.
    let rank = u64::from(own.priority.0);
    let is_below = |paid: &Ranked<'_>| paid.rank < rank;
    arrivals.pseudo_vcpus_on(guest).is_ok_and(|inside| inside.iter().all(is_below))
        && (others().next().is_none()
            || by_priority
                && others().all(|other| own.priority.is_more_urgent_than(system.priority(*other))))
}
