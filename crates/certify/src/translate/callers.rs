//! Who calls the scheduler of a core by priority, in the terms of `Kernel_of`.
//!
//! **Model.** Each member of the core is one caller. A task wakes with its releases. A server gets ready when its budget
//! returns, and when something wakes its guest: releases of the tasks in it, returns of the servers in it, interrupts that
//! are delivered to it. What is as urgent as the member that is looked at is `Above`, all else `Below`; a server that is
//! looked at is `Itself`.
//!
//! **Assumptions.** 1. The core is one of `counted.rs`. 2. A task that a routine of its guest wakes, wakes nothing else: the routine has woken the guest.
//!
//! Derived in docs/theory/scheduler-costs.md.

use super::counted::{are_counted, inside};
use super::interrupts::{delivered, ended};
use super::requests::Requests;
use super::timers;
use crate::Uncertified;
use crate::windows::Search;
use vorrang_certificate::{Caller, Member, Times};
use vorrang_model::System;
use vorrang_model::system::{
    Activation, InterruptId, Member as OnSupply, Priority, ServerKind, SupplyId, TaskId,
};

/// What says what a task does.
pub(super) type Jobs = fn(&System, TaskId, &mut Search) -> Result<Member, Uncertified>;

/// The kernel beside a member of a core, of which `precedes` says what is as urgent.
pub(super) fn kernel(
    system: &System,
    own: OnSupply,
    precedes: impl Fn(Priority) -> bool,
    (search, jobs): (&mut Search, Jobs),
) -> Result<Option<Member>, Uncertified> {
    let core = system.on(own);
    if system.supply(core).on().is_some() || !are_counted(system, core) {
        return Ok(None);
    }
    let mut callers = Vec::new();
    if let OnSupply::Server(id) = own {
        callers.extend(period(system, id).map(|period| Caller::Itself { period }));
    }
    for &member in &system.supply(core).members {
        match member {
            OnSupply::Task(task) if member == own || precedes(system.priority(member)) => {
                let wakes = vec![releases(system, task, (search, jobs))?];
                callers.push(Caller::Above { returns: Vec::new(), wakes, idles: false });
            }
            OnSupply::Task(_) => callers.push(Caller::Below { returns: Vec::new() }),
            OnSupply::Server(_) if member == own => {}
            OnSupply::Server(id) if precedes(system.priority(member)) => {
                let idles = system.supply(id).server_kind() == Some(ServerKind::Periodic);
                let (returns, wakes) = (returns(system, id), wakes(system, id, (search, jobs))?);
                callers.push(Caller::Above { returns, wakes, idles });
            }
            OnSupply::Server(id) => callers.push(Caller::Below { returns: returns(system, id) }),
        }
    }
    let (call, switch) = (system.costs.scheduler_call, system.costs.context_switch);
    Ok(Some(Member::Kernel { call: call.as_ns(), switch: switch.as_ns(), callers }))
}

fn period(system: &System, id: SupplyId) -> Option<u64> {
    system.supply(id).server().map(|server| server.period.as_ns())
}

/// When its budget returns.
pub(super) fn returns(system: &System, id: SupplyId) -> Vec<Times> {
    period(system, id).map(|period| Times { period, jitter: 0 }).into_iter().collect()
}

/// What may make a member of a core ready.
pub(super) fn made_ready(
    system: &System,
    member: OnSupply,
    (search, jobs): (&mut Search, Jobs),
) -> Result<Vec<Times>, Uncertified> {
    match member {
        OnSupply::Task(task) => Ok(vec![releases(system, task, (search, jobs))?]),
        OnSupply::Server(id) => {
            Ok([returns(system, id), wakes(system, id, (search, jobs))?].concat())
        }
    }
}

/// How often a task is released, and how late.
pub(super) fn releases(
    system: &System,
    id: TaskId,
    (search, jobs): (&mut Search, Jobs),
) -> Result<Times, Uncertified> {
    let late = timers::late(system, id, search)?;
    match jobs(system, id, search)? {
        Member::Jobs { period, jitter, .. } => Ok(Times { period, jitter: jitter.max(late) }),
        _ => unreachable!("it is a task"),
    }
}

/// What wakes the guest of a server.
fn wakes(
    system: &System,
    id: SupplyId,
    (search, jobs): (&mut Search, Jobs),
) -> Result<Vec<Times>, Uncertified> {
    let mut all = Vec::new();
    for interrupt in delivered(system, id) {
        all.push(deliveries(system, interrupt, search)?);
    }
    for member in inside(system, id) {
        match member {
            OnSupply::Server(inner) => {
                all.extend(returns(system, inner));
                for interrupt in delivered(system, inner) {
                    all.push(deliveries(system, interrupt, search)?);
                }
            }
            OnSupply::Task(task) if is_woken_in_guest(system, task) => {}
            OnSupply::Task(task) => all.push(releases(system, task, (search, jobs))?),
        }
    }
    Ok(all)
}

fn deliveries(system: &System, id: InterruptId, search: &mut Search) -> Result<Times, Uncertified> {
    let jitter = ended(system, id, search)?;
    Ok(Times { period: Requests::of(system, id).period, jitter })
}

fn is_woken_in_guest(system: &System, id: TaskId) -> bool {
    let Activation::Interrupt(by) = system.task(id).activation else { return false };
    system.interrupt(by).delivery.is_some()
}
