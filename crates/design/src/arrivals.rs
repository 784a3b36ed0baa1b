//! How often the tasks arrive that something descends from, and when.
//!
//! **Model.** Only the world makes such a task arrive, at least a period apart. A task that arrives exactly a period apart has one
//! number for the least and the longest distance; both move together then, and so does a deadline that is the period.
//!
//! **Assumption.** A deadline that is the period was left out: nothing tells it from one that is stated so.

use vorrang_model::System;
use vorrang_model::system::{Activation, Task, TaskId};
use vorrang_time::Duration;

/// What these tasks descend from, each once.
pub(crate) fn sources(system: &System, tasks: &[TaskId]) -> Vec<TaskId> {
    let mut all = Vec::new();
    for &id in tasks {
        let root = system.root_of(id);
        if !all.contains(&root) {
            all.push(root);
        }
    }
    all
}

/// Whether it comes by itself, and one least distance says how often.
pub(crate) fn has_period(task: &Task) -> bool {
    task.activation == Activation::Sporadic && task.distances.is_none() && !task.polls
}

/// Whether it comes exactly a period apart.
pub(crate) fn is_strict(task: &Task) -> bool {
    has_period(task) && task.latest_interarrival == Some(task.min_interarrival)
}

/// It comes so far apart.
pub(crate) fn set_period(task: &mut Task, period: Duration) {
    let before = Some(task.min_interarrival);
    if is_strict(task) {
        task.latest_interarrival = Some(period);
    }
    if task.deadline == before {
        task.deadline = Some(period);
    }
    task.min_interarrival = period;
}
