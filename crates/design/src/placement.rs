//! The core and the kind of each server, where they are open: every combination, or one ([`greedy`]) where
//! there are more than [`MOST`].
//!
//! **Model.** Once every server has a core and a kind, cores share nothing: what each takes is searched for
//! by itself, and the lower bounds add up. The least of all combinations bounds every design. Analyses
//! are divided evenly among the combinations, and what one leaves goes to the next.

use crate::bare::{Trust, trust};
use crate::cost::Cost;
use crate::greedy;
use crate::layout::{self, Node, chain, provisional};
use crate::options::Options;
use crate::part::{Machine, Part};
use crate::relaxation::Relaxation;
use crate::search::{Best, Core, Found};
use crate::steps::Steps;
use std::collections::BTreeMap;
use vorrang_model::system::SupplyId;
use vorrang_model::{Allowed, Chosen, Open, System};

/// Combinations of places and kinds.
const MOST: u64 = 4_096;

/// Where a search ends.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Analyses.
    pub steps: u64,
}

impl Default for Limits {
    /// Some seconds on a small system.
    fn default() -> Self {
        Self { steps: 50_000 }
    }
}

/// What a search finds.
pub enum Answer {
    /// Values for all that is open.
    Design(Box<Design>),
    /// None.
    Absent(Absence),
}

/// Values with which the analysis accepts the system.
pub struct Design {
    /// For each open value.
    pub chosen: Vec<Chosen>,
    /// The system with them.
    pub system: System,
    /// What the servers that were designed take.
    pub cost: Cost,
    /// What they take at least in every design.
    pub least: Cost,
    /// Analyses that were made.
    pub steps: u64,
}

/// How good a design is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimality {
    /// None takes less.
    Optimal,
    /// None takes less than the lower bound.
    Within,
}

impl Design {
    /// How good it is known to be.
    pub fn optimality(&self) -> Optimality {
        if self.cost <= self.least { Optimality::Optimal } else { Optimality::Within }
    }
}

/// Why there is no design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// Nothing that may be chosen is accepted.
    Impossible {
        /// Analyses that were made.
        steps: u64,
    },
    /// None was found, and there may be one.
    NotFound {
        /// Analyses that were made.
        steps: u64,
    },
    /// There are more combinations than a search looks at.
    TooMany,
    /// Nothing is required.
    NothingRequired,
}

/// Chooses what is open.
pub fn design(open: &mut Open, limits: Limits) -> Answer {
    if open.requirements().is_empty() {
        return Answer::Absent(Absence::NothingRequired);
    }
    design_relaxed(open, limits, &Relaxation::default()).0
}

/// The same where less is required; with the analyses that were made.
pub(crate) fn design_relaxed(
    open: &mut Open,
    limits: Limits,
    relaxation: &Relaxation,
) -> (Answer, u64) {
    let mut steps = Steps::new(limits.steps);
    let answer = chosen(open, relaxation, &mut steps);
    (answer, steps.taken)
}

fn chosen(open: &mut Open, relaxation: &Relaxation, steps: &mut Steps) -> Answer {
    let Some(combinations) = combinations(open) else { return spread(open, relaxation, steps) };
    let mut best: Option<(Cost, Vec<Chosen>)> = None;
    let mut least: Option<Cost> = None;
    let count = combinations.len() as u64;
    for (place, fixed) in (0..).zip(combinations) {
        let Some(system) = open.resolve(&provisional(open, &fixed)) else { continue };
        let share = steps.left() / (count - place);
        let place = Place { open, system: &system, fixed: &fixed, relaxation, most: Trust::Core };
        let found = steps.within(share, |steps| place.search(steps));
        let Some(Combination { cost, chosen, least: own }) = found else {
            return Answer::Absent(Absence::TooMany);
        };
        least = least.into_iter().chain(own).min();
        if let Some(cost) = cost
            && best.as_ref().is_none_or(|(best, _)| cost < *best)
        {
            best = Some((cost, chosen));
        }
    }
    answer(open, best, least, steps.taken)
}

/// The same for one placement that is found without looking at the others.
fn spread(open: &mut Open, relaxation: &Relaxation, steps: &mut Steps) -> Answer {
    let not_found = Answer::Absent(Absence::NotFound { steps: steps.taken });
    let Some((fixed, most)) = greedy::spread(open) else { return not_found };
    let Some(system) = open.resolve(&provisional(open, &fixed)) else { return not_found };
    let place = Place { open, system: &system, fixed: &fixed, relaxation, most };
    let Some(found) = place.search(steps) else { return Answer::Absent(Absence::TooMany) };
    let Combination { cost, chosen, least } = found;
    answer(open, cost.map(|cost| (cost, chosen)), least, steps.taken)
}

fn answer(
    open: &mut Open,
    best: Option<(Cost, Vec<Chosen>)>,
    least: Option<Cost>,
    steps: u64,
) -> Answer {
    match (best, least) {
        (Some((cost, chosen)), Some(least)) => {
            let system = open.resolve(&chosen).expect("it was accepted");
            Answer::Design(Box::new(Design { chosen, system, cost, least, steps }))
        }
        (_, None) => Answer::Absent(Absence::Impossible { steps }),
        (None, Some(_)) => Answer::Absent(Absence::NotFound { steps }),
    }
}

/// All combinations of places and kinds, the other values open; `None`: too many.
fn combinations(open: &Open) -> Option<Vec<Vec<Option<Chosen>>>> {
    let choices: Vec<Vec<Option<Chosen>>> = open
        .values()
        .iter()
        .map(|value| match &value.allowed {
            Allowed::Supplies(names) => {
                names.iter().map(|(name, _)| Some(Chosen::On(name.clone()))).collect()
            }
            Allowed::Kinds(kinds) => kinds.iter().map(|kind| Some(Chosen::Kind(*kind))).collect(),
            _ => vec![None],
        })
        .collect();
    let count = choices.iter().try_fold(1_u64, |all, own| all.checked_mul(own.len() as u64));
    count.filter(|count| *count <= MOST)?;
    let mut all = vec![Vec::new()];
    for own in &choices {
        let longer = |begun: &Vec<Option<Chosen>>| {
            let begun = begun.clone();
            own.iter().map(move |choice| [&begun[..], std::slice::from_ref(choice)].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    Some(all)
}

/// What was found with one combination.
struct Combination {
    cost: Option<Cost>,
    chosen: Vec<Chosen>,
    least: Option<Cost>,
}

/// One combination.
struct Place<'a> {
    open: &'a Open,
    /// With something for the values that are still open.
    system: &'a System,
    fixed: &'a [Option<Chosen>],
    relaxation: &'a Relaxation,
    /// No more than this is trusted for a lower bound.
    most: Trust,
}

impl Place<'_> {
    /// Searches each core; `None`: too much to choose from.
    fn search(&self, steps: &mut Steps) -> Option<Combination> {
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

    fn search_core(&self, core: SupplyId, steps: &mut Steps) -> Option<Found> {
        let on_core = OnCore::new(self, core);
        let units = on_core.units();
        if units.is_empty() {
            return Some(without_units(on_core.joined(&[], Machine::Stated)?, steps));
        }
        let trust = trust(self.system, core).min(self.most);
        let mut all = Core {
            options: Vec::new(),
            places: Vec::new(),
            parts: Vec::new(),
            trust,
            climbs: false,
        };
        for (place, &unit) in units.iter().enumerate() {
            let solo = match trust {
                Trust::Core => on_core.joined(&[unit], Machine::Stated)?,
                Trust::Alone | Trust::Work => on_core.alone(unit)?,
            };
            let joined = on_core.joined(&units[..=place], Machine::Stated)?;
            let of_unit = |unit: &usize| -> Vec<usize> {
                let is_of =
                    |node: &usize| on_core.unit_of(&joined.nodes[*node].name) == Some(*unit);
                (0..joined.nodes.len()).filter(is_of).collect()
            };
            all.places.push(units[..=place].iter().map(of_unit).collect());
            all.options.push(Options::new(solo, trust == Trust::Work)?);
            all.parts.push(joined);
        }
        Some(all.search(steps))
    }
}

/// The unit of a server, with all that is stated on its core, where the first is chosen that may be.
pub(crate) fn alone_on_core(
    open: &Open,
    system: &System,
    relaxation: &Relaxation,
    server: &str,
    machine: Machine,
) -> Option<Part> {
    let nothing_fixed = vec![None; open.values().len()];
    let fixed = &nothing_fixed;
    let place = Place { open, system, fixed, relaxation, most: Trust::Core };
    let id = system.supplies.iter().position(|supply| supply.name == server)?;
    let on_core = OnCore::new(&place, system.core_of(SupplyId(id)));
    on_core.joined(&[on_core.unit_of(server)?], machine)
}

/// What stands on one core.
struct OnCore<'a> {
    of: &'a Place<'a>,
    /// Its supplies by name, each with what it stands on.
    chains: BTreeMap<&'a str, Vec<SupplyId>>,
    nodes: Vec<Node>,
}

impl<'a> OnCore<'a> {
    fn new(of: &'a Place<'a>, core: SupplyId) -> Self {
        let supplies = (0..of.system.supplies.len()).map(SupplyId);
        let chains = supplies
            .map(|id| (&*of.system.supply(id).name, chain(of.system, id)))
            .filter(|(_, chain)| chain.contains(&core))
            .collect();
        Self { of, chains, nodes: layout::nodes(of.open, of.system, of.relaxation) }
    }

    /// The outermost node around a supply of the core.
    fn unit_of(&self, supply: &str) -> Option<usize> {
        let is = |node: &Node, id: SupplyId| node.name == self.of.system.supply(id).name;
        let node = |id: &SupplyId| self.nodes.iter().position(|node| is(node, *id));
        self.chains.get(supply)?.iter().filter_map(node).next_back()
    }

    /// The most urgent first.
    fn units(&self) -> Vec<usize> {
        let is_unit = |&node: &usize| {
            let Node { parent, name, .. } = &self.nodes[node];
            parent.is_none() && self.chains.contains_key(&**name)
        };
        let mut units: Vec<usize> = (0..self.nodes.len()).filter(is_unit).collect();
        units.sort_by_key(|&unit| std::cmp::Reverse(self.nodes[unit].urgency));
        units
    }

    fn part(&self, is_kept: &dyn Fn(&str) -> bool, machine: Machine) -> Option<Part> {
        let Place { open, fixed, relaxation, .. } = self.of;
        Part::new(open, fixed, relaxation, is_kept, machine)
    }

    /// The core with these units, and with all that is stated.
    fn joined(&self, kept: &[usize], machine: Machine) -> Option<Part> {
        let is_kept = |name: &str| {
            let is_supply = self.of.system.supplies.iter().any(|supply| supply.name == name);
            let is_other = self.unit_of(name).is_some_and(|unit| !kept.contains(&unit));
            !is_supply || self.chains.contains_key(name) && !is_other
        };
        self.part(&is_kept, machine)
    }

    /// A unit with what it stands on, and nothing else of that, where the machine takes nothing.
    fn alone(&self, unit: usize) -> Option<Part> {
        let system = self.of.system;
        let around = &self.chains[&*self.nodes[unit].name];
        let is_kept = |name: &str| {
            if let Some(task) = system.tasks.iter().find(|task| task.name == name) {
                return self.unit_of(&system.supply(task.on).name) == Some(unit);
            }
            let is_around = |id: &SupplyId| system.supply(*id).name == name;
            self.unit_of(name) == Some(unit) || around.iter().any(is_around)
        };
        self.part(&is_kept, Machine::Bare)
    }
}

/// A core on which nothing is open.
fn without_units(mut part: Part, steps: &mut Steps) -> Found {
    let holds = part.settle_all(steps);
    let best = matches!(holds, Ok(true)).then(|| Best { cost: Cost::ZERO, chosen: Vec::new() });
    // What is stated cannot be helped by any choice.
    Found { best, least: (holds != Ok(false)).then_some(Cost::ZERO) }
}
