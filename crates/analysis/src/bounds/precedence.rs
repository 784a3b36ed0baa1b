//! Woken tasks that wait for the task before them in any case.
//!
//! **Model.** On one supply by priority a less urgent task gets nothing while the job that is to wake it is not
//! complete. So nothing changes if its job is released together with that one, and its bound need not take what comes
//! before to come once more. Of several tasks that are to wake it, each is looked at by itself. By deadline the same holds
//! of a task with a longer one: both deadlines count from one arrival.
//!
//! **Assumptions.** 1. The task before is more urgent, on the same supply. 2. By priority no other member there, and no
//! pseudo-VCPU, has the priority of the task: which of two equals comes first depends on when they become ready. By
//! deadline it depends on the declaration. 3. Calls of the scheduler of the host take no time: there is one when the job
//! is released.
//!
//! Theory: docs/theory/propagation.md.

use vorrang_model::system::{Activation, Member, Priority, Scheduler, SupplyId, System, TaskId};
use vorrang_time::Duration;

/// How late the job of a task may be released that is as if released with that of `by`, which wakes it.
pub(super) fn released_with(system: &System, id: TaskId, by: TaskId) -> Option<Duration> {
    if !waits_for(system, id, by) {
        return None;
    }
    let first = system.task(by);
    match first.activation {
        Activation::Sporadic | Activation::Task(_) | Activation::Join => Some(first.jitter),
        // While a routine of the core is requested, none of its members runs.
        Activation::Interrupt(id) => {
            let routine = system.interrupt(id);
            let is_before_all =
                routine.on == first.on && routine.delivery.is_none() && routine.is_external();
            is_before_all.then_some(routine.jitter)
        }
        Activation::Timer(_) | Activation::Device(_) => None,
    }
}

/// Whether a task gets nothing while a job of the other one is not complete.
fn waits_for(system: &System, id: TaskId, other: TaskId) -> bool {
    let [own, first] = [id, other].map(|id| system.task(id));
    let is_free = system.costs.scheduler_call.is_zero() || system.guest_around(own.on).is_some();
    let is_more_urgent = match system.supply(own.on).scheduler {
        Scheduler::FixedPriority | Scheduler::Linux => {
            first.priority.is_more_urgent_than(own.priority)
                && !has_equal(system, own.on, Member::Task(id), own.priority)
        }
        Scheduler::Edf => first.deadline.zip(own.deadline).is_some_and(|(first, own)| first < own),
        _ => false,
    };
    is_free && own.on == first.on && is_more_urgent
}

/// Whether something else on a supply has this priority.
fn has_equal(system: &System, on: SupplyId, own: Member, priority: Priority) -> bool {
    let mut members = system.supply(on).members.iter();
    let deliveries = system.interrupts.iter().filter_map(|interrupt| interrupt.delivery.as_ref());
    let mut payers = deliveries
        .filter(|delivery| system.supply(delivery.vcpu).on() == Some(on))
        .filter_map(|delivery| delivery.pseudo_vcpu.as_ref()?.priority);
    members.any(|&member| member != own && system.priority(member) == priority)
        || payers.any(|payer| payer == priority)
}
