//! Places for many servers: the fullest go first, each where the least is.
//!
//! **Model.** Where there are too many combinations to look at each, every server gets the first of its kinds,
//! and the core that has the least work so far, in the order of the work that is required in it. The
//! lower bound is that of [`Trust::Alone`] where only cores of one scheduler are to choose from, and kinds
//! are not open, and [`Trust::Work`] elsewhere: both hold wherever the servers stand.
//!
//! **Does not cover** other placements: where the search on some core finds nothing, nothing is found.

use crate::bare::Trust;
use crate::layout::{chain, provisional, used};
use std::collections::BTreeMap;
use vorrang_analysis::Rate;
use vorrang_model::system::SupplyId;
use vorrang_model::{Allowed, Chosen, Open, OpenKey, System};

/// Places and kinds, and what a lower bound may rest on then; `None`: they do not fit together.
pub(crate) fn spread(open: &mut Open) -> Option<(Vec<Option<Chosen>>, Trust)> {
    let mut fixed = vec![None; open.values().len()];
    let first = provisional(open, &fixed);
    let system = open.resolve(&first)?;
    let mut load = stated(open, &system);
    let mut servers: Vec<(Rate, usize)> = Vec::new();
    let mut trust = Trust::Alone;
    for (at, value) in open.values().iter().enumerate() {
        match &value.allowed {
            Allowed::Supplies(names) => {
                servers.push((work(&system, &value.of), at));
                let find = |name: &String| system.supplies.iter().find(|of| of.name == *name);
                let mut kinds: Vec<_> = names
                    .iter()
                    .map(|(name, _)| find(name).map(|of| (of.scheduler, of.server.is_some())))
                    .collect();
                kinds.dedup();
                if !matches!(kinds[..], [Some((_, false))]) {
                    trust = Trust::Work;
                }
            }
            Allowed::Kinds(kinds) => {
                fixed[at] = Some(Chosen::Kind(kinds[0]));
                if kinds.len() > 1 {
                    trust = Trust::Work;
                }
            }
            _ => {}
        }
    }
    servers.sort_by_key(|&(work, at)| (std::cmp::Reverse(work), at));
    for (work, at) in servers {
        let Allowed::Supplies(names) = &open.values()[at].allowed else { continue };
        let load_of = |name: &String| load.get(name).copied().unwrap_or(Rate::ZERO);
        let (name, _) = names.iter().min_by_key(|(name, _)| load_of(name))?;
        let sum = load_of(name).plus(work);
        load.insert(name.clone(), sum);
        fixed[at] = Some(Chosen::On(name.clone()));
    }
    Some((fixed, trust))
}

/// The work that is required in a server.
fn work(system: &System, server: &str) -> Rate {
    let id = system.supplies.iter().position(|supply| supply.name == server);
    let tasks = id.map(|id| used(system, SupplyId(id))).unwrap_or_default();
    tasks.into_iter().map(|(work, period)| Rate::ceil(work, period)).fold(Rate::ZERO, Rate::plus)
}

/// Of each core, the work that stands on it whatever is chosen.
fn stated(open: &Open, system: &System) -> BTreeMap<String, Rate> {
    let moves = |id: &SupplyId| {
        let name = &system.supply(*id).name;
        open.values().iter().any(|value| value.key == OpenKey::On && value.of == *name)
    };
    let mut load: BTreeMap<String, Rate> = BTreeMap::new();
    for task in &system.tasks {
        let around = chain(system, task.on);
        if !around.iter().any(moves) {
            let core = &system.supply(around[around.len() - 1]).name;
            let sum = load.entry(core.clone()).or_insert(Rate::ZERO);
            *sum = sum.plus(Rate::ceil(task.wcet, task.min_interarrival));
        }
    }
    load
}
