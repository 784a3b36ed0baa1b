//! All tasks of a guest together, from an idle guest on.
//!
//! **Model.** The guest is a deferrable server by priority that is not in a level, and its tasks arrive apart. Each is a
//! `Guest_task` with the numbers of the description.
//!
//! **Assumptions.** 1. Nothing else takes the time of the server: no sections, routines, timers, pseudo-VCPUs or cold caches, and no
//! servers in it.
//!
//! Derived in docs/theory/idle-start.md.

use super::interrupts::{delay, delivered};
use super::supplies::urgent;
use crate::windows::Search;
use vorrang_certificate::{Certificate, GuestTask, Kind, Order, Supply};
use vorrang_model::System;
use vorrang_model::system::{Activation, Member as OnSupply, Scheduler, TaskId};

/// The certificate of a task of which all is said but its bound.
pub(super) fn idle_guest(
    system: &System,
    id: TaskId,
    own: &Certificate,
    search: &mut Search,
) -> Option<Certificate> {
    let on = system.task(id).on;
    let Supply::Server(server) = &own.on else { return None };
    let guest = system.supply(on);
    let kept = server.kind == Kind::Deferrable && guest.server().is_some();
    if !kept
        || guest.scheduler != Scheduler::FixedPriority
        || delivered(system, on).next().is_some()
    {
        return None;
    }
    let tasks = guest.members.iter().map(|&member| match member {
        OnSupply::Task(id) => Some(id),
        OnSupply::Server(_) => None,
    });
    let tasks: Vec<_> = tasks.collect::<Option<_>>()?;
    // What is not one of them is a member, too.
    let others = urgent(system, OnSupply::Task(id), |_| true, search).ok()?;
    if others.len() + 1 != tasks.len() || delay(system, on) > 0 {
        return None;
    }
    let each: Option<Vec<_>> = tasks.iter().map(|&id| guest_task(system, id)).collect();
    let all = by_urgency(system, &tasks, each?);
    let guest = search.idle_guest(server, all)?;
    let which = tasks.iter().position(|&other| other == id)?;
    let bound = guest[which].due;
    let order = Order::FromIdle { guest, which: u64::try_from(which).ok()? };
    Some(Certificate { order, bound, ..own.clone() })
}

fn guest_task(system: &System, id: TaskId) -> Option<GuestTask> {
    let task = system.task(id);
    let [cost, period, jitter] =
        [task.wcet, task.min_interarrival, task.jitter].map(vorrang_time::Duration::as_ns);
    let arrives = matches!(task.activation, Activation::Sporadic) && task.blocking.is_zero();
    arrives.then(|| GuestTask { cost, period, jitter, ..GuestTask::default() })
}

/// With how urgent each is: how many are less so.
fn by_urgency(system: &System, tasks: &[TaskId], mut all: Vec<GuestTask>) -> Vec<GuestTask> {
    for (task, &id) in all.iter_mut().zip(tasks) {
        let own = system.task(id).priority;
        let less = |&&other: &&TaskId| own.is_more_urgent_than(system.task(other).priority);
        task.urgency = tasks.iter().filter(less).count() as u64;
    }
    all
}
