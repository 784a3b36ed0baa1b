//! What the kernel of a core takes, and a reservation of Linux.
//!
//! **Model.** Each release of a task of the core, in its reservation too, calls the scheduler: a call is a routine that
//! comes with the release, and is dropped where another is under way. The call at the end of a job as urgent as what is
//! looked at is part of that job. Of what is less urgent one call may be under way when a window begins, and a section
//! of the kernel: that is blocking. Routines wait for both, too.
//!
//! A task that is alone in the only reservation of a core, whose runtime is never used up, is a job like any other for
//! what is below it: how runtimes end, and when they come back, does not matter.
//!
//! **Assumptions.** Nothing else of the core calls: neither servers but that one, nor blocking that is stated, nor time
//! slices, throttling or switches ([`is_plain`]).
//!
//! Derived in docs/theory/unthrottled.md, docs/theory/scheduler-costs.md, docs/theory/sections.md.

use super::interrupts::{after_job, delay, delivered};
use crate::Uncertified;
use vorrang_certificate::{Member, Order};
use vorrang_model::System;
use vorrang_model::system::{
    Member as OnSupply, RtThrottling, Scheduler, ServerRule, SupplyId, TaskId,
};

/// Whether a core has tasks by priority only, or below one reservation with one task.
pub(super) fn is_plain(system: &System, core: SupplyId) -> bool {
    let of = system.supply(core);
    let by_priority = matches!(of.scheduler, Scheduler::FixedPriority | Scheduler::Linux);
    let servers: Vec<_> = of.members.iter().filter_map(|member| server(*member)).collect();
    let one_at_most = match servers[..] {
        [] => true,
        [only] => of.scheduler == Scheduler::Linux && is_simple(system, only),
        _ => false,
    };
    let blocked =
        system.tasks.iter().any(|task| system.core_of(task.on) == core && !task.blocking.is_zero());
    let unlimited = !matches!(of.rt_throttling, RtThrottling::After(_));
    by_priority
        && one_at_most
        && !blocked
        && unlimited
        && of.time_slice.is_none()
        && system.costs.context_switch.is_zero()
}

fn server(member: OnSupply) -> Option<SupplyId> {
    match member {
        OnSupply::Server(id) => Some(id),
        OnSupply::Task(_) => None,
    }
}

/// Whether it is a server of `SCHED_DEADLINE` with one task that does not reclaim, due at the end of its period.
fn is_simple(system: &System, id: SupplyId) -> bool {
    let of = system.supply(id);
    let [OnSupply::Task(_)] = of.members[..] else { return false };
    of.server().is_some_and(|server| {
        let due = server.deadline().is_none_or(|deadline| deadline == server.period);
        matches!(server.rule, ServerRule::SchedDeadline { reclaims: false, .. }) && due
    }) && delivered(system, id).next().is_none()
}

/// The calls of a core for what is released there; `jobs` says what tasks do.
pub(super) fn calls(
    system: &System,
    on: SupplyId,
    mut jobs: impl FnMut(TaskId) -> Result<Member, Uncertified>,
) -> Result<Vec<Member>, Uncertified> {
    let call = after_job(system, on);
    if call == 0 {
        return Ok(Vec::new());
    }
    let tasks = system.task_ids().filter(|&id| system.core_of(system.task(id).on) == on);
    let calls = tasks.map(|id| match jobs(id)? {
        Member::Jobs { period, jitter, .. } => Ok(Member::Jobs { cost: call, period, jitter }),
        Member::Budgets { .. } => unreachable!("it is a task"),
    });
    calls.collect()
}

/// How the core orders a task that is alone in its only reservation.
pub(super) fn in_reservation(system: &System, on: SupplyId) -> Result<Order, Uncertified> {
    let core = system.core_of(on);
    let of = system.supply(on).server();
    let Some(of) = of.filter(|of| of.on == core && is_plain(system, core)) else {
        return Err(refused("beside others, or with more than one task"));
    };
    Ok(Order::Reserved {
        blocked_by: delay(system, core),
        after: after_job(system, core),
        budget: of.budget.as_ns(),
        every: of.period.as_ns(),
        longest: 0,
    })
}

/// Why a reservation of Linux is not certified.
pub(super) fn refused(why: &str) -> Uncertified {
    Uncertified::not_mechanised(format!("a server of kind sched-deadline {why}"), "unthrottled")
}
