//! Servers without a budget, which need no theorem of their own.
//!
//! **Model.** A level is ready if and only if something in it is. So what is in it are members of the supply that the
//! level is on: to something outside with the urgency of the level, to each other in the order of the level, below what
//! is more urgent than it. That is `level` of `proofs/Residual.v`, or `earliest_first`, on that supply. Sections of
//! less urgent work outside and inside may both delay something in it.
//!
//! **Does not cover** members of the priority of a level, for then its own earlier work comes before them; and sections
//! of a task in a level, which nothing pays for.
//!
//! Derived in docs/theory/levels.md.

use super::interrupts::paid_on;
use crate::Uncertified;
use vorrang_model::System;
use vorrang_model::system::{Member as OnSupply, Priority, SupplyId};

/// The priority of the level that a supply is, if it is one without equals.
pub(super) fn priority(system: &System, on: SupplyId) -> Result<Option<Priority>, Uncertified> {
    let Some(level) = system.supply(on).level() else { return Ok(None) };
    let own = OnSupply::Server(on);
    let mut others = system.supply(level.on).members.iter().filter(|&&other| other != own);
    let equal = others.any(|&other| system.priority(other) == level.priority);
    if equal || paid_on(system, level.on).any(|(.., by)| by.priority == Some(level.priority)) {
        return Err(Uncertified::not_mechanised("a level beside members of equal priority", PAGE));
    }
    Ok(Some(level.priority))
}

const PAGE: &str = "levels";

/// Nothing in a level is delayed by a section of less urgent work in it.
pub(super) fn nothing_blocks_in(system: &System, level: SupplyId) -> Result<(), Uncertified> {
    let blocked = |member: &OnSupply| match *member {
        OnSupply::Task(id) => !system.task(id).blocking.is_zero(),
        OnSupply::Server(id) => !system.supply(id).blocking().is_zero(),
    };
    if system.supply(level).members.iter().any(blocked) {
        return Err(Uncertified::not_mechanised("blocking in a level", PAGE));
    }
    Ok(())
}

/// How long less urgent work may delay the levels that a supply is, or is in.
pub(super) fn blocking(system: &System, on: SupplyId) -> u64 {
    system
        .supply(on)
        .level()
        .map_or(0, |level| level.blocking.as_ns().saturating_add(blocking(system, level.on)))
}
