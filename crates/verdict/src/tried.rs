//! Utilisation bounds that `vorrang check` evaluates beside the analysis that decides.
//!
//! **Model.** Every criterion is evaluated on every supply that is the parent of a required task.
//! A criterion that accepts says that each task of the supply completes within its period; the
//! response times of the same tasks are never worse, and decide.

use serde_json::{Value, json};
use std::collections::BTreeSet;
use vorrang_analysis::utilisation::Criterion;
use vorrang_analysis::{self as analysis, Bounds, Outcome};
use vorrang_model::System;
use vorrang_model::system::{RequirementKind, SupplyId};

/// One supply and the outcome of each criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The supply.
    pub supply: SupplyId,
    /// In the order of [`Criterion::ALL`].
    pub criteria: Vec<analysis::Tried>,
}

/// The outcomes for each supply with a required task, in the order of declaration.
pub fn all(system: &System, bounds: &Bounds) -> Vec<Tried> {
    let supplies: BTreeSet<SupplyId> = system
        .requirements
        .iter()
        .filter_map(|requirement| supply_of(system, requirement.kind))
        .collect();
    let of = |(supply, criteria)| Tried { supply, criteria };
    analysis::tried(system, bounds, supplies).into_iter().map(of).collect()
}

/// The supply of the task of a requirement; none for interrupts.
pub fn supply_of(system: &System, kind: RequirementKind) -> Option<SupplyId> {
    match kind {
        RequirementKind::Deadline(task) => Some(system.task(task).on),
        RequirementKind::HandledWithin(_) => None,
    }
}

/// One line per group of supplies that the same criteria accept, the names of the supplies first.
pub fn accepted(system: &System, tried: &[Tried]) -> Vec<String> {
    let mut groups: Vec<(Vec<Criterion>, Vec<&str>)> = Vec::new();
    for Tried { supply, criteria } in tried {
        let accept = criteria.iter().filter(|tried| tried.outcome == Outcome::Holds);
        let accept: Vec<Criterion> = accept.map(|tried| tried.criterion).collect();
        if accept.is_empty() {
            continue;
        }
        let name = system.supply(*supply).name.as_str();
        match groups.iter_mut().find(|(others, _)| *others == accept) {
            Some((_, names)) => names.push(name),
            None => groups.push((accept, vec![name])),
        }
    }
    let line = |(accept, names): (Vec<Criterion>, Vec<&str>)| {
        let accept: Vec<&str> = accept.into_iter().map(Criterion::name).collect();
        format!("{}: {}", names.join(", "), accept.join("; "))
    };
    groups.into_iter().map(line).collect()
}

/// A line for each outcome, with the criteria that it came of.
pub fn lines(tried: &Tried) -> Vec<String> {
    let mut groups: Vec<(&Outcome, Vec<&str>)> = Vec::new();
    for analysis::Tried { criterion, outcome } in &tried.criteria {
        match groups.iter_mut().find(|(other, _)| *other == outcome) {
            Some((_, names)) => names.push(criterion.name()),
            None => groups.push((outcome, vec![criterion.name()])),
        }
    }
    let line = |(outcome, names): (&Outcome, Vec<&str>)| {
        let outcome = match outcome {
            Outcome::Holds => "accepts".to_owned(),
            Outcome::DoesNotHold => "does not accept".to_owned(),
            Outcome::DoesNotApply(reason) => format!("condition not met, {reason}"),
        };
        format!("{outcome}: {}", names.join("; "))
    };
    groups.into_iter().map(line).collect()
}

/// The same for programs.
pub fn document(system: &System, tried: &Tried) -> Value {
    let criterion = |tried: &analysis::Tried| {
        let (outcome, reason) = match &tried.outcome {
            Outcome::Holds => ("accepts", None),
            Outcome::DoesNotHold => ("does-not-accept", None),
            Outcome::DoesNotApply(reason) => ("condition-not-met", Some(reason)),
        };
        json!({ "by": tried.criterion.name(), "outcome": outcome, "reason": reason })
    };
    json!({
        "supply": system.supply(tried.supply).name,
        "criteria": tried.criteria.iter().map(criterion).collect::<Vec<_>>(),
    })
}
