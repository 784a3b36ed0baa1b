//! Which parameters move in the margins of a requirement, or of a chain.
//!
//! **Model.** What the response of a task depends on by itself: its work, the server that it is in, how often it comes, and what
//! the core does besides. Of a chain the same of each task, and the longest distances, for which a value waits.
//!
//! **Assumption.** What else could be harder is no question here: others that come more often, say.

use crate::arrivals;
use crate::parameter::{Parameter, Way};
use std::collections::BTreeSet;
use vorrang_model::System;
use vorrang_model::system::{RequirementKind, ServerKind, SupplyId, TaskId};

/// Those that have to do with a requirement; the chains are behind the others.
pub(crate) fn parameters(system: &System, requirement: usize) -> Vec<Parameter> {
    let (of, cores) = what_of(system, requirement);
    let tasks = of.iter().copied().filter(|&id| system.task(id).execution.is_empty());
    let tasks: Vec<TaskId> = tasks.collect();
    let arrivals = if requirement < system.requirements.len() {
        shorter_periods(system, &tasks)
    } else {
        along_a_chain(system, &of)
    };
    let mut all: Vec<Parameter> = tasks.iter().map(|&id| Parameter::Wcet(id)).collect();
    all.extend((!tasks.is_empty()).then_some(Parameter::AllWcets));
    all.extend(arrivals);
    for task in tasks {
        let server = system.task(task).on;
        if system.supply(server).server().is_none() || all.contains(&Parameter::Budget(server)) {
            continue;
        }
        all.push(Parameter::Budget(server));
        // The other slots of the core have no place for another period.
        if !system.supply(server).server_kind().is_some_and(ServerKind::has_place) {
            all.push(Parameter::Period(server));
        }
    }
    if cores.iter().any(|&core| system.requests_on(core).next().is_some()) {
        all.push(Parameter::InterruptRate);
    }
    if cores.iter().any(|&core| system.supply(core).members.len() > 1) {
        all.push(Parameter::ContextSwitch);
    }
    all
}

/// What these descend from may come more often.
fn shorter_periods(system: &System, tasks: &[TaskId]) -> Vec<Parameter> {
    let own = arrivals::sources(system, tasks).into_iter();
    let own = own.filter(|&id| arrivals::has_period(system.task(id)));
    own.map(|id| Parameter::TaskPeriod(id, Way::Down)).collect()
}

/// A value waits for what comes less often; what comes more often delays others; and what comes by one clock may just miss a
/// value.
fn along_a_chain(system: &System, path: &[TaskId]) -> Vec<Parameter> {
    let sources = arrivals::sources(system, path);
    let by_clock = sources.iter().filter(|&&id| system.task(id).offset.is_some()).count();
    let mut all = Vec::new();
    for id in sources {
        let task = system.task(id);
        if arrivals::is_strict(task) {
            all.push(Parameter::TaskPeriod(id, Way::Up));
        } else if task.latest_interarrival.is_some() {
            all.push(Parameter::Latest(id));
        }
        all.extend(shorter_periods(system, &[id]));
        if let Some(offset) = task.offset.filter(|_| by_clock > 1) {
            all.push(Parameter::Offset(id, Way::Up));
            all.extend((!offset.is_zero()).then_some(Parameter::Offset(id, Way::Down)));
        }
    }
    all
}

/// The tasks that a requirement is of, or that are on a chain, and the cores.
fn what_of(system: &System, requirement: usize) -> (Vec<TaskId>, BTreeSet<SupplyId>) {
    if let Some(required) = system.requirements.get(requirement) {
        let task = match required.kind {
            RequirementKind::Deadline(task) => Some(task),
            RequirementKind::HandledWithin(interrupt) => system.interrupt(interrupt).wakes,
        };
        return (task.into_iter().collect(), [system.core_of_requirement(required)].into());
    }
    let path = &system.chains[requirement - system.requirements.len()].path;
    let cores = path.iter().map(|&id| system.core_of(system.task(id).on)).collect();
    (path.clone(), cores)
}

#[cfg(test)]
mod tests;
