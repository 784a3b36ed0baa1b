//! What the kernel of a core takes, and a reservation of Linux.
//!
//! **Model.** Each release of a task of the core, in its reservation too, calls the scheduler: a call is a routine that
//! comes with the release, and is dropped where another is under way. The call at the end of a job as urgent as what is
//! looked at is part of that job. Of what is less urgent one call may be under way when a window begins, and a section
//! of the kernel: that is blocking. Routines wait for both, too.
//!
//! A task that is alone in the only reservation of a core, whose runtime is never used up, is a job like any other for
//! what is below it: how runtimes end, and when they come back, does not matter. Else a reservation is `Runtime_of`, and
//! calls when it is replenished, when it is throttled, and when its guest sleeps ([`calls_of_server`]).
//!
//! **Assumptions.** 1. Nothing else of the core calls: neither other servers, nor blocking that is stated, nor time
//! slices, throttling or switches ([`is_plain`]). 2. Routines run one after the other for no longer than
//! [`Search::block`] says, which Coq is told.
//!
//! Derived in docs/theory/unthrottled.md, late-runtimes.md, scheduler-costs.md and sections.md there; the task of a
//! reservation beside others is that of `beside.rs`.

use super::callers::{Jobs, releases};
use super::interrupts::{after_job, delay, delivered, routines};
use crate::Uncertified;
use crate::windows::Search;
use vorrang_certificate::{Member, Order, Times};
use vorrang_model::System;
use vorrang_model::system::{
    InterruptTime, Member as OnSupply, RtThrottling, Scheduler, ServerKind, ServerRule, SupplyId,
};

/// Whether a core has tasks by priority only, or below reservations with one task each.
pub(super) fn is_plain(system: &System, core: SupplyId) -> bool {
    let of = system.supply(core);
    let by_priority = matches!(of.scheduler, Scheduler::FixedPriority | Scheduler::Linux);
    let simple = servers(system, core)
        .all(|server| of.scheduler == Scheduler::Linux && is_simple(system, server));
    let blocked =
        system.tasks.iter().any(|task| system.core_of(task.on) == core && !task.blocking.is_zero());
    let unlimited = !matches!(of.rt_throttling, RtThrottling::After(_));
    by_priority
        && simple
        && !blocked
        && unlimited
        && of.time_slice.is_none()
        && system.costs.context_switch.is_zero()
}

/// Linux has servers of `SCHED_DEADLINE` before every priority.
pub(super) fn is_before_priorities(system: &System, member: OnSupply) -> bool {
    let OnSupply::Server(id) = member else { return false };
    system.supply(id).server_kind() == Some(ServerKind::SchedDeadline)
}

/// The servers of a core.
pub(super) fn servers(system: &System, core: SupplyId) -> impl Iterator<Item = SupplyId> + '_ {
    system.supply(core).members.iter().filter_map(|member| match *member {
        OnSupply::Server(id) => Some(id),
        OnSupply::Task(_) => None,
    })
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
    (search, jobs): (&mut Search, Jobs),
) -> Result<Vec<Member>, Uncertified> {
    let call = after_job(system, on);
    if call == 0 {
        return Ok(Vec::new());
    }
    let tasks = system.task_ids().filter(|&id| system.core_of(system.task(id).on) == on);
    let calls = tasks.map(|id| {
        let Times { period, jitter } = releases(system, id, (search, jobs))?;
        Ok(Member::Jobs { cost: call, period, jitter })
    });
    calls.collect()
}

/// The calls of a reservation with one task: a budget that returns, one that is used up, and a guest that sleeps.
pub(super) fn calls_of_server(system: &System, id: SupplyId, task: &Member) -> Vec<Member> {
    let cost = after_job(system, system.core_of(id));
    let (Some(of), Member::Jobs { period, jitter, .. }) = (system.supply(id).server(), task) else {
        return Vec::new();
    };
    let every = of.period.as_ns();
    let one = |period: u64, jitter: u64| Member::Jobs { cost, period, jitter };
    let twice = every.saturating_mul(2);
    let all = [one(every, every), one(every, twice), one(*period, jitter.saturating_add(*period))];
    all.into_iter().filter(|_| cost > 0).collect()
}

/// A reservation whose runtimes may be used up.
pub(super) fn runtime(
    system: &System,
    id: SupplyId,
    search: &mut Search,
) -> Result<Member, Uncertified> {
    let core = system.core_of(id);
    let late = system.supply(core).overrun.as_ns();
    let block = match system.supply(core).interrupt_time {
        InterruptTime::Apart => Some(0),
        InterruptTime::Charged => {
            let routines = routines(system, core, search)?;
            search.block(&routines, delay(system, core))
        }
    };
    let of = system.supply(id).server().filter(|_| is_simple(system, id));
    let found = of.zip(block).map(|(of, block)| {
        let (budget, period) = (of.budget.as_ns(), of.period.as_ns());
        Member::Runtime { budget, period, exceeded: late.saturating_add(block) }
    });
    let found = found
        .filter(|of| matches!(of, Member::Runtime { budget, exceeded, .. } if exceeded < budget));
    let why = "a server of kind sched-deadline that may overrun a whole runtime";
    found.ok_or_else(|| Uncertified::not_mechanised(why, "late-runtimes"))
}

/// How the core orders a task that is alone in its only reservation.
pub(super) fn in_reservation(system: &System, on: SupplyId) -> Result<Order, Uncertified> {
    let core = system.core_of(on);
    let of = system.supply(on).server();
    let is_only = servers(system, core).count() == 1 && is_plain(system, core);
    let Some(of) = of.filter(|of| of.on == core && is_only) else {
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
