//! The core and the kind of each server, where they are open: every combination.
//!
//! **Model.** Once every server has a core and a kind, cores share nothing: what each takes is searched for
//! by itself, and the lower bounds add up. The least of all combinations bounds every design. Analyses
//! are divided evenly among the combinations, and what one leaves goes to the next.

use crate::bare::is_plain;
use crate::cost::Cost;
use crate::layout::{self, chain, provisional};
use crate::options::Options;
use crate::part::Part;
use crate::search::{Core, Found};
use crate::steps::Steps;
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
pub fn design(open: &mut Open, limits: &Limits) -> Answer {
    let Some(combinations) = combinations(open) else { return Answer::Absent(Absence::TooMany) };
    let mut steps = Steps::new(limits.steps);
    let mut best: Option<(Cost, Vec<Chosen>)> = None;
    let mut least: Option<Cost> = None;
    let count = combinations.len() as u64;
    for (place, fixed) in (0..).zip(combinations) {
        let Some(system) = open.resolve(&provisional(open, &fixed)) else { continue };
        if system.requirements.is_empty() {
            return Answer::Absent(Absence::NothingRequired);
        }
        let share = steps.left() / (count - place);
        let found = steps.within(share, |steps| combination(open, &system, &fixed, steps));
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
    let steps = steps.taken;
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

/// Searches each core; `None`: too much to choose from.
fn combination(
    open: &Open,
    system: &System,
    fixed: &[Option<Chosen>],
    steps: &mut Steps,
) -> Option<Combination> {
    let mut chosen = provisional(open, fixed);
    let (mut cost, mut least) = (Some(Cost::ZERO), Some(Cost::ZERO));
    let cores: Vec<SupplyId> = system.cores().collect();
    for (place, &core) in cores.iter().enumerate() {
        let share = steps.left() / (cores.len() - place) as u64;
        let found = steps.within(share, |steps| of_core(open, system, core, fixed, steps))?;
        cost = cost.zip(found.best.as_ref()).map(|(sum, best)| sum.plus(best.cost));
        least = least.zip(found.least).map(|(sum, least)| sum.plus(least));
        for (at, value) in found.best.into_iter().flat_map(|best| best.chosen) {
            chosen[at] = value;
        }
    }
    Some(Combination { cost, chosen, least })
}

fn of_core(
    open: &Open,
    system: &System,
    core: SupplyId,
    fixed: &[Option<Chosen>],
    steps: &mut Steps,
) -> Option<Found> {
    let nodes = layout::nodes(open, system);
    let supplies = || (0..system.supplies.len()).map(SupplyId);
    let on_core = |name: &str| {
        supplies()
            .find(|&id| system.supply(id).name == name)
            .map(|id| chain(system, id))
            .filter(|chain| chain.contains(&core))
    };
    // The outermost node around a supply.
    let unit_of = |name: &str| {
        let around = on_core(name)?;
        let of = |id: &SupplyId| nodes.iter().position(|node| node.name == system.supply(*id).name);
        around.iter().filter_map(of).next_back()
    };
    let mut units: Vec<usize> = (0..nodes.len())
        .filter(|&node| nodes[node].parent.is_none() && on_core(&nodes[node].name).is_some())
        .collect();
    units.sort_by_key(|&unit| std::cmp::Reverse(nodes[unit].urgency));
    let is_plain = is_plain(system, core);
    let part = |kept: &[usize], bare: bool| {
        let is_kept = |name: &str| {
            on_core(name).is_some() && unit_of(name).is_none_or(|unit| kept.contains(&unit))
        };
        Part::new(open, fixed, &is_kept, bare)
    };
    if units.is_empty() {
        return Some(without_units(part(&[], false)?, steps));
    }
    let mut all = Core { options: Vec::new(), places: Vec::new(), parts: Vec::new(), is_plain };
    for (place, &unit) in units.iter().enumerate() {
        let solo = part(&[unit], !is_plain)?;
        let joined = part(&units[..=place], false)?;
        let of_unit = |unit: &usize| -> Vec<usize> {
            let is_of = |node: &usize| unit_of(&joined.nodes[*node].name) == Some(*unit);
            (0..joined.nodes.len()).filter(is_of).collect()
        };
        all.places.push(units[..=place].iter().map(of_unit).collect());
        all.options.push(Options::new(solo)?);
        all.parts.push(joined);
    }
    Some(all.search(steps))
}

/// A core on which nothing is open.
fn without_units(mut part: Part, steps: &mut Steps) -> Found {
    use crate::search::Best;
    let holds = part.settle_all(steps);
    let best = matches!(holds, Ok(true)).then(|| Best { cost: Cost::ZERO, chosen: Vec::new() });
    // What is stated cannot be helped by any choice.
    Found { best, least: (holds != Ok(false)).then_some(Cost::ZERO) }
}
