//! The cheapest single change with which a requirement that is not proven would be, also one of a chain, or a budget
//! guaranteed that is not.
//!
//! **Model.** One parameter moves (`parameter.rs`) to the nearest value with which the requirement is proven
//! and everything is that was proven before: requirements, also those with a probability, and budgets; from there on
//! to one with fewer digits within a fiftieth (`candidate.rs`), so that it can be written down. What is
//! cheaper is said in four groups, the first with a change in it decides:
//!
//! ```text
//!   reserving   budget up, period down: of the server of the task, and    the least further share of the
//!               of those that it stands in; budget up of the pseudo-      supply that the server stands on
//!               VCPUs of interrupts that they take
//!   leaving     what Linux keeps there for `SCHED_OTHER`, left out        the first
//!   out
//!   easing      execution times of the task, of others beside it and of   the least change relative to
//!               all, budgets of servers beside it, interrupts, context    what is stated
//!               switch: down, to half of what they are
//!   granting    the limit, up to the bound                                there is one only
//! ```
//!
//! A chain is helped by what helps one of its tasks. Besides, a task may come again sooner, or write at an earlier deadline
//! (easing): with logical execution time that is when it writes.
//!
//! A budget that is not guaranteed is helped by more of the servers around its own (reserving), and by less of its own,
//! or a longer period with it, as well as by less of what is beside it (easing).
//!
//! Of equals the first in this order. Each changed system is written down and read again ([`described`]).
//!
//! **Assumptions.** 1. What is said of a value was seen: with it the requirement is proven and nothing lost; one step
//! nearer than the value with all its digits (a nanosecond, a thousandth) it is not proven, in [`TERMS_OF_ONE`], or
//! [`TERMS_AGAIN`] where these were not enough. Budgets and periods are looked at in doubled distances and then by bisection, what eases by its farthest value and then by bisection: bounds
//! need not be monotonic, so a nearer value that does is not excluded.
//!
//! **Cost.** At most [`RUNS`] analyses ([`RUNS_BY_CHANCE`]) and [`TERMS`] terms of their equations for all requirements and
//! budgets of a system, and none for one of more than [`ENTITIES`]. Nothing for what is proven.
//!
//! **Does not cover** changes of two parameters, of kinds, places and priorities (`vorrang design` chooses
//! those), but for [`OnePriority`] and [`Replacement`].

mod one_priority;
mod replacement;

use crate::along::of_chain;
use crate::asked::Asked;
use crate::candidate::{Candidate, of_budget, of_requirement};
use crate::parameter::{Amount, Parameter, described};
use crate::proven::{Goal, Proven};
pub use one_priority::OnePriority;
pub use replacement::Replacement;
use std::collections::BTreeMap;
use vorrang_analysis::{Bounds, bounds_within, derived_bounds_within};
use vorrang_model::System;
use vorrang_model::system::SupplyId;
use vorrang_time::Duration;

/// Analyses for all requirements of a system.
const RUNS: u64 = 400;
/// The same where something is required with a probability: what is rare is not found in terms of equations.
const RUNS_BY_CHANCE: u64 = 100;
/// Terms of equations in all: some tenth of a second.
const TERMS: u64 = 20_000_000;
/// Terms of one analysis: where next to nothing is left of a supply, what comes of it is not waited for.
const TERMS_OF_ONE: u64 = 100_000;
/// The same once a value is known that does, for what is nearer and took too many; and wherever something is required
/// with a probability, of which with fewer terms less is known.
const TERMS_AGAIN: u64 = 1_000_000;
/// Tasks, servers and interrupts of a system of which one analysis takes milliseconds.
const ENTITIES: usize = 50;

/// A change with which a requirement is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// What changes.
    pub parameter: Parameter,
    /// What it is now.
    pub now: Amount,
    /// With this the requirement is proven.
    pub to: Amount,
}

/// What came of looking for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// The cheapest of those that were looked at.
    Found(Remedy),
    /// None of them, and all were looked at.
    None,
    /// None was found before the analyses were used up.
    Spent,
    /// The system is too large to look.
    Large,
}

/// Looks for the remedies of one system.
pub struct Remedies<'s> {
    system: &'s System,
    /// What is proven as it is.
    now: Proven,
    runs: u64,
    terms: u64,
    terms_of_one: u64,
    seen: BTreeMap<(Parameter, u64), Seen>,
}

/// What an analysis of another value showed.
struct Seen {
    /// `None`: no description says it.
    proven: Option<Proven>,
    /// The terms that it might take, if it took them all: with more, more may be proven.
    was_cut_at: Option<u64>,
}

/// The analyses are used up.
struct Spent;

fn remedy(candidate: &Candidate, value: u64) -> Remedy {
    let Candidate { parameter, now, .. } = *candidate;
    Remedy { parameter, now: parameter.amount(now), to: parameter.amount(value) }
}

impl<'s> Remedies<'s> {
    /// Of a system with what the analysis finds in it.
    pub fn new(system: &'s System, found: &Bounds) -> Self {
        let now = Proven::of(system, found);
        let by_chance = system.requirements.iter().any(|of| of.probability.is_some());
        let few = (RUNS_BY_CHANCE, TERMS_AGAIN);
        let (runs, terms_of_one) = if by_chance { few } else { (RUNS, TERMS_OF_ONE) };
        Self { system, now, runs, terms: TERMS, terms_of_one, seen: BTreeMap::new() }
    }

    /// What the analysis finds in it with the derivations of that, in as many terms as one change may take; `None` of a large one.
    pub fn derived(&self) -> Option<Bounds> {
        (!self.is_large()).then(|| derived_bounds_within(self.system, TERMS_AGAIN))
    }

    /// The cheapest change with which a requirement that is not proven, with a bound if it has one, would be.
    pub fn cheapest(&mut self, requirement: usize, bound: Option<Duration>) -> Sought {
        let groups = of_requirement(self.system, requirement, bound, |id| self.now.budgets[id.0]);
        self.cheapest_of(Goal::Requirement(requirement), groups)
    }

    /// The cheapest change with which what is required of a chain, by its place, and is not proven would be.
    pub fn cheapest_for_chain(
        &mut self,
        (chain, of): (usize, Asked),
        bound: Option<Duration>,
    ) -> Sought {
        let groups = of_chain(self.system, (chain, of), bound, |id| self.now.budgets[id.0]);
        self.cheapest_of(Goal::Chain(chain, of), groups)
    }

    /// The cheapest change with which the budget of a server that is not guaranteed would be.
    pub fn cheapest_for_budget(&mut self, server: SupplyId) -> Sought {
        self.cheapest_of(Goal::Budget(server), of_budget(self.system, server))
    }

    fn is_large(&self) -> bool {
        let System { supplies, tasks, interrupts, timers, .. } = self.system;
        supplies.len() + tasks.len() + interrupts.len() + timers.len() > ENTITIES
    }

    fn cheapest_of(
        &mut self,
        goal: Goal,
        groups: impl IntoIterator<Item = Vec<Candidate>>,
    ) -> Sought {
        if self.is_large() {
            return Sought::Large;
        }
        for group in groups {
            let mut best: Option<(u128, Remedy)> = None;
            let mut is_spent = false;
            for candidate in group {
                match self.nearest(goal, &candidate) {
                    Err(Spent) => is_spent = true,
                    Ok(None) => {}
                    Ok(Some(value)) => {
                        let price = candidate.price(self.system, value);
                        if best.is_none_or(|(least, _)| price < least) {
                            best = Some((price, remedy(&candidate, value)));
                        }
                    }
                }
            }
            match best {
                Some((_, remedy)) => return Sought::Found(remedy),
                None if is_spent => return Sought::Spent,
                None => {}
            }
        }
        Sought::None
    }

    /// The nearest value of a parameter that proves it and loses nothing, with few digits.
    fn nearest(&mut self, goal: Goal, candidate: &Candidate) -> Result<Option<u64>, Spent> {
        let (mut below, mut enough) = (0, None);
        for &distance in &candidate.distances {
            if self.is_enough(goal, candidate, distance, self.terms_of_one)? {
                enough = Some(distance);
                break;
            }
            below = distance;
        }
        let Some(enough) = enough else { return Ok(None) };
        let mut nearest = self.between(goal, candidate, (below, enough), self.terms_of_one)?;
        let before = candidate.at(nearest - 1);
        let was_cut = self.seen.get(&(candidate.parameter, before));
        if was_cut.is_some_and(|seen| seen.was_cut_at.is_some()) && self.terms > TERMS / 2 {
            nearest = self.between(goal, candidate, (below, nearest), TERMS_AGAIN)?;
        }
        if !self.loses_nothing(goal, candidate, nearest)? {
            return Ok(None);
        }
        for written in candidate.written(nearest) {
            if self.loses_nothing(goal, candidate, written)? {
                return Ok(Some(candidate.at(written)));
            }
        }
        Ok(Some(candidate.at(nearest)))
    }

    /// Whether it is proven at a distance, and everything that is now.
    fn loses_nothing(
        &mut self,
        goal: Goal,
        candidate: &Candidate,
        distance: u64,
    ) -> Result<bool, Spent> {
        let now = self.now.clone();
        let changed = self.with(candidate.parameter, candidate.at(distance), self.terms_of_one)?;
        Ok(changed.is_some_and(|proven| proven.has(goal) && proven.has_all_of(&now)))
    }

    /// The least distance that is enough between one that is not and one that is.
    fn between(
        &mut self,
        goal: Goal,
        candidate: &Candidate,
        (mut below, mut enough): (u64, u64),
        most: u64,
    ) -> Result<u64, Spent> {
        while enough - below > 1 {
            let middle = below.midpoint(enough);
            if self.is_enough(goal, candidate, middle, most)? {
                enough = middle;
            } else {
                below = middle;
            }
        }
        Ok(enough)
    }

    fn is_enough(
        &mut self,
        goal: Goal,
        candidate: &Candidate,
        distance: u64,
        most: u64,
    ) -> Result<bool, Spent> {
        let changed = self.with(candidate.parameter, candidate.at(distance), most)?;
        Ok(changed.is_some_and(|proven| proven.has(goal)))
    }

    /// What is proven with another value, by an analysis of at most so many terms; `None`: no description says it.
    fn with(
        &mut self,
        parameter: Parameter,
        value: u64,
        most: u64,
    ) -> Result<Option<&Proven>, Spent> {
        let key = (parameter, value);
        let is_known = |seen: &Seen| seen.was_cut_at.is_none_or(|at| at >= most);
        if !self.seen.get(&key).is_some_and(is_known) {
            self.runs = self.runs.checked_sub(1).ok_or(Spent)?;
            let seen = match described(self.system, parameter, value) {
                Err(_) => Seen { proven: None, was_cut_at: None },
                Ok(changed) => {
                    let most = self.terms.min(most);
                    let (found, left) = bounds_within(&changed, most);
                    self.terms -= most - left;
                    if self.terms == 0 {
                        self.runs = 0;
                        return Err(Spent);
                    }
                    let proven = Some(Proven::of(&changed, &found));
                    Seen { proven, was_cut_at: (left == 0).then_some(most) }
                }
            };
            self.seen.insert(key, seen);
        }
        Ok(self.seen[&key].proven.as_ref())
    }
}
