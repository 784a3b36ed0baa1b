//! Runs of tasks of a chain, each of which begins when the one before it, from the same arrival, is complete.
//!
//! **Model.** The k-th job of a task that others wake is released when the k-th job of each of those is complete, and has
//! its arrival. So over any number of wake-ups it reads what the k-th job before it wrote, or something newer.
//!
//! **Assumption.** The one before writes when it completes. With logical execution time it may write later, and what it
//! wakes reads the old value: no run.
//!
//! Theory: docs/theory/chains.md.

use super::hold::is_complete_before;
use crate::bounds::Bounds;
use vorrang_model::system::{Communication, System, TaskId};
use vorrang_time::Duration;

/// A task of a chain.
pub(super) struct Part {
    pub(super) task: TaskId,
    /// The next one of the chain.
    pub(super) next: Option<TaskId>,
    /// What the next one has from the same arrival begins after it.
    pub(super) wakes_next: bool,
    /// So long after the arrival it is complete at the latest; `None`: no bound is known.
    pub(super) ends: Option<Duration>,
}

/// All along a path.
pub(super) fn parts(system: &System, bounds: &Bounds, path: &[TaskId]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut next: Option<(TaskId, Option<Duration>)> = None;
    for &task in path.iter().rev() {
        let own = bounds.task(task).bound();
        let wakes_next = next.is_some_and(|(next, _)| is_before(system, task, next));
        // What comes after it is not complete before it, so its bound holds here too.
        let later = next.filter(|_| wakes_next).and_then(|(_, ends)| ends);
        let ends = own.map(|own| later.map_or(own, |later| own.min(later)));
        parts.push(Part { task, next: next.map(|(next, _)| next), wakes_next, ends });
        next = Some((task, ends));
    }
    parts.reverse();
    parts
}

/// Whether each job of `reader` reads when the one of `writer` from the same arrival has written.
fn is_before(system: &System, writer: TaskId, reader: TaskId) -> bool {
    system.task(writer).communication == Communication::Registers
        && is_complete_before(system, writer, reader)
}
