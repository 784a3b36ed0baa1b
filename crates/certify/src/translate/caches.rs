//! Cold caches of a core by priority.
//!
//! **Model.** A task on the core, or in a server of the host, and a virtual processor are contexts. Each is ready from what
//! makes its member ready: releases, returns of budget, and what wakes a guest. What tasks on the core lose is `Cold_of`: of
//! all that is as urgent as what is looked at. What the context of a server loses is part of its budget: its guest has `Cold`, with
//! a start for each return and whenever something more urgent gets ready.
//!
//! **Assumptions.** 1. The core is one of `counted.rs`. 2. No context loses more from one start on than both curves at their limit,
//! with what the simulator rounds.
//!
//! **Does not cover** servers in the guest of a context that loses something, runs that are short and jobs that are.
//!
//! Derived in docs/theory/cold-caches.md.

use super::callers::{Jobs, made_ready, returns};
use super::counted::{inside, is_counted};
use crate::Uncertified;
use crate::windows::Search;
use vorrang_certificate::{Cold, ColdContext, Member, Supply};
use vorrang_model::System;
use vorrang_model::system::{CacheId, Member as OnSupply, Priority, SupplyId};

/// Whether something on a core finds a cold cache.
pub(super) fn is_cold(system: &System, core: SupplyId) -> bool {
    let on_core = |supply: SupplyId| system.core_of(supply) == core;
    let mut supplies = system.supply_ids();
    supplies.any(|id| on_core(id) && system.supply(id).cache.is_some())
        || system.tasks.iter().any(|task| on_core(task.on) && task.cache.is_some())
}

/// Whether the theorems cover what is lost on a core.
pub(super) fn are_covered(system: &System, core: SupplyId) -> bool {
    let is_flat = |&member: &OnSupply| match member {
        OnSupply::Task(_) => true,
        OnSupply::Server(id) => {
            let mut inside = inside(system, id);
            loss_of_server(system, id) == 0 || inside.all(|of| matches!(of, OnSupply::Task(_)))
        }
    };
    is_counted(system, core) && system.supply(core).members.iter().all(is_flat)
}

/// The cold caches of what is as urgent as `precedes` says on a core, beside a member of it.
pub(super) fn contexts(
    system: &System,
    own: OnSupply,
    precedes: impl Fn(Priority) -> bool,
    (search, jobs): (&mut Search, Jobs),
) -> Result<Option<Member>, Uncertified> {
    let core = system.on(own);
    if system.supply(core).on().is_some() || !is_cold(system, core) {
        return Ok(None);
    }
    let mut contexts = Vec::new();
    for &member in &system.supply(core).members {
        let priority = system.priority(member);
        let loss = match member {
            OnSupply::Task(task) => loss(system, system.task(task).cache),
            // That is part of its budget.
            OnSupply::Server(_) if member != own => 0,
            OnSupply::Server(_) => continue,
        };
        if member == own || precedes(priority) {
            let ready_from = made_ready(system, member, (search, jobs))?;
            contexts.push(ColdContext { urgency: priority.0.into(), loss, ready_from });
        }
    }
    let loses = contexts.iter().any(|of| of.loss > 0);
    Ok(loses.then_some(Member::Cold { contexts }))
}

/// What the cache of its context leaves of a server.
pub(super) fn warmed(
    system: &System,
    id: SupplyId,
    parent: Supply,
    (search, jobs): (&mut Search, Jobs),
) -> Result<Supply, Uncertified> {
    let loss = loss_of_server(system, id);
    let (own, core) = (OnSupply::Server(id), system.core_of(id));
    if loss == 0 || system.supply(id).on() != Some(core) {
        return Ok(parent);
    }
    let mut starts = returns(system, id);
    for &member in &system.supply(core).members {
        if system.priority(member).is_more_urgent_than(system.priority(own)) {
            starts.extend(made_ready(system, member, (search, jobs))?);
        }
    }
    Ok(Supply::Cold(Box::new(Cold { loss, starts, parent })))
}

/// What the context of a server loses: a virtual processor, or the one task in it.
fn loss_of_server(system: &System, id: SupplyId) -> u64 {
    let of = system.supply(id);
    let inside = of.members.iter().map(|&member| match member {
        OnSupply::Task(task) => loss(system, system.task(task).cache),
        OnSupply::Server(_) => 0,
    });
    inside.chain([loss(system, of.cache)]).max().unwrap_or_default()
}

/// What a context loses at most from a start on.
fn loss(system: &System, id: Option<CacheId>) -> u64 {
    let Some(cache) = id.map(|id| system.cache(id)) else { return 0 };
    let useless = 1_000_000 - u128::from(cache.useful_ppm.min(1_000_000));
    let sustained = cache.sustained.as_ns();
    let lost = (u128::from(sustained) * useless).div_ceil(1_000_000);
    let lost = u64::try_from(lost).expect("a part of a duration");
    // Where the simulator computes in larger steps it may round more.
    lost.saturating_add(sustained >> 26)
}
