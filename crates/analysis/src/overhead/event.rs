//! Scheduling events: what calls the scheduler of a core, and makes a member ready.
//!
//! | member | its scheduling events |
//! |---|---|
//! | task | its releases |
//! | server | its replenishments (its slots, its [pieces](super::pieces)), and what can wake its guest: releases of the tasks in it, replenishments of the servers in it, interrupts that are delivered to it |
//!
//! Theory: docs/theory/scheduler-costs.md.

use crate::arrival::{Arrivals, Limit};
use crate::ground::Reason;
use crate::ground::left_behind;
use vorrang_model::system::{
    Activation, InterruptId, Member, Server, ServerRule, Supply, SupplyId, System, TaskId,
};
use vorrang_time::Duration;

/// Something that makes a member ready.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SchedulingEvent {
    /// A job of the task is released.
    Release(TaskId),
    /// The interrupt is pending in a guest.
    Delivery(InterruptId),
}

/// What makes a member of a core ready, or ready again.
///
/// # Errors
/// Why nothing bounds one of them.
pub(crate) fn events<'s>(
    system: &System,
    member: Member,
    often: &impl Fn(SchedulingEvent) -> Result<Arrivals<'s>, Reason>,
    events: &mut Vec<Arrivals<'s>>,
) -> Result<(), Reason> {
    match member {
        Member::Task(id) => events.push(often(SchedulingEvent::Release(id))?),
        Member::Server(id) => {
            events.extend(replenishments(system.supply(id)));
            wakes_of(system, id, often, events)?;
        }
    }
    Ok(())
}

/// What can wake the guest of a server.
pub(super) fn wakes_of<'s>(
    system: &System,
    id: SupplyId,
    often: &impl Fn(SchedulingEvent) -> Result<Arrivals<'s>, Reason>,
    wakes: &mut Vec<Arrivals<'s>>,
) -> Result<(), Reason> {
    let interrupts = (0..system.interrupts.len()).map(InterruptId);
    let delivered = interrupts.filter(|&interrupt| {
        let delivery = system.interrupt(interrupt).delivery.as_ref();
        delivery.is_some_and(|delivery| delivery.vcpu == id)
    });
    for interrupt in delivered {
        wakes.push(often(SchedulingEvent::Delivery(interrupt))?);
    }
    for &member in &system.supply(id).members {
        match member {
            Member::Task(task) if !is_woken_in_guest(system, task) => {
                wakes.push(often(SchedulingEvent::Release(task))?);
            }
            Member::Task(_) => {}
            Member::Server(inner) => {
                wakes.extend(replenishments(system.supply(inner)));
                wakes_of(system, inner, often, wakes)?;
            }
        }
    }
    Ok(())
}

/// Whether a routine of the guest wakes it, which has woken the guest before.
fn is_woken_in_guest(system: &System, id: TaskId) -> bool {
    let Activation::Interrupt(interrupt) = system.task(id).activation else { return false };
    system.interrupt(interrupt).delivery.is_some()
}

/// How often a server has budget again; none of what has no budget.
pub(super) fn replenishments(supply: &Supply) -> Option<Arrivals<'static>> {
    Some(returns_of(supply, supply.server()?))
}

fn returns_of(supply: &Supply, server: &Server) -> Arrivals<'static> {
    let period = match server.rule {
        // It has, whenever its budget is gone.
        ServerRule::CbsSoft => server.budget,
        ServerRule::RefillQueue { refills, .. } => {
            return returns(refills.into(), server.period - left_behind(server));
        }
        ServerRule::Table => {
            return returns(supply.windows.len() as u64, server.period);
        }
        ServerRule::Periodic
        | ServerRule::Polling
        | ServerRule::Deferrable
        | ServerRule::Sporadic
        | ServerRule::CbsHard
        | ServerRule::SchedDeadline { .. }
        | ServerRule::Slot { .. }
        | ServerRule::PosixSporadic => server.period,
    };
    Arrivals::new(period, Duration::ZERO)
}

/// So many returns in every period.
pub(crate) fn returns(count: u64, period: Duration) -> Arrivals<'static> {
    let apart = period.div_floor(Duration::from_ns(1)) / count.max(1);
    let apart = Duration::from_ns(apart.max(1));
    let limit = Limit { count, period, jitter: Duration::ZERO };
    // As many as the limit lets through, in windows of any length.
    Arrivals::new(apart, period).limited(limit)
}
