//! Margins: how far each parameter may move until a requirement is no longer proven, and until it is refuted.
//!
//! **Model.** One parameter moves (`parameter.rs`), the rest stays. Of each requirement that is proven: the execution time of
//! its task, all execution times by one factor, the budget and the period of the server that its task is
//! in, how often the task comes, the rate of all interrupts, and what a switch takes. Of a chain the same for each of its tasks,
//! and the longest time between two arrivals. A value is found with which the requirement is
//! proven, and the next one, in the steps of that parameter, with which it is not: doubling away from
//! what it is now, then bisection. From there on a value is found in the same way with which the simulator
//! refutes it, and with the one before does not:
//!
//! ```text
//!    now ........ proven | not proven ........ | refuted
//!                        1 step                1 step
//! ```
//!
//! Every changed system is written down and read again, so that nothing is asked that no description says; where
//! the text is refused, the parameter ends there, with the reader's reason.
//!
//! **Assumptions.** 1. What is said of a value was seen. That nothing between what a parameter is now
//! and the last that is proven fails was not looked at; for execution times it follows from the analysis,
//! whose bounds never fall when work grows. A search of histories may refute a value and not a larger one.
//!
//! **Cost.** Some twenty analyses for each parameter and requirement, and some thirty searches of the
//! simulator; those of parameters that several requirements share are made once. Both limited in number, and
//! analyses in the terms of their equations: near full load one takes as long as a hundred others.
//!
//! **Does not cover** the other requirements: a value may refute one of them.

use crate::answer::Limits;
use crate::edge::{Edge, edge};
use crate::judge::{counted, counted_each, each};
use crate::moving::parameters;
use crate::parameter::{Amount, Parameter, described};
use crate::steps::{Spent, Steps};
use std::collections::BTreeMap;
use vorrang_analysis::Bounds;
use vorrang_model::System;

/// How far one parameter may move for one requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Margin {
    /// The parameter that moves.
    pub parameter: Parameter,
    /// What it is now.
    pub now: Amount,
    /// With this the requirement is proven.
    pub proven: Amount,
    /// With this, the next, it is not; `None`: as far as was looked, it is proven.
    pub not_proven: Option<Amount>,
    /// Why that cannot be written.
    pub refused: Option<String>,
    /// What the simulator says beyond.
    pub beyond: Beyond,
}

/// Where a requirement is refuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// With this a history breaks it; with the one before none was found that does.
    Refuted(Amount),
    /// None was found up to this, the farthest that was looked at.
    NotUpTo(Amount),
    /// Nothing was looked at: nothing beyond can be written, or it was not asked for.
    NotLooked,
    /// The searches were used up before.
    Spent,
}

/// Of each requirement, in the order of declaration, and then of each chain, whether a history of a system breaks it.
pub type Refutes<'a> = dyn FnMut(&System) -> Vec<bool> + 'a;

/// The margins of one requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Margins {
    /// By place in the order of declaration, the chains after all others.
    pub requirement: usize,
    /// `None`: it is not proven as it is, or the analyses were used up before.
    pub of: Option<Vec<Margin>>,
    /// Parameters that would have taken more terms than they may.
    pub left: Vec<Parameter>,
    /// Whether it is proven as it is.
    pub is_proven: bool,
}

/// More than a parameter takes that is looked at in steps of a nanosecond up to a second, unless its analyses take ever
/// longer.
const ANALYSES_EACH: u64 = 60;

/// What may be spent on margins.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// The analyses.
    pub limits: Limits,
    /// The terms of their equations for each parameter of a requirement, before one analysis more is begun; or, where
    /// that is more, what sixty analyses of the system as it is take.
    pub terms_each: u64,
    /// The terms of all together.
    pub terms: u64,
    /// How often the simulator is asked.
    pub searches: u64,
}

/// The margins of some requirements, within limits; and how many analyses were made. `refutes` is asked at most
/// `searches` times.
pub fn margins(
    system: &System,
    requirements: &[usize],
    limits: Limits,
    refutes: &mut Refutes<'_>,
    searches: u64,
) -> (Vec<Margins>, u64) {
    let work = Work { limits, terms_each: u64::MAX, terms: u64::MAX, searches };
    margins_within(system, requirements, &work, refutes)
}

/// The same within this work.
pub fn margins_within(
    system: &System,
    requirements: &[usize],
    &Work { limits, terms_each, terms, searches }: &Work,
    refutes: &mut Refutes<'_>,
) -> (Vec<Margins>, u64) {
    let mut steps = Steps::new(limits.steps).unless(limits.is_end_wanted);
    let searches = Steps::new(searches).unless(limits.is_end_wanted);
    let (seen, broken) = (BTreeMap::new(), BTreeMap::new());
    let (found, of_one) = counted(system);
    let now = each(system, &found);
    let mut search = Search { system, found, seen, terms, of_one: 0, refutes, searches, broken };
    let terms_each = terms_each.max(of_one.saturating_mul(ANALYSES_EACH));
    let of = |&requirement: &usize| {
        let is_proven = now[requirement];
        let of = is_proven.then(|| search.all(requirement, terms_each, &mut steps).ok()).flatten();
        let (of, left) = of.map_or((None, Vec::new()), |(of, left)| (Some(of), left));
        Margins { requirement, of, left, is_proven }
    };
    let all = requirements.iter().map(of).collect();
    (all, steps.taken)
}

struct Search<'s, 'r> {
    system: &'s System,
    /// Its bounds, of which most stand when a parameter moves.
    found: Bounds,
    /// What each value of each parameter proves, or why it cannot be written.
    seen: BTreeMap<(Parameter, u64), Result<Vec<bool>, String>>,
    /// Terms of equations that may still be evaluated, and those for the parameter that is looked at.
    terms: u64,
    of_one: u64,
    refutes: &'s mut Refutes<'r>,
    searches: Steps,
    /// What each value of each parameter breaks; `None`: it cannot be written.
    broken: BTreeMap<(Parameter, u64), Option<Vec<bool>>>,
}

impl Search<'_, '_> {
    /// The margins of a requirement, and what takes more terms than one of them may.
    fn all(
        &mut self,
        requirement: usize,
        terms_each: u64,
        steps: &mut Steps,
    ) -> Result<(Vec<Margin>, Vec<Parameter>), Spent> {
        let (mut of, mut left) = (Vec::new(), Vec::new());
        for parameter in parameters(self.system, requirement) {
            self.of_one = terms_each;
            match self.margin(requirement, parameter, steps) {
                Ok(margin) => of.push(margin),
                Err(Spent) if self.terms.min(self.of_one) == 0 => left.push(parameter),
                Err(Spent) => return Err(Spent),
            }
        }
        Ok((of, left))
    }

    fn margin(
        &mut self,
        requirement: usize,
        parameter: Parameter,
        steps: &mut Steps,
    ) -> Result<Margin, Spent> {
        let now = parameter.value(self.system);
        let downwards = parameter.falls();
        let most = parameter.farthest(self.system, now).abs_diff(now);
        let at = |distance: u64| if downwards { now - distance } else { now + distance };
        let amount = |distance: u64| parameter.amount(at(distance));
        let proven = edge(0, most, |distance| {
            self.holds(parameter, at(distance), requirement, steps).map(|holds| !holds)
        })?;
        let refused = proven.from.and_then(|next| self.refused(parameter, at(next)));
        // One history says little about a probability.
        let required = self.system.requirements.get(requirement);
        let is_sought =
            refused.is_none() && required.is_none_or(|required| required.probability.is_none());
        let mut ends = |distance| {
            let found = self.broken(parameter, at(distance), requirement)?;
            Ok(found != Found::Kept)
        };
        let beyond = match proven.from.filter(|_| is_sought) {
            None => Beyond::NotLooked,
            Some(next) => match edge(next - 1, most, &mut ends) {
                Err(Spent) => Beyond::Spent,
                Ok(Edge { before, from: None }) => Beyond::NotUpTo(amount(before)),
                Ok(Edge { before, from: Some(from) }) => {
                    match self.broken(parameter, at(from), requirement)? {
                        Found::Broken => Beyond::Refuted(amount(from)),
                        _ => Beyond::NotUpTo(amount(before)),
                    }
                }
            },
        };
        Ok(Margin {
            parameter,
            now: amount(0),
            proven: amount(proven.before),
            not_proven: proven.from.map(amount),
            refused,
            beyond,
        })
    }

    fn holds(
        &mut self,
        parameter: Parameter,
        value: u64,
        requirement: usize,
        steps: &mut Steps,
    ) -> Result<bool, Spent> {
        let holds =
            |seen: &Result<Vec<bool>, String>| seen.as_ref().is_ok_and(|all| all[requirement]);
        if let Some(seen) = self.seen.get(&(parameter, value)) {
            return Ok(holds(seen));
        }
        if self.terms.min(self.of_one) == 0 {
            return Err(Spent);
        }
        steps.take()?;
        let seen = described(self.system, parameter, value).map(|changed| {
            let (each, terms) = counted_each(&changed, (self.system, &self.found));
            for left in [&mut self.terms, &mut self.of_one] {
                *left = left.saturating_sub(terms);
            }
            each
        });
        let holds = holds(&seen);
        self.seen.insert((parameter, value), seen);
        Ok(holds)
    }

    /// Why a value cannot be written.
    fn refused(&self, parameter: Parameter, value: u64) -> Option<String> {
        self.seen.get(&(parameter, value)).and_then(|seen| seen.clone().err())
    }

    /// What the simulator says of the requirement with a value.
    fn broken(
        &mut self,
        parameter: Parameter,
        value: u64,
        requirement: usize,
    ) -> Result<Found, Spent> {
        if !self.broken.contains_key(&(parameter, value)) {
            let broken = match described(self.system, parameter, value) {
                Err(_) => None,
                Ok(changed) => {
                    self.searches.take()?;
                    let broken = (self.refutes)(&changed);
                    // One that was cut short has not shown that nothing breaks.
                    if self.searches.is_over() {
                        return Err(Spent);
                    }
                    Some(broken)
                }
            };
            self.broken.insert((parameter, value), broken);
        }
        Ok(match &self.broken[&(parameter, value)] {
            None => Found::Refused,
            Some(broken) if broken[requirement] => Found::Broken,
            Some(_) => Found::Kept,
        })
    }
}

/// What a search of histories comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Broken,
    Kept,
    /// No description says it.
    Refused,
}
