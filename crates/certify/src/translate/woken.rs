//! Tasks that other tasks wake.
//!
//! **Model.** A job arrives with the job that wakes it, and is released when that is complete, within the certified bound of its
//! task. So it is a job like any other, late by that bound, on whatever core. What several wake has the largest of
//! their bounds, since all descend from one.
//!
//! **Assumptions.** 1. Jobs of a task are complete in the order of their arrival. 2. Calls, switches and cold caches take no
//! time on the core of the woken task.
//!
//! **Does not cover** a task that what it wakes comes before.
//!
//! Derived in docs/theory/propagation.md.

use super::caches::is_cold;
use crate::Uncertified;
use crate::windows::Search;
use vorrang_certificate::{Certificate, Member, check};
use vorrang_model::System;
use vorrang_model::system::TaskId;

/// The jobs of a task that other tasks wake, from the arrivals of the source.
pub(super) fn woken(
    system: &System,
    id: TaskId,
    search: &mut Search,
) -> Result<Member, Uncertified> {
    let costs = &system.costs;
    let task = system.task(id);
    let core = system.core_of(task.on);
    if !costs.scheduler_call.is_zero() || !costs.context_switch.is_zero() || is_cold(system, core) {
        return Err(refused("a task that other tasks wake, where calls, switches or caches cost"));
    }
    let (mut period, mut late) = (u64::MAX, 0);
    for by in system.predecessors(id) {
        let Certificate { period: apart, bound, .. } = complete(system, by, search)?;
        (period, late) = (period.min(apart), late.max(bound));
    }
    Ok(Member::Jobs { cost: task.wcet.as_ns(), period, jitter: late })
}

/// By when a task that wakes others is complete.
fn complete(system: &System, by: TaskId, search: &mut Search) -> Result<Certificate, Uncertified> {
    let found = search.of_waker(system, by);
    let found = found.ok_or_else(|| refused("a task that what it wakes comes before"))?;
    let found = found?.into_iter().filter(check).min_by_key(|one| one.bound);
    found.ok_or(Uncertified::NoWindow)
}

fn refused(what: &str) -> Uncertified {
    Uncertified::not_mechanised(what, "propagation")
}
