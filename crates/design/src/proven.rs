//! What is proven of a system, so that nothing of it is lost by a change.

use crate::asked::{self, Asked};
use crate::judge::{holds, holds_along, is_guaranteed};
use vorrang_analysis::Bounds;
use vorrang_model::System;
use vorrang_model::system::SupplyId;

/// What is to be proven.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    Requirement(usize),
    Budget(SupplyId),
    /// What is required of a chain, by place.
    Chain(usize, Asked),
}

/// Of each requirement, of what is required of each chain, and of each supply with a budget, whether it is proven.
#[derive(Clone)]
pub(crate) struct Proven {
    pub(crate) requirements: Vec<bool>,
    pub(crate) budgets: Vec<bool>,
    /// What is required of chains, and whether it is proven.
    chains: Vec<((usize, Asked), bool)>,
    /// How many of these are declared; those that a kernel keeps for `SCHED_OTHER` come after them.
    declared: usize,
}

impl Proven {
    pub(crate) fn of(system: &System, found: &Bounds) -> Self {
        let all = system.requirements.iter();
        let ids = system.supply_ids();
        Self {
            requirements: all.map(|required| holds(system, found, required)).collect(),
            budgets: ids.map(|id| is_guaranteed(system, found, id)).collect(),
            chains: asked::all(system)
                .map(|(place, of, limit)| {
                    let is_so = holds_along(system, found, (&system.chains[place], limit));
                    ((place, of), is_so)
                })
                .collect(),
            declared: system.supplies.iter().filter(|supply| !supply.serves_other).count(),
        }
    }

    pub(crate) fn has(&self, goal: Goal) -> bool {
        match goal {
            Goal::Requirement(place) => self.requirements[place],
            Goal::Budget(id) => self.budgets[id.0],
            Goal::Chain(place, of) => self.chains.contains(&((place, of), true)),
        }
    }

    /// Whether everything is proven here that is in another one. Where one of them keeps nothing for `SCHED_OTHER`, what is kept
    /// for that is no loss.
    pub(crate) fn has_all_of(&self, other: &Self) -> bool {
        let pairs =
            |one: &[bool], other: &[bool]| one.iter().zip(other).all(|(is, was)| *is || !was);
        let same = self.budgets.len() == other.budgets.len();
        let compared = |of: &Self| if same { of.budgets.len() } else { of.declared };
        let chains = self.chains.iter().zip(&other.chains);
        pairs(&self.requirements, &other.requirements)
            && chains.into_iter().all(|((_, is), (_, was))| *is || !was)
            && pairs(&self.budgets[..compared(self)], &other.budgets[..compared(other)])
    }
}
