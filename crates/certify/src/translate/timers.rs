//! Timers of tasks, on a core that handles what expires at once.
//!
//! **Model.** An expiry is a routine that comes before every other one of its core: entry, callback and exit, and the exit
//! of a guest, although several may share them. A task that it wakes on a core by priority counts from the expiry, since that
//! routine is ready until the callback ends (`proofs/Timers.v`). Any other task, a routine of a guest, and the call for the
//! task come as late as the callback may end.
//!
//! **Assumptions.** 1. A callback that takes no time, and comes after the other events of its instant, is over as if it took
//! one nanosecond.
//!
//! Behind a shield they are what `shield.rs` says.
//!
//! Derived in docs/theory/timers.md.

use super::requests::{around, budget_timers, delay_of_routine, routine};
use super::shield::{self, is_shielded};
use crate::Uncertified;
use crate::windows::Search;
use vorrang_certificate::{Certificate, Member, Order};
use vorrang_model::System;
use vorrang_model::system::{Activation, InterruptOrder, Scheduler, SupplyId, TaskId, TimerId};

/// The expiries of the timers of a core that handles them at once, with all that they take.
pub(super) fn expiries(system: &System, core: SupplyId) -> impl Iterator<Item = Member> + '_ {
    let cost = around(system, core).saturating_add(system.costs.timer_expiry.as_ns());
    let at_once = cost > 0 && !is_shielded(system, core);
    let all = system.timers_on(core).filter(move |_| at_once);
    all.map(move |id| Member::Jobs { cost, period: system.timer(id).period.as_ns(), jitter: 0 })
}

/// The certificate of the callback of a timer, from its expiry on.
fn of_timer(system: &System, id: TimerId, search: &mut Search) -> Result<Certificate, Uncertified> {
    let timer = system.timer(id);
    let core = system.core_of(system.task(timer.armed_by).on);
    let callback = system.costs.timer_expiry.as_ns().max(1);
    let cost = around(system, core).saturating_add(callback);
    let others = system.timers_on(core).filter(|&other| other != id);
    let period = |other: TimerId| system.timer(other).period.as_ns();
    let others = others.map(|other| Member::Jobs { cost, period: period(other), jitter: 0 });
    let mut urgent: Vec<_> = others.collect();
    urgent.extend(budget_timers(system, core));
    if system.supply(core).interrupt_order != InterruptOrder::Nested {
        urgent.extend(system.interrupts_on(core).map(|routine_of| routine(system, routine_of)));
    }
    let order = Order::Priority { blocked_by: delay_of_routine(system, core) };
    let period = period(id);
    search.certificate(Certificate { urgent, order, cost, period, ..Certificate::default() })
}

/// How much later than its expiry the callback of a timer has ended.
pub(super) fn latency(
    system: &System,
    id: TimerId,
    search: &mut Search,
) -> Result<u64, Uncertified> {
    let core = system.core_of(system.task(system.timer(id).armed_by).on);
    if is_shielded(system, core) {
        return shield::latency(system, id, search);
    }
    Ok(of_timer(system, id, search)?.bound)
}

/// The jobs of a task that a timer wakes, from its expiries.
pub(super) fn woken(
    system: &System,
    id: TaskId,
    by: TimerId,
    search: &mut Search,
) -> Result<Member, Uncertified> {
    let task = system.task(id);
    let (cost, period) = (task.wcet.as_ns(), system.timer(by).period.as_ns());
    let on = system.supply(task.on);
    let by_priority = matches!(on.scheduler, Scheduler::FixedPriority | Scheduler::Linux);
    let is_core = on.on().is_none();
    let counts_from_expiry = by_priority && is_core && !is_shielded(system, task.on);
    let jitter = if counts_from_expiry { 0 } else { latency(system, by, search)? };
    Ok(Member::Jobs { cost, period, jitter })
}

/// How late a task is released that a timer wakes.
pub(super) fn late(system: &System, id: TaskId, search: &mut Search) -> Result<u64, Uncertified> {
    match system.task(id).activation {
        Activation::Timer(by) => latency(system, by, search),
        _ => Ok(0),
    }
}
