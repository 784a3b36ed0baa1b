//! What a search is asked for: the cheapest design, or the one that allows for the most work.

use crate::aim::Aim;
use crate::answer::{Absence, Answer, Limits};
use crate::asked;
use crate::layout::provisional;
use crate::objective::{Objective, Weights};
use crate::placement::aimed;
use crate::stretch::most_work;
use vorrang_model::Open;

/// Chooses what is open so that the price is least.
pub fn design(open: &mut Open, limits: Limits) -> Answer {
    design_for(open, limits, &Objective::Least(Weights::PRICE))
}

/// Chooses what is open.
pub fn design_for(open: &mut Open, limits: Limits, best: &Objective) -> Answer {
    if open.requirements().is_empty() && !requires_of_chains(open) {
        return Answer::Absent(Absence::NothingRequired);
    }
    match best {
        Objective::Least(weights) => aimed(open, limits, &Aim::new(weights.clone())).0,
        Objective::Margin => most_work(open, limits),
    }
}

/// Whether a chain has a limit, which no choice changes.
fn requires_of_chains(open: &mut Open) -> bool {
    let first = provisional(open, &vec![None; open.values().len()]);
    open.resolve(&first).is_some_and(|system| asked::all(&system).next().is_some())
}
