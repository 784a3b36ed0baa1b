//! Collects evidence from a description, its bounds and observations. Nothing is decided here.

use crate::chain;
use crate::chance::Chance;
use crate::evidence::{Compared, Evidence, Observed, Required, Witness};
use crate::frequency;
use crate::overreserved::overreserved;
use crate::reason::coded;
use crate::weigh::Grounds;
use std::collections::BTreeMap;
use vorrang_analysis::{Assumption, Bounds, Finding};
use vorrang_model::System;
use vorrang_model::system::{Requirement, RequirementKind, SupplyId};
use vorrang_sim::{Observations, Worst};
use vorrang_time::Duration;

/// All of it; after an interruption frequencies are no longer evaluated.
pub fn gather(
    system: &System,
    bounds: &Bounds,
    observations: &Observations,
    is_end_wanted: fn() -> bool,
) -> Evidence {
    let tasks = system.task_ids().filter_map(|id| {
        let task = system.task(id);
        let core = system.core_of(task.on);
        compared(&task.name, core, bounds.task(id), observations.tasks[id.0].as_ref())
    });
    let interrupts = system.interrupt_ids().filter_map(|id| {
        let interrupt = system.interrupt(id);
        let observed = observations.interrupts[id.0].as_ref();
        compared(&interrupt.name, interrupt.on, bounds.interrupt(id), observed)
    });
    let chains = chain::compared(system, bounds, observations);
    let compared = tasks.chain(interrupts).chain(chains).collect();
    let reserved: BTreeMap<SupplyId, Option<String>> =
        system.cores().map(|core| (core, overreserved(system, core))).collect();
    let of = |place| {
        let chance = frequency::chance(system, bounds, place, observations.seed, is_end_wanted);
        let requirement = &system.requirements[place];
        let core = system.core_of_requirement(requirement);
        let overreserved = reserved[&core].clone();
        required(system, requirement, (core, overreserved), bounds, observations, chance)
    };
    Evidence { required: (0..system.requirements.len()).map(of).collect(), compared }
}

fn compared(
    name: &str,
    core: SupplyId,
    finding: &Finding,
    worst: Option<&Worst>,
) -> Option<Compared> {
    let (bound, worst) = (finding.bound()?, worst?);
    Some(Compared { name: name.to_owned(), core, bound, observed: Observed::from(worst) })
}

fn required(
    system: &System,
    requirement: &Requirement,
    (core, overreserved): (SupplyId, Option<String>),
    bounds: &Bounds,
    observations: &Observations,
    chance: Option<Chance>,
) -> Required {
    let worst = match requirement.kind {
        RequirementKind::Deadline(task) => observations.tasks[task.0].as_ref(),
        RequirementKind::HandledWithin(interrupt) => observations.interrupts[interrupt.0].as_ref(),
    };
    let by_chance = chance.as_ref().map(|_| bounds.chance(system, requirement));
    let finding = bounds.requirement(requirement);
    let (by, assumptions) = match &by_chance {
        Some(found) => (&found.method, found.assumptions()),
        None => (&finding.method, finding.assumptions()),
    };
    Required {
        name: requirement.name.clone(),
        kind: requirement.kind,
        core,
        grounds: grounds(system, requirement, finding, (core, overreserved), observations, worst),
        observed: worst.map(Observed::from),
        witness: worst
            .filter(|worst| worst.response > requirement.limit)
            .map(|worst| Witness::of(worst, requirement.limit)),
        by: by.to_string(),
        assumptions: assumptions.iter().map(ToString::to_string).collect(),
        averages: assumptions.iter().flat_map(averages).cloned().collect(),
        chance,
    }
}

/// Contexts with cold caches of which something takes the average.
fn averages(assumption: &Assumption) -> &[String] {
    match assumption {
        Assumption::AverageCaches { what } => what,
        _ => &[],
    }
}

fn grounds(
    system: &System,
    requirement: &Requirement,
    finding: &Finding,
    (core, overreserved): (SupplyId, Option<String>),
    observations: &Observations,
    worst: Option<&Worst>,
) -> Grounds {
    let unrepresented = system
        .unsupported
        .iter()
        .find(|feature| feature.core.is_none_or(|of| of == core))
        .map(|feature| format!("{} is not represented yet", feature.what));
    let not_simulated = observations
        .not_covered
        .iter()
        .find(|(of, _)| *of == core)
        .map(|(_, what)| what.to_string());
    Grounds {
        limit: requirement.limit,
        bound: finding.found.as_ref().map(|proof| proof.bound).map_err(coded),
        observed: worst.map(|worst| worst.response),
        unrepresented,
        not_simulated,
        overreserved,
    }
}

impl Witness {
    /// The first job seen to break the limit; the slowest where the first broke a stricter one.
    fn of(worst: &Worst, limit: Duration) -> Self {
        let first = worst.miss.as_ref().filter(|miss| miss.deadline == miss.arrival + limit);
        let (pattern, arrival) =
            first.map_or((&worst.pattern, worst.arrival), |miss| (&miss.pattern, miss.arrival));
        Self { pattern: pattern.text(), arrival, deadline: arrival + limit }
    }
}

impl From<&Worst> for Observed {
    fn from(worst: &Worst) -> Self {
        Self {
            response: worst.response,
            finished: worst.finished,
            pattern: worst.pattern.text(),
            arrival: worst.arrival,
        }
    }
}

#[cfg(test)]
mod tests;
