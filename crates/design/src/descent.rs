//! A core with more orders, or kinds, than can be looked at: one design, and better ones next to it.
//!
//! **Model.** A *setting* is an order (at first deadline monotonic) and a kind for each server that may have
//! several (at first the first for all, or the second for all, and so on). With a setting each unit has the
//! periods with which it takes least alone; where that does not hold, periods of about the same length
//! ([`crate::trial`]). From the cheapest of these on, one thing at a time is changed as long as that takes
//! less: the period of a server, the order of two neighbours, the kind of a server.
//!
//! **Assumptions.**
//! 1. The lower bound: a unit takes at least what it takes alone, with each of its kinds
//!    ([`crate::options`]). Where the kinds of several servers of a unit are open, not every combination of
//!    them is looked at, and the bound is the work that is required; so it is where orders inside servers are
//!    open.
//!
//! **Does not cover** what takes less and is not next to what is found: nothing is called optimal here but
//! what takes no more than the bound.

use crate::bare::Trust;
use crate::cost::Cost;
use crate::enumeration;
use crate::layout::{chain, provisional};
use crate::options::Options;
use crate::order::{Order, Priorities};
use crate::part::Part;
use crate::place::{Built, Place};
use crate::search::{Best, Core, Found};
use crate::steps::{Spent, Steps};
use crate::trial::{Changed, Trial};
use vorrang_model::system::{ServerKind, SupplyId};
use vorrang_model::{Allowed, Chosen, OpenKey};

/// What is fixed of each open value.
type Setting = Vec<Option<Chosen>>;

/// A core to be designed so.
pub(crate) struct Descent<'a> {
    place: Place<'a>,
    contested: &'a [Order],
    cores: &'a [SupplyId],
}

impl<'a> Descent<'a> {
    pub(crate) fn new(place: &Place<'a>, contested: &'a [Order], cores: &'a [SupplyId]) -> Self {
        let is_inner = |order: &Order| !cores.contains(&order.supply);
        let mut descent = Self { place: *place, contested, cores };
        let is_work = contested.iter().any(is_inner) || descent.mixes_kinds();
        descent.place.most = place.most.min(if is_work { Trust::Work } else { Trust::Alone });
        descent
    }

    /// Looks for a design; `None`: too much to choose from.
    pub(crate) fn search(mut self, steps: &mut Steps) -> Option<Found> {
        let mut starts = self.starts();
        if starts.iter().any(|(_, built)| built.is_none()) {
            // Of some kind it is not known what a unit takes alone.
            self.place.most = self.place.most.min(Trust::Work);
            starts = self.starts();
        }
        let (mut trials, mut without_units) = (Vec::new(), Vec::new());
        for (setting, built) in starts {
            match built {
                Some(Built::Units(core)) => trials.push((setting, Trial::new(*core))),
                Some(Built::NoUnits(part)) => without_units.push(*part),
                None => {}
            }
        }
        if trials.is_empty() {
            beside(without_units, steps)
        } else {
            Some(self.best(trials, steps))
        }
    }

    /// The best from the first designs on.
    fn best(&self, mut trials: Vec<(Setting, Trial)>, steps: &mut Steps) -> Found {
        let count = trials.len() as u64;
        for (place, (_, trial)) in (0..).zip(&mut trials) {
            // Where none is found there is nothing to improve.
            let share = steps.left() * 2 / (count + 2 - place);
            // What is found until the analyses are used up stays there.
            let _ = steps.within(share, |steps| trial.first(steps));
        }
        let [least, least_monotonic] =
            [Options::least_of_all, Options::least].map(|of| least(&trials, of));
        let cost = |trial: &Trial| trial.best.as_ref().map(|best| best.cost);
        let first =
            trials.iter_mut().filter_map(|(setting, trial)| Some((cost(trial)?, setting, trial)));
        let best = if let Some((_, setting, trial)) = first.min_by_key(|(cost, ..)| *cost) {
            let _ = self.improve(setting, trial, least_monotonic, steps);
            trial.lowered(steps)
        } else {
            let cores = trials.iter_mut().map(|(_, trial)| &mut trial.core);
            any(cores, count, steps)
        };
        Found { best, least, least_monotonic }
    }

    /// What is looked at first, and nothing where it does not fit together.
    fn starts(&self) -> Vec<(Setting, Option<Built>)> {
        let orders = enumeration::by_deadlines(self.contested);
        let ordered = enumeration::fixed(self.place.fixed, &orders);
        let most = self.kinds().map(|(_, kinds)| kinds.len()).max().unwrap_or(1);
        let start = |nth: usize| {
            let mut setting = ordered.clone();
            for (at, kinds) in self.kinds() {
                setting[at] = Some(Chosen::Kind(kinds[nth.min(kinds.len() - 1)]));
            }
            let built = self.built(&setting);
            (setting, built)
        };
        (0..most).map(start).collect()
    }

    fn built(&self, setting: &Setting) -> Option<Built> {
        let (mut open, _) = self.place.open.part(&|_| true);
        let system = open.resolve(&provisional(&open, setting))?;
        Place { system: &system, fixed: setting, ..self.place }.built(self.cores)
    }

    /// The open values that are kinds, and what they may be.
    fn kinds(&self) -> impl Iterator<Item = (usize, &'a [ServerKind])> {
        let place = self.place;
        let values =
            (0..).zip(place.open.values()).filter(move |(_, value)| place.moves_kind(value));
        values.filter_map(|(at, value)| match &value.allowed {
            Allowed::Kinds(kinds) => Some((at, &kinds[..])),
            _ => None,
        })
    }

    /// Whether several servers that stand in one on the core, or are that one, may be of several kinds.
    fn mixes_kinds(&self) -> bool {
        let Place { open, system, .. } = self.place;
        let values = open.values();
        let names: Vec<&str> = self.kinds().map(|(at, _)| &*values[at].of).collect();
        let supplies = system.supply_ids();
        let open = supplies.filter(|&id| names.contains(&&*system.supply(id).name));
        let mut outermost: Vec<SupplyId> =
            open.filter_map(|id| chain(system, id).into_iter().rev().nth(1)).collect();
        outermost.sort_unstable();
        outermost.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Changes one thing after the other where that takes less.
    fn improve(
        &self,
        setting: &mut Setting,
        trial: &mut Trial,
        least: Option<Cost>,
        steps: &mut Steps,
    ) -> Result<(), Spent> {
        let is_least = |trial: &Trial| trial.best.as_ref().map(|best| best.cost) <= least;
        loop {
            let mut is_better = trial.improve(steps)?;
            for place in 0.. {
                let Some(next) = self.neighbours(setting).into_iter().nth(place) else { break };
                let Some(Built::Units(core)) = self.built(&next) else { continue };
                let mut other = Trial::new(*core);
                if other.resume(trial, &self.changed(setting, &next, trial), steps)? {
                    (*setting, *trial) = (next, other);
                    is_better = true;
                }
            }
            if !is_better || is_least(trial) {
                return Ok(());
            }
        }
    }

    /// The settings that differ in the order of two neighbours, or in one kind.
    fn neighbours(&self, setting: &Setting) -> Vec<Setting> {
        let open = self.contested.iter().flat_map(|order| &order.members);
        let open = open.flat_map(|own| own.at.iter().copied());
        let priority = |at: usize| match setting[at] {
            Some(Chosen::Priority(priority)) => Some((at, priority)),
            _ => None,
        };
        let priorities: Priorities = open.filter_map(priority).collect();
        let orders = enumeration::neighbours(self.contested, &priorities);
        let orders = orders.iter().map(|order| enumeration::fixed(setting, order));
        let kinds = self.kinds().flat_map(|(at, kinds)| {
            let others = kinds.iter().map(|kind| Some(Chosen::Kind(*kind)));
            others.filter(move |other| *other != setting[at]).map(move |other| {
                let mut setting = setting.clone();
                setting[at] = other;
                setting
            })
        });
        orders.chain(kinds).collect()
    }

    /// Which units differ in two settings.
    fn changed(&self, one: &Setting, other: &Setting, trial: &Trial) -> Changed {
        let system = self.place.system;
        let mut changed = Changed::default();
        for (at, value) in self.place.open.values().iter().enumerate() {
            if one[at] == other[at] {
                continue;
            }
            let supply = system.supplies.iter().position(|of| of.name == value.of).map(SupplyId);
            let task = || system.tasks.iter().find(|of| of.name == value.of).map(|of| of.on);
            let around = supply.or_else(task).map(|id| chain(system, id)).unwrap_or_default();
            let is_name =
                |name: &&String| around.iter().any(|&id| system.supply(id).name == **name);
            let Some(name) = trial.core.names.iter().find(is_name) else {
                changed.is_beside = true;
                continue;
            };
            changed.moved.insert(name.clone());
            if *name != value.of || value.key != OpenKey::Priority {
                changed.inside.insert(name.clone());
            }
        }
        changed
    }
}

/// The first with which all holds of a core without open budgets and periods.
fn beside(parts: Vec<Part>, steps: &mut Steps) -> Option<Found> {
    let mut found = None;
    for mut part in parts {
        let found_of =
            |best| Found { best, least: Some(Cost::ZERO), least_monotonic: Some(Cost::ZERO) };
        found = Some(found_of(None));
        if part.settle_all(steps) == Ok(true) {
            let best = Best { cost: Cost::ZERO, chosen: part.all_chosen() };
            return Some(found_of(Some(best)));
        }
    }
    found
}

/// What is found by branch and bound, where there is no first design.
fn any<'c>(
    cores: impl Iterator<Item = &'c mut Core>,
    count: u64,
    steps: &mut Steps,
) -> Option<Best> {
    let mut found = (0..).zip(cores).map(|(place, core)| {
        let share = steps.left() / (count - place);
        steps.within(share, |steps| core.search(steps)).best
    });
    found.find_map(|best| best)
}

/// What all units take at least, each with any of its kinds; `None`: nothing holds for one of them.
fn least(trials: &[(Setting, Trial)], least: fn(&Options) -> Option<Cost>) -> Option<Cost> {
    let (_, first) = trials.first()?;
    let of = |name: &String| {
        let options = trials.iter().map(|(_, Trial { core, .. })| {
            let place = core.names.iter().position(|own| own == name);
            &core.options[place.expect("the same units stand on each")]
        });
        options.filter_map(least).min()
    };
    let all = first.core.names.iter().map(of).collect::<Option<Vec<Cost>>>()?;
    Some(all.into_iter().fold(Cost::ZERO, Cost::plus))
}
