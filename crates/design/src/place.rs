//! One combination of places and kinds: the search of each core, with the orders by priority that are open there.
//!
//! Where priorities stand beside open budgets, every order is searched for by itself; where those are too many,
//! deadline monotonic is the first, and neighbours are changed over as long as that takes less.

use crate::aim::Aim;
use crate::bare::{Trust, trust};
use crate::cost::Cost;
use crate::enumeration;
use crate::layout::{chain, provisional};
use crate::on_core::{Given, OnCore};
use crate::options::Options;
use crate::order::{Order, Priorities, orders};
use crate::part::{Machine, Part};
use crate::search::{Best, Core, Found};
use crate::steps::Steps;
use vorrang_model::system::SupplyId;
use vorrang_model::{Chosen, Open, OpenKey, OpenValue, System};

/// What was found with one combination.
pub(crate) struct Combination {
    pub(crate) cost: Option<Cost>,
    pub(crate) chosen: Vec<Chosen>,
    pub(crate) least: Option<Cost>,
}

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
    /// Whether every other placement is looked at, too.
    pub(crate) looks_at_all: bool,
}

impl<'a> Place<'a> {
    pub(crate) fn new(
        open: &'a Open,
        system: &'a System,
        fixed: &'a [Option<Chosen>],
        aim: &'a Aim,
        most: Trust,
    ) -> Self {
        Self { open, system, fixed, aim, most, looks_at_all: true }
    }

    /// Searches each core; `None`: too much to choose from.
    pub(crate) fn search(&self, steps: &mut Steps) -> Option<Combination> {
        let mut chosen = provisional(self.open, self.fixed);
        let (mut cost, mut least) = (Some(Cost::ZERO), Some(Cost::ZERO));
        let cores: Vec<SupplyId> = self.system.cores().collect();
        for (place, &core) in cores.iter().enumerate() {
            let share = steps.left() / (cores.len() - place) as u64;
            let found = steps.within(share, |steps| self.search_core(core, steps))?;
            cost = cost.zip(found.best.as_ref()).map(|(sum, best)| sum.plus(best.cost));
            least = least.zip(found.least).map(|(sum, least)| sum.plus(least));
            for (at, value) in found.best.into_iter().flat_map(|best| best.chosen) {
                chosen[at] = value;
            }
        }
        Some(Combination { cost, chosen, least })
    }

    /// Searches a core with each order of those in it whose budgets are open, or with some.
    fn search_core(&self, core: SupplyId, steps: &mut Steps) -> Option<Found> {
        let is_open = |at: usize| self.fixed[at].is_none();
        let contested: Vec<Order> = orders(self.open, self.system)
            .into_iter()
            .filter(|order| self.system.core_of(order.supply) == core)
            .filter(|order| order.members.iter().filter_map(|own| own.at).any(is_open))
            .filter(|order| order.is_contested(self.open, self.system))
            .collect();
        let Some(all) = enumeration::all(&contested) else {
            return self.climb_orders(&contested, core, steps);
        };
        let (mut best, mut least): (Option<Best>, Option<Cost>) = (None, None);
        for (place, priorities) in all.iter().enumerate() {
            let share = steps.left() / (all.len() - place) as u64;
            let fixed = enumeration::fixed(self.fixed, priorities);
            let place = Place { fixed: &fixed, ..*self };
            let found = steps.within(share, |steps| place.search_ordered(core, steps))?;
            least = least.into_iter().chain(found.least).min();
            best = cheaper(best, found.best);
        }
        Some(Found { best, least })
    }

    /// Searches a core with too many orders: deadline monotonic, then what neighbours changed over make of it.
    fn climb_orders(
        &self,
        contested: &[Order],
        core: SupplyId,
        steps: &mut Steps,
    ) -> Option<Found> {
        let is_core = |order: &Order| order.supply == core;
        let most = if contested.iter().all(is_core) { Trust::Alone } else { Trust::Work };
        let search = |priorities: &Priorities, steps: &mut Steps| {
            let fixed = enumeration::fixed(self.fixed, priorities);
            let most = self.most.min(most);
            Place { fixed: &fixed, most, looks_at_all: false, ..*self }.search_ordered(core, steps)
        };
        let mut now = enumeration::by_deadlines(contested);
        let mut found = search(&now, steps)?;
        loop {
            let is_best = |found: &Found| {
                found.best.as_ref().zip(found.least).is_some_and(|(best, least)| best.cost <= least)
            };
            if is_best(&found) || found.least.is_none() {
                return Some(found);
            }
            let mut better = None;
            let neighbours = enumeration::neighbours(contested, &now);
            for (place, neighbour) in neighbours.iter().enumerate() {
                let share = steps.left() / (neighbours.len() - place) as u64;
                let other = steps.within(share, |steps| search(neighbour, steps))?;
                let before = found.best.as_ref().map(|best| best.cost);
                found.best = cheaper(found.best, other.best);
                if found.best.as_ref().map(|best| best.cost) != before {
                    better = Some(neighbour.clone());
                }
            }
            let Some(better) = better else { return Some(found) };
            now = better;
        }
    }

    fn search_ordered(&self, core: SupplyId, steps: &mut Steps) -> Option<Found> {
        let Place { open, system, fixed, aim, .. } = *self;
        let on_core = OnCore::new(Given { open, system, fixed, aim }, core);
        let units = on_core.units();
        if units.is_empty() {
            return Some(self.without_units(on_core.joined(&[], Machine::Stated)?, steps));
        }
        let whole = on_core.joined(&units, Machine::Stated)?;
        let trust = trust(self.system, core).min(self.most).min(whole.trust());
        let mut all = Core {
            options: Vec::new(),
            places: Vec::new(),
            parts: Vec::new(),
            trust,
            climbs: false,
        };
        for (place, &unit) in units.iter().enumerate() {
            let mut solo = match trust {
                Trust::Core => on_core.joined(&[unit], Machine::Stated)?,
                Trust::Alone | Trust::Work | Trust::Nothing => on_core.alone(unit)?,
            };
            if !self.looks_at_all {
                let weight = self.least_weight(&on_core.nodes[unit].name);
                solo.nodes.iter_mut().for_each(|node| node.weight = node.weight.min(weight));
            }
            let joined = on_core.joined(&units[..=place], Machine::Stated)?;
            let of_unit = |unit: &usize| -> Vec<usize> {
                let is_of =
                    |node: &usize| on_core.unit_of(&joined.nodes[*node].name) == Some(*unit);
                (0..joined.nodes.len()).filter(is_of).collect()
            };
            all.places.push(units[..=place].iter().map(of_unit).collect());
            all.options.push(Options::new(solo, trust)?);
            all.parts.push(joined);
        }
        Some(all.search(steps))
    }

    /// What the core counts at least that a server may stand on.
    fn least_weight(&self, server: &str) -> u64 {
        let id = self.system.supplies.iter().position(|supply| supply.name == server);
        let around = id.map(|id| chain(self.system, SupplyId(id))).unwrap_or_default();
        let moves = |value: &OpenValue| {
            value.key == OpenKey::On
                && around.iter().any(|&id| self.system.supply(id).name == value.of)
        };
        let weight = |core: SupplyId| self.aim.weights.of(&self.system.supply(core).name);
        if self.open.values().iter().any(moves) {
            self.system.cores().map(weight).min().unwrap_or(0)
        } else {
            around.last().map_or(0, |&core| weight(core))
        }
    }

    /// A core on which no budget and no period is open.
    fn without_units(&self, mut part: Part, steps: &mut Steps) -> Found {
        let is_decided = self.looks_at_all && part.trust() == Trust::Core;
        let holds = part.settle_all(steps);
        let chosen = || part.chosen().map(|(at, chosen)| (at, chosen.clone())).collect();
        let best = matches!(holds, Ok(true)).then(|| Best { cost: Cost::ZERO, chosen: chosen() });
        let none = is_decided && holds == Ok(false);
        Found { best, least: (!none).then_some(Cost::ZERO) }
    }
}

/// The cheaper of two, the first of equals.
fn cheaper(one: Option<Best>, other: Option<Best>) -> Option<Best> {
    match (one, other) {
        (Some(one), Some(other)) if other.cost < one.cost => Some(other),
        (one, other) => one.or(other),
    }
}
