//! Cores that are designed together.
//!
//! **Model.** When a task runs that one of another core wakes depends on the budgets there, and the bound of a chain on
//! those of all its tasks. So cores that a path of wake-ups, an interrupt or a chain connects have one search. Others share
//! nothing.
//!
//! **Assumptions.** 1. A bound on a core depends on another one only over wake-ups and kicks, and what is required of a chain
//! only on the bounds of its tasks.

use std::collections::BTreeSet;
use vorrang_model::System;
use vorrang_model::system::SupplyId;

/// All cores, each in one group, in the order of declaration.
pub(crate) fn groups(system: &System) -> Vec<Vec<SupplyId>> {
    let mut groups: Vec<Vec<SupplyId>> = Vec::new();
    for core in system.cores() {
        if !groups.iter().any(|group| group.contains(&core)) {
            groups.push(group_of(system, core));
        }
    }
    groups
}

/// The cores that are designed together with this one, and it.
pub(crate) fn group_of(system: &System, core: SupplyId) -> Vec<SupplyId> {
    let mut group = BTreeSet::from([core]);
    loop {
        let before = group.len();
        let connected: Vec<SupplyId> =
            group.iter().flat_map(|&core| system.connected(core)).collect();
        group.extend(connected);
        for chain in &system.chains {
            let cores = chain.path.iter().map(|&id| system.core_of(system.task(id).on));
            let cores: Vec<SupplyId> = cores.collect();
            if cores.iter().any(|core| group.contains(core)) {
                group.extend(cores);
            }
        }
        if group.len() == before {
            return group.into_iter().collect();
        }
    }
}

/// Whether something on other cores, or a chain, has to do with what is chosen on this one.
pub(crate) fn is_coupled(system: &System, core: SupplyId) -> bool {
    let is_there = |id| system.core_of(system.task(id).on) == core;
    group_of(system, core).len() > 1
        || system.chains.iter().any(|chain| chain.path.iter().any(|&id| is_there(id)))
}
