//! One combination of places and kinds: the search of each core, with the orders by priority that are open there.
//!
//! Where priorities stand beside open budgets, every order is searched for by itself; where those are too many,
//! or where kinds were not looked at one by one, one design is found and made better step by step
//! ([`crate::descent`]).

use crate::bare::Trust;
use crate::cost::Cost;
use crate::descent::Descent;
use crate::enumeration;
use crate::group::groups;
use crate::judge::Theorems;
use crate::layout::provisional;
use crate::order::{Order, orders};
use crate::part::Part;
use crate::payer;
use crate::place::{Built, Place};
use crate::search::{Best, Core, Found};
use crate::steps::Steps;
use crate::trial::Trial;
use std::collections::BTreeSet;
use vorrang_model::Chosen;
use vorrang_model::system::SupplyId;

/// The part of the analyses that is left for any design where none was found.
const FOR_ANY: u64 = 4;
/// Analyses by all theorems for each by the monotonic ones, and how many more.
const AS_MANY: u64 = 4;
const ENOUGH: u64 = 500;

/// What was found with one combination.
pub(crate) struct Combination {
    pub(crate) cost: Option<Cost>,
    pub(crate) chosen: Vec<Chosen>,
    pub(crate) least: Option<Cost>,
    pub(crate) least_monotonic: Option<Cost>,
}

impl Place<'_> {
    /// Searches each core; `None`: too much to choose from.
    pub(crate) fn search(&self, steps: &mut Steps) -> Option<Combination> {
        let mut chosen = provisional(self.open, self.fixed);
        let [mut cost, mut least, mut least_monotonic] = [Some(Cost::ZERO); 3];
        let groups = groups(self.system);
        for (place, cores) in groups.iter().enumerate() {
            let share = steps.left() / (groups.len() - place) as u64;
            let found = steps.within(share, |steps| self.search_part(cores, steps))?;
            cost = cost.zip(found.best.as_ref()).map(|(sum, best)| sum.plus(best.cost));
            least = both(least, found.least);
            least_monotonic = both(least_monotonic, found.least_monotonic);
            for (at, value) in found.best.into_iter().flat_map(|best| best.chosen) {
                chosen[at] = value;
            }
        }
        Some(Combination { cost, chosen, least, least_monotonic })
    }

    /// Searches a core, or several that have to do with each other, in a description of its own, so that what others hold is looked at once.
    fn search_part(&self, cores: &[SupplyId], steps: &mut Steps) -> Option<Found> {
        let of = |id: SupplyId| &*self.system.supply(id).name;
        let is_there = |&id: &SupplyId| cores.contains(&self.system.core_of(id));
        let supplies = self.system.supply_ids().filter(is_there).map(of);
        let tasks = self.system.tasks.iter().filter(|task| is_there(&self.system.core_of(task.on)));
        let names: BTreeSet<&str> = supplies.chain(tasks.map(|task| &*task.name)).collect();
        // What is delivered to one of these supplies is paid there.
        let is_kept =
            |name: &str| names.contains(name) || payer::by_name(self.system, name).is_some();
        let (mut open, origin) = self.open.part(&is_kept);
        let fixed: Vec<Option<Chosen>> = origin.iter().map(|&at| self.fixed[at].clone()).collect();
        let system = open.resolve(&provisional(&open, &fixed))?;
        let names: Vec<&str> = cores.iter().map(|&core| of(core)).collect();
        let is_of = |&id: &SupplyId| names.contains(&&*system.supply(id).name);
        let cores: Vec<SupplyId> = system.supply_ids().filter(is_of).collect();
        let place = Place { open: &open, system: &system, fixed: &fixed, ..*self };
        let mut found = place.search_cores(&cores, steps)?;
        for (at, _) in found.best.iter_mut().flat_map(|best| &mut best.chosen) {
            *at = origin[*at];
        }
        Some(found)
    }

    /// Searches them with each order of those in it whose budgets are open, or step by step.
    fn search_cores(&self, cores: &[SupplyId], steps: &mut Steps) -> Option<Found> {
        let is_open = |at: &usize| self.fixed[*at].is_none();
        let contested: Vec<Order> = orders(self.open, self.system)
            .into_iter()
            .filter(|order| cores.contains(&self.system.core_of(order.supply)))
            .filter(|order| order.members.iter().flat_map(|own| &own.at).any(is_open))
            .filter(|order| order.is_contested(self.open, self.system))
            .collect();
        let moves_kinds = self.open.values().iter().any(|value| self.moves_kind(value));
        let all = enumeration::all(&contested).filter(|_| !moves_kinds);
        let Some(all) = all else { return self.descend(&contested, cores, steps) };
        let mut best: Option<Best> = None;
        let [mut least, mut least_monotonic]: [Option<Cost>; 2] = [None, None];
        for (place, priorities) in all.iter().enumerate() {
            if steps.is_over() {
                [least, least_monotonic] = [Some(Cost::ZERO); 2];
                break;
            }
            let share = steps.left() / (all.len() - place) as u64;
            let fixed = enumeration::fixed(self.fixed, priorities);
            let place = Place { fixed: &fixed, ..*self };
            let found = steps.within(share, |steps| place.search_ordered(cores, steps))?;
            least = least.into_iter().chain(found.least).min();
            least_monotonic = least_monotonic.into_iter().chain(found.least_monotonic).min();
            best = cheaper(best, found.best);
        }
        Some(Found { best, least, least_monotonic })
    }

    /// From one design to the next, by the monotonic theorems; by all where these find none.
    fn descend(&self, contested: &[Order], cores: &[SupplyId], steps: &mut Steps) -> Option<Found> {
        let before = steps.taken;
        let first = Descent::new(self, contested, cores).search(steps)?;
        let moves_kinds = self.open.values().iter().any(|value| self.moves_kind(value));
        let differs = moves_kinds || self.differs(cores);
        if first.is_closed() || first.best.is_some() || !differs {
            return Some(first);
        }
        let place = Place { theorems: Theorems::All, ..*self };
        let most = (steps.taken - before) * AS_MANY + ENOUGH;
        let descent = Descent::new(&place, contested, cores);
        let second = steps.within(most, |steps| descent.search(steps))?;
        Some(Found { best: cheaper(first.best, second.best), ..first })
    }

    /// By the monotonic theorems, which say more of what was not found, and then by all.
    fn search_ordered(&self, cores: &[SupplyId], steps: &mut Steps) -> Option<Found> {
        let before = steps.taken;
        let first = match self.built(cores)? {
            Built::NoUnits(part) => self.without_units(*part, steps),
            Built::Units(core) => Self::search_units(*core, steps),
        };
        if first.is_closed() {
            return Some(first);
        }
        let most = (steps.taken - before) * AS_MANY + ENOUGH;
        self.search_further(cores, first, most, steps)
    }

    /// The most analyses go into what is looked at from the cheapest on; where that finds nothing, the rest into
    /// periods that often hold.
    fn search_units(mut core: Core, steps: &mut Steps) -> Found {
        let rest = steps.left() / FOR_ANY;
        let found = steps.within(steps.left().saturating_sub(rest), |steps| core.search(steps));
        if found.best.is_some() || found.is_closed() || steps.left() > rest {
            return found;
        }
        let mut trial = Trial::new(core);
        // What is found until the analyses are used up stays there.
        let _ = trial.first(steps);
        Found { best: trial.best, ..found }
    }

    /// The same by all theorems, for what takes less than a first design, with at most so many analyses until all is
    /// looked at one by one.
    fn search_further(
        &self,
        cores: &[SupplyId],
        first: Found,
        most: u64,
        steps: &mut Steps,
    ) -> Option<Found> {
        let Found { mut best, mut least, least_monotonic } = first;
        let place = Place { theorems: Theorems::All, ..*self };
        let mut part = match place.built(cores)? {
            Built::NoUnits(part) => *part,
            Built::Units(mut units) => {
                if self.differs(cores) {
                    // Where there is no design to make better, one is all that is looked for.
                    let any = steps.left() - steps.left() / FOR_ANY;
                    let most = if best.is_some() { most.min(steps.left() / 2) } else { any };
                    best = steps.within(most, |steps| units.search_below(best, steps)).best;
                }
                units.parts.pop()?
            }
        };
        best = best.map(|best| part.lowered(best, steps));
        let (best, is_closed) = part.close(best, steps);
        if is_closed && self.looks_at_all {
            least = best.as_ref().map(|best| best.cost);
        }
        Some(Found { best, least, least_monotonic })
    }

    /// A core on which no budget and no period is open.
    fn without_units(&self, mut part: Part, steps: &mut Steps) -> Found {
        let is_decided = self.looks_at_all && part.trust() == Trust::Core;
        let holds = part.settle_all(steps);
        let found = || Best { cost: Cost::ZERO, chosen: part.all_chosen() };
        let best = (holds == Ok(true)).then(found);
        let none = is_decided && holds == Ok(false);
        let least = |none: bool| (!none).then_some(Cost::ZERO);
        let is_none = none && !part.differs();
        Found { best, least: least(is_none), least_monotonic: least(none) }
    }
}

/// The sum of both; `None`: there is none of one.
fn both(one: Option<Cost>, other: Option<Cost>) -> Option<Cost> {
    Some(one?.plus(other?))
}

/// The cheaper of two, the first of equals.
fn cheaper(one: Option<Best>, other: Option<Best>) -> Option<Best> {
    match (one, other) {
        (Some(one), Some(other)) if other.cost < one.cost => Some(other),
        (one, other) => one.or(other),
    }
}
