//! One combination of places and kinds, and what a search needs of each core of it once its orders are fixed.
//!
//! **Model.** Units stand by urgency. For each there is what it takes alone, from which lower bounds come, and
//! the core with it and all before it ([`Core`]).
//!
//! **Assumptions.** 1. Where not every placement is looked at, a server that may move counts with the least
//! weight of all cores; where not every kind is, and the work that is required is all that a bound rests on,
//! each with the least that switching to one of its kinds takes.

use crate::aim::Aim;
use crate::bare::{Trust, trust};
use crate::cost::switching;
use crate::judge::{Theorems, differ};
use crate::layout::{Node, chain};
use crate::on_core::{Given, OnCore};
use crate::options::Options;
use crate::part::{Machine, Part};
use crate::search::Core;
use vorrang_model::system::SupplyId;
use vorrang_model::{Allowed, Chosen, Open, OpenKey, OpenValue, System};

/// One combination.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) open: &'a Open,
    /// With something for the values that are still open.
    pub(crate) system: &'a System,
    pub(crate) fixed: &'a [Option<Chosen>],
    pub(crate) aim: &'a Aim,
    /// No more than this is trusted for a lower bound.
    pub(crate) most: Trust,
    /// Whether every other placement, and every kind, is looked at, too.
    pub(crate) looks_at_all: bool,
    /// What a core counts at least.
    pub(crate) least_weight: u64,
    /// What designs are accepted by.
    pub(crate) theorems: Theorems,
}

/// A core that can be searched.
pub(crate) enum Built {
    /// No budget and no period is open.
    NoUnits(Box<Part>),
    Units(Box<Core>),
}

impl<'a> Place<'a> {
    pub(crate) fn new(
        open: &'a Open,
        system: &'a System,
        fixed: &'a [Option<Chosen>],
        aim: &'a Aim,
        most: Trust,
    ) -> Self {
        let weight = |core: SupplyId| aim.weights.of(&system.supply(core).name);
        let least_weight = system.cores().map(weight).min().unwrap_or(0);
        let theorems = Theorems::Monotonic;
        Self { open, system, fixed, aim, most, looks_at_all: true, least_weight, theorems }
    }

    /// A core, or several together, with what is fixed; `None`: it does not fit together, or there is too much to choose from.
    pub(crate) fn built(&self, cores: &[SupplyId]) -> Option<Built> {
        let Place { open, system, fixed, aim, .. } = *self;
        let on_core = OnCore::new(Given { open, system, fixed, aim }, cores);
        let units = on_core.units();
        if units.is_empty() {
            let mut part = on_core.joined(&[], Machine::Stated)?;
            part.theorems = self.theorems;
            return Some(Built::NoUnits(Box::new(part)));
        }
        let differs = self.differs(cores);
        let whole = on_core.joined(&units, Machine::Stated)?;
        let trusts = cores.iter().map(|&core| trust(self.system, core));
        let trust = trusts.fold(self.most, Trust::min).min(whole.trust());
        let mut all = Core {
            options: Vec::new(),
            places: Vec::new(),
            parts: Vec::new(),
            names: units.iter().map(|&unit| on_core.nodes[unit].name.clone()).collect(),
            trust,
            differs,
            theorems: self.theorems,
            climbs: false,
        };
        for (place, &unit) in units.iter().enumerate() {
            let mut solo = match trust {
                // What a pseudo-VCPU takes is nothing without its interrupt.
                _ if on_core.pays_in(unit) => on_core.joined(&[unit], Machine::Stated)?,
                Trust::Core => on_core.joined(&[unit], Machine::Stated)?,
                Trust::Alone | Trust::Work | Trust::Nothing => on_core.alone(unit)?,
            };
            if !self.looks_at_all {
                let weight = self.least_weight(&on_core.nodes[unit].name);
                for node in &mut solo.nodes {
                    node.weight = node.weight.min(weight);
                    if trust <= Trust::Work {
                        self.switch_least(node);
                    }
                }
            }
            let mut joined = on_core.joined(&units[..=place], Machine::Stated)?;
            let of_unit = |unit: &usize| -> Vec<usize> {
                let is_of =
                    |node: &usize| on_core.unit_of(&joined.nodes[*node].name) == Some(*unit);
                (0..joined.nodes.len()).filter(is_of).collect()
            };
            all.places.push(units[..=place].iter().map(of_unit).collect());
            // What a unit takes alone bounds what all theorems accept where they say no more of it.
            let trust_all = if solo.differs() { trust.min(Trust::Work) } else { trust };
            (solo.theorems, joined.theorems) = (self.theorems, self.theorems);
            all.options.push(Options::new(solo, trust, trust_all)?);
            all.parts.push(joined);
        }
        Some(Built::Units(Box::new(all)))
    }

    /// Whether all theorems may accept more on one of these cores than the monotonic ones.
    pub(crate) fn differs(&self, cores: &[SupplyId]) -> bool {
        cores.iter().any(|&core| differ(self.open, self.system, core))
    }

    /// Whether the kind of a server was chosen without looking at the others.
    pub(crate) fn moves_kind(&self, value: &OpenValue) -> bool {
        !self.looks_at_all && matches!(&value.allowed, Allowed::Kinds(kinds) if kinds.len() > 1)
    }

    /// What switching takes with the kind that takes the least.
    fn switch_least(&self, node: &mut Node) {
        let own =
            self.open.values().iter().find(|value| value.of == node.name && self.moves_kind(value));
        let Some(OpenValue { allowed: Allowed::Kinds(kinds), .. }) = own else { return };
        let all = kinds.iter().map(|kind| switching(&self.system.costs, *kind));
        node.switching = all.chain([node.switching]).min().expect("there is one");
    }

    /// What the core counts at least that a server may stand on.
    fn least_weight(&self, server: &str) -> u64 {
        let id = self.system.supplies.iter().position(|supply| supply.name == server);
        let around = id.map(|id| chain(self.system, SupplyId(id))).unwrap_or_default();
        let moves = |value: &OpenValue| {
            value.key == OpenKey::On
                && around.iter().any(|&id| self.system.supply(id).name == value.of)
        };
        if self.open.values().iter().any(moves) {
            self.least_weight
        } else {
            around.last().map_or(0, |&core| self.aim.weights.of(&self.system.supply(core).name))
        }
    }
}
