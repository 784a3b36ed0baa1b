//! Places for many servers and tasks: the fullest go first, each where the least is.
//!
//! **Model.** Where there are too many combinations to look at each, every server gets the first of its kinds.
//! In the order of the work that is required in them, servers and tasks go to the core that counts least
//! and has room ([`ROOM_PERCENT`]), of these to the one with the least work so far; of those that have about as
//! little, to the one where least is required soon. The lower bound is
//! that of [`Trust::Alone`] where only cores of one scheduler are to choose from, and kinds are not open, and
//! [`Trust::Work`] elsewhere: both hold wherever the servers stand. There is none where a task may go into a
//! server or not.
//!
//! **Assumptions.**
//! 1. Of the bound: a server alone on a bare core takes the same on every core of one scheduler, and the work that is
//!    required in it is the same on all. Of where it puts things, nothing.
//!
//! **Does not cover** other placements: where the search on some core finds nothing, nothing is found.

use crate::aim::Aim;
use crate::bare::Trust;
use crate::layout::{chain, provisional, shortest, used};
use std::collections::BTreeMap;
use vorrang_analysis::Rate;
use vorrang_model::system::{SupplyId, Task, TaskId};
use vorrang_model::{Allowed, Chosen, Open, OpenKey, System};
use vorrang_time::Duration;

/// Work up to which a core is filled before one that counts more: what budgets and switching add comes on top.
const ROOM_PERCENT: u64 = 60;
/// Cores are about as full as another where they differ by no more than this part of what is to be placed.
const NEAR: u64 = 4;

/// Places and kinds, and what a lower bound may rest on then; `None`: they do not fit together.
pub(crate) fn spread(open: &mut Open, aim: &Aim) -> Option<(Vec<Option<Chosen>>, Trust)> {
    let mut fixed = vec![None; open.values().len()];
    let first = provisional(open, &fixed);
    let system = open.resolve(&first)?;
    let mut load = stated(open, &system);
    let mut haste: BTreeMap<String, Rate> = BTreeMap::new();
    let mut members: Vec<(Rate, usize)> = Vec::new();
    let mut trust = Trust::Alone;
    for (at, value) in open.values().iter().enumerate() {
        match &value.allowed {
            Allowed::Supplies(names) => {
                members.push((work(&system, &value.of), at));
                let find = |name: &String| system.supplies.iter().find(|of| of.name == *name);
                let mut kinds: Vec<_> = names
                    .iter()
                    .map(|(name, _)| find(name).map(|of| (of.scheduler, !of.is_core())))
                    .collect();
                kinds.dedup();
                let is_task = system.tasks.iter().any(|task| task.name == value.of);
                if is_task && kinds.iter().any(|of| of.is_none_or(|(_, in_server)| in_server)) {
                    trust = Trust::Nothing;
                } else if !matches!(kinds[..], [Some((_, false))]) {
                    trust = trust.min(Trust::Work);
                }
            }
            Allowed::Kinds(kinds) => {
                fixed[at] = Some(Chosen::Kind(kinds[0]));
            }
            _ => {}
        }
    }
    members.sort_by_key(|&(work, at)| (std::cmp::Reverse(work), at));
    let room = Rate::floor(Duration::from_ns(ROOM_PERCENT), Duration::from_ns(100));
    for (work, at) in members {
        let value = &open.values()[at];
        let Allowed::Supplies(names) = &value.allowed else { continue };
        let load_of = |name: &String| load.get(name).copied().unwrap_or(Rate::ZERO);
        let weigh = |name: &String| {
            let is_full = load_of(name).plus(work) > room;
            // Where it fits nowhere, only the load counts.
            (is_full, if is_full { 0 } else { aim.weights.of(name) })
        };
        let best = names.iter().map(|(name, _)| (weigh(name), load_of(name))).min()?;
        let much = best.1.plus(work.part_ceil(Duration::from_ns(1), Duration::from_ns(NEAR)));
        let near = names.iter().filter(|(name, _)| weigh(name) == best.0 && load_of(name) <= much);
        let haste_of = |name: &String| haste.get(name).copied().unwrap_or(Rate::ZERO);
        let (name, _) = near.min_by_key(|(name, _)| (haste_of(name), load_of(name)))?;
        let (sum, own) =
            (load_of(name).plus(work), haste_of(name).plus(how_soon(&system, &value.of)));
        load.insert(name.clone(), sum);
        haste.insert(name.clone(), own);
        fixed[at] = Some(Chosen::On(name.clone()));
    }
    Some((fixed, trust))
}

/// One in the shortest time that is required of a task, or of something in a server.
fn how_soon(system: &System, name: &str) -> Rate {
    const ONCE: Duration = Duration::from_ns(1);
    let task = system.tasks.iter().position(|task| task.name == name).map(TaskId);
    let supply = system.supplies.iter().position(|supply| supply.name == name).map(SupplyId);
    let time = match (task, supply) {
        (Some(task), _) => system.task(task).deadline.unwrap_or(system.task(task).cycle().1),
        (None, Some(supply)) => shortest(system, supply),
        (None, None) => return Rate::ZERO,
    };
    Rate::ceil(ONCE, time)
}

/// The work of a task in the long run.
fn rate(task: &Task) -> Rate {
    let (count, time) = task.cycle();
    Rate::ceil(task.wcet * count, time)
}

/// The work of a task, or the work that is required in a server.
fn work(system: &System, name: &str) -> Rate {
    if let Some(task) = system.tasks.iter().find(|task| task.name == name) {
        return rate(task);
    }
    let id = system.supplies.iter().position(|supply| supply.name == name);
    let tasks = id.map(|id| used(system, SupplyId(id))).unwrap_or_default();
    tasks.into_iter().map(|(work, period)| Rate::ceil(work, period)).fold(Rate::ZERO, Rate::plus)
}

/// Of each core, the work that stands on it whatever is chosen.
fn stated(open: &Open, system: &System) -> BTreeMap<String, Rate> {
    let moves =
        |name: &str| open.values().iter().any(|value| value.key == OpenKey::On && value.of == name);
    let mut load: BTreeMap<String, Rate> = BTreeMap::new();
    for task in &system.tasks {
        let around = chain(system, task.on);
        if !moves(&task.name) && !around.iter().any(|&id| moves(&system.supply(id).name)) {
            let core = &system.supply(around[around.len() - 1]).name;
            let sum = load.entry(core.clone()).or_insert(Rate::ZERO);
            *sum = sum.plus(rate(task));
        }
    }
    load
}
