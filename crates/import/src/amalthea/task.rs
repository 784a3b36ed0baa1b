//! A task of a model, and what a description says of it.

use super::arrivals::{Arrival, First};
use super::places::Place;
use crate::description::Value;
use std::collections::BTreeSet;
use vorrang_model::limits;

/// A task that can be described, if what wakes it can be.
pub(super) struct Task {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) place: Place,
    pub(super) rule: &'static str,
    pub(super) wcet: u64,
    pub(super) arrival: Arrival,
    pub(super) stimulus: String,
    pub(super) triggers: BTreeSet<String>,
    pub(super) priority: Option<u64>,
    pub(super) is_preempted: bool,
}

/// The keys of its table, but for what the tasks of a model say of each other.
pub(super) fn keys(
    task: &Task,
    deadline: Option<&u64>,
    is_in_chain: bool,
) -> Vec<(&'static str, Value)> {
    let on = match task.place.units[..] {
        [unit] => Value::Core(unit),
        _ => Value::Open,
    };
    let mut keys = vec![("on", on), ("wcet", Value::Time(task.wcet))];
    if let Arrival::Periodic { period, jitter, is_strict, first } = task.arrival {
        keys.push(("period", Value::Time(period)));
        if jitter > 0 {
            keys.push(("jitter", Value::Time(jitter)));
        }
        if let First::At(offset) = first {
            keys.push(("offset", Value::Time(offset)));
        } else if is_strict && is_in_chain {
            keys.push(("latest-interarrival", Value::Time(period)));
        }
    }
    keys.extend(deadline.map(|deadline| ("deadline", Value::Time(*deadline))));
    if task.rule == "fixed-priority" {
        let priority = task.priority.filter(|of| *of <= u64::from(limits::PRIORITY));
        keys.push(("priority", priority.map_or(Value::Open, Value::Number)));
    }
    if !task.is_preempted {
        keys.push(("preemption", Value::word("none")));
    }
    keys
}
