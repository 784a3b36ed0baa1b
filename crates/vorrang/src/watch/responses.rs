//! How long the jobs of each task and interrupt took, and which missed a requirement.

use crate::distribution::{Distribution, Resolution};
use std::collections::BTreeMap;
use vorrang_model::system::{RequirementKind, SupplyId, System, TaskId};
use vorrang_sim::{History, Job, Observer, Source};
use vorrang_time::{Duration, Instant};

/// No row: of a task or interrupt that does not count.
const NONE: usize = usize::MAX;

/// The responses of one run of one core.
pub struct Responses {
    /// One per task and interrupt that counts, tasks first, in the order of declaration.
    pub rows: Vec<Row>,
    /// By task and by interrupt: the place of its row.
    places: [Vec<usize>; 2],
}

/// What was seen of one task or interrupt.
pub struct Row {
    /// What it is.
    pub source: Source,
    /// Its name.
    pub name: String,
    /// The shortest time that a requirement allows it, if any does.
    pub limit: Option<Duration>,
    /// The shortest time that a requirement allows each task and interrupt that has one.
fn limits(system: &System) -> BTreeMap<Source, Duration> {
    let mut limits = BTreeMap::new();
    for requirement in &system.requirements {
        let source = match requirement.kind {
            RequirementKind::Deadline(id) => Source::Task(id),
            RequirementKind::HandledWithin(id) => Source::Interrupt(id),
        };
        let limit = limits.entry(source).or_insert(requirement.limit);
        *limit = requirement.limit.min(*limit);
    }
    limits
}
