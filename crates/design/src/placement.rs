//! Where each server and task stands and of which kind a server is, where that is open: every combination, or
//! one ([`greedy`]) where there are more than [`MOST`], or too many for the analyses.
//!
//! **Model.** Once everything has a place and a kind, cores share nothing, but for those that are connected
//! ([`crate::group`]): what each takes is searched for by itself, and the lower bounds add up. The least of all combinations bounds every design. Analyses
//! are divided evenly among the combinations, and what one leaves goes to the next.
//!
//! **Assumptions.**
//! 1. Of the bound: the analysis of a core depends on nothing that is on another one but for how often what is there
//!    wakes or interrupts something here, which no choice makes less. Where not every combination is looked at, those of
//!    [`greedy`].

use crate::aim::Aim;
use crate::answer::{Absence, Answer, Design, Limits};
use crate::bare::Trust;
use crate::combination::Combination;
use crate::cost::Cost;
use crate::greedy;
use crate::layout::provisional;
use crate::place::Place;
use crate::steps::Steps;
use vorrang_model::{Allowed, Chosen, Open};

/// Combinations of places and kinds, and of these as many as are looked at however few analyses there are for
/// each.
const MOST: u64 = 4_096;
const FEW: u64 = 64;
/// Analyses for each where they are more.
const ENOUGH: u64 = 200;

/// The cheapest design for an aim; with the analyses that were made.
pub(crate) fn aimed(open: &mut Open, limits: Limits, aim: &Aim) -> (Answer, u64) {
    let mut steps = Steps::new(limits.steps).unless(limits.is_end_wanted).telling(limits.told);
    let answer = chosen(open, aim, &mut steps);
    (answer, steps.taken)
}

fn chosen(open: &mut Open, aim: &Aim, steps: &mut Steps) -> Answer {
    let most = MOST.min(steps.left() / ENOUGH).max(FEW);
    let Some(combinations) = combinations(open, most) else { return spread(open, aim, steps) };
    let mut best: Option<(Cost, Vec<Chosen>)> = None;
    let [mut least, mut least_monotonic]: [Option<Cost>; 2] = [None, None];
    let count = combinations.len() as u64;
    for (place, fixed) in (0..).zip(combinations) {
        if steps.is_over() {
            // What is not looked at may take nothing.
            [least, least_monotonic] = [Some(Cost::ZERO); 2];
            break;
        }
        let Some(system) = open.resolve(&provisional(open, &fixed)) else { continue };
        let share = steps.left() / (count - place);
        let place = Place::new(open, &system, &fixed, aim, Trust::Core);
        let found = steps.within(share, |steps| place.search(steps));
        let Some(found) = found else { return Answer::Absent(Absence::TooMany) };
        least = least.into_iter().chain(found.least).min();
        least_monotonic = least_monotonic.into_iter().chain(found.least_monotonic).min();
        if let Some(cost) = found.cost
            && best.as_ref().is_none_or(|(best, _)| cost < *best)
        {
            best = Some((cost, found.chosen));
        }
    }
    answer(open, best, [least, least_monotonic], steps.taken)
}

/// The same for one placement that is found without looking at the others.
fn spread(open: &mut Open, aim: &Aim, steps: &mut Steps) -> Answer {
    let not_found = Absence::NotFound { steps: steps.taken, by_monotonic: false };
    let not_found = Answer::Absent(not_found);
    let Some((fixed, most)) = greedy::spread(open, aim) else { return not_found };
    let Some(system) = open.resolve(&provisional(open, &fixed)) else { return not_found };
    let place = Place { looks_at_all: false, ..Place::new(open, &system, &fixed, aim, most) };
    let Some(found) = place.search(steps) else { return Answer::Absent(Absence::TooMany) };
    let Combination { cost, chosen, least, least_monotonic } = found;
    let best = cost.map(|cost| (cost, chosen));
    answer(open, best, [least, least_monotonic], steps.taken)
}

fn answer(
    open: &mut Open,
    best: Option<(Cost, Vec<Chosen>)>,
    [least, least_monotonic]: [Option<Cost>; 2],
    steps: u64,
) -> Answer {
    match (best, least) {
        (Some((cost, chosen)), Some(least)) => {
            let system = open.resolve(&chosen).expect("it was accepted");
            let found = Design { chosen, system, cost, least, least_monotonic, reach: None, steps };
            Answer::Design(Box::new(found))
        }
        (_, None) => Answer::Absent(Absence::Impossible { steps }),
        (None, Some(_)) => {
            Answer::Absent(Absence::NotFound { steps, by_monotonic: least_monotonic.is_none() })
        }
    }
}

/// All combinations of places and kinds, the other values open; `None`: too many.
fn combinations(open: &Open, most: u64) -> Option<Vec<Vec<Option<Chosen>>>> {
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
    count.filter(|count| *count <= most)?;
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
