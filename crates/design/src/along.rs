//! Which changes are looked at for what is required of a chain and is not proven.

use crate::arrivals::{is_strict, sources};
use crate::asked::Asked;
use crate::candidate::{Candidate, beside, eased, has_budget, more_around, without_kept};
use crate::layout::chain;
use crate::parameter::{Parameter, Way};
use vorrang_model::System;
use vorrang_model::system::{Communication, Requirement, RequirementKind, SupplyId, TaskId};
use vorrang_time::Duration;

/// The groups of candidates for what is required of a chain, with its bound if it has one: what helps one of its tasks,
/// and what lets one come more often or write earlier.
pub(crate) fn of_chain(
    system: &System,
    (place, of): (usize, Asked),
    bound: Option<Duration>,
    is_guaranteed: impl Fn(SupplyId) -> bool,
) -> [Vec<Candidate>; 4] {
    let path = &system.chains[place].path;
    let mut around: Vec<SupplyId> = Vec::new();
    for id in path.iter().flat_map(|&id| chain(system, system.task(id).on)) {
        if !around.contains(&id) {
            around.push(id);
        }
    }
    let reserving = around.iter().flat_map(|&id| more_around(system, id)).collect();
    let mut easing: Vec<Parameter> = path.iter().map(|&id| Parameter::Wcet(id)).collect();
    let others: Vec<Parameter> =
        beside(system, &around).filter(|other| !easing.contains(other)).collect();
    easing.extend(others);
    let own = around.iter().filter(|&&id| has_budget(system, id) && !is_guaranteed(id));
    easing.extend(own.map(|&id| Parameter::Budget(id)));
    easing.extend(sooner(system, path));
    let cores: Vec<SupplyId> =
        around.iter().copied().filter(|&id| system.supply(id).is_core()).collect();
    let parameter = Parameter::ChainLimit(place, of);
    let now = parameter.value(system);
    let further = bound.and_then(|bound| bound.as_ns().checked_sub(now)).filter(|more| *more > 0);
    let granting =
        further.map(|more| Candidate { parameter, now, is_upwards: true, distances: vec![more] });
    let left_out = without_kept(system, &around);
    [reserving, left_out, eased(system, &cores, easing), granting.into_iter().collect()]
}

/// Times that a value waits because the description says so: until a task comes again, and until it writes at its deadline.
fn sooner(system: &System, path: &[TaskId]) -> Vec<Parameter> {
    let come = sources(system, path).into_iter().filter_map(|id| {
        let task = system.task(id);
        if is_strict(task) {
            return Some(Parameter::TaskPeriod(id, Way::Down));
        }
        task.latest_interarrival.map(|_| Parameter::Latest(id))
    });
    let logical = path.iter().filter(|&&id| system.task(id).communication == Communication::Let);
    let write = logical.filter_map(|&id| {
        let is_own = |required: &Requirement| required.kind == RequirementKind::Deadline(id);
        system.requirements.iter().position(is_own).map(Parameter::Limit)
    });
    come.chain(write).collect()
}
