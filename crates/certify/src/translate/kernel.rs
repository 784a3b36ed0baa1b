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

use super::interrupts::{delivered, routines};
use super::supplies::jobs;
use crate::Uncertified;
use crate::windows::Search;
use vorrang_certificate::{Certificate, Member, Order, Supply};
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

/// How long something of the core, a routine too, may be delayed by a section of the kernel and a call.
pub(super) fn delay(system: &System, on: SupplyId) -> u64 {
    let sections = system.supply(on).sections.as_ns();
    sections.saturating_add(after_job(system, on))
}

/// What the kernel takes when a job on a supply ends.
pub(super) fn after_job(system: &System, on: SupplyId) -> u64 {
    let is_core = system.supply(on).on().is_none();
    if is_core { system.costs.scheduler_call.as_ns() } else { 0 }
}

/// The calls of a core for what is released there.
pub(super) fn calls(
    system: &System,
    on: SupplyId,
    search: &mut Search,
) -> Result<Vec<Member>, Uncertified> {
    let call = after_job(system, on);
    if call == 0 {
        return Ok(Vec::new());
    }
    let tasks = system.task_ids().filter(|&id| system.core_of(system.task(id).on) == on);
    let released = tasks.map(|id| jobs(system, id, search));
    let calls = released.map(|jobs| match jobs? {
        Member::Jobs { period, jitter, .. } => Ok(Member::Jobs { cost: call, period, jitter }),
        Member::Budgets { .. } => unreachable!("it is a task"),
    });
    calls.collect()
}

/// The certificate of a task that is alone in the only reservation of a core.
pub(super) fn unthrottled(
    system: &System,
    id: TaskId,
    search: &mut Search,
) -> Result<Certificate, Uncertified> {
    let server = system.supply(system.task(id).on);
    let core = system.core_of(system.task(id).on);
    let refused = |why: &str| {
        let what = format!("a server of kind sched-deadline {why}");
        Uncertified::not_mechanised(what, "unthrottled")
    };
    let Some(of) = server.server().filter(|of| of.on == core && is_plain(system, core)) else {
        return Err(refused("beside others, or with more than one task"));
    };
    let Member::Jobs { cost, period, jitter } = jobs(system, id, search)? else {
        unreachable!("it is a task")
    };
    let mut urgent = routines(system, core, search)?;
    urgent.extend(calls(system, core, search)?);
    let order = Order::Reserved {
        blocked_by: delay(system, core),
        after: after_job(system, core),
        budget: of.budget.as_ns(),
        every: of.period.as_ns(),
        longest: 0,
    };
    let on = Supply::Core;
    let own = Certificate { on, urgent, order, cost, period, jitter, ..Certificate::default() };
    let found = search.reserved(own).filter(vorrang_certificate::check);
    found.ok_or_else(|| refused("whose runtime may be used up"))
}
