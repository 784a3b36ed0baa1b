//! Watches a run and keeps, for each task and interrupt, its longest response and first miss.

use std::collections::BTreeMap;
use vorrang_model::system::{RequirementKind, SupplyId, System, TaskId};
use vorrang_sim::{Job, Observer, Source};
use vorrang_time::{Duration, Instant};

/// The longest responses of one run of one core.
pub struct Responses {
    /// One per task and interrupt that counts, tasks first, in the order of declaration.
    pub rows: BTreeMap<Source, Row>,
}

/// What was seen of one task or interrupt.
pub struct Row {
    /// Its name.
    pub name: String,
    /// The shortest time that a requirement allows it, if any does.
    pub limit: Option<Duration>,
    /// How many of its jobs arrived before the horizon.
    pub jobs: u64,
    /// Its longest response; the first of several.
    pub longest: Option<Response>,
    /// The first job that exceeds the limit.
    pub miss: Option<Response>,
}

/// A job and how long it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// When it arrived.
    pub arrival: Instant,
    /// From arrival to completion, or to the horizon.
    pub time: Duration,
    /// Whether it completed.
    pub finished: bool,
}

impl Responses {
    /// Nothing seen yet on this core. In some histories the responses of one task `only` mean
    /// anything; then the others are not kept.
    pub fn of_core(system: &System, core: SupplyId, only: Option<TaskId>) -> Self {
        let limits = limits(system);
        let interrupts = system
            .interrupts_on(core)
            .map(|id| (Source::Interrupt(id), system.interrupt(id).name.clone()));
        let tasks = (0..system.tasks.len())
            .map(TaskId)
            .filter(|&id| system.core_of(system.task(id).on) == core)
            .map(|id| (Source::Task(id), system.task(id).name.clone()));
        let counts =
            |&(source, _): &(Source, String)| only.is_none_or(|task| source == Source::Task(task));
        let rows = tasks.chain(interrupts).filter(counts).map(|(source, name)| {
            let limit = limits.get(&source).copied();
            (source, Row { name, limit, jobs: 0, longest: None, miss: None })
        });
        Self { rows: rows.collect() }
    }

    /// The shortest time that a requirement allows the jobs of `source`, if they count.
    pub fn limit(&self, source: Source) -> Option<Duration> {
        self.rows.get(&source)?.limit
    }

    /// The miss whose deadline is the earliest.
    pub fn first_miss(&self) -> Option<(&Row, Response)> {
        let misses = self.rows.values().filter_map(|row| Some((row, row.miss?, row.limit?)));
        let first = misses.min_by_key(|(_, miss, limit)| miss.arrival + *limit);
        first.map(|(row, miss, _)| (row, miss))
    }

    fn record(&mut self, job: &Job, at: Instant, finished: bool) {
        let Some(row) = self.rows.get_mut(&job.source) else { return };
        let response = Response { arrival: job.arrival, time: at - job.arrival, finished };
        row.jobs += 1;
        if row.longest.is_none_or(|longest| response.time > longest.time) {
            row.longest = Some(response);
        }
        if row.miss.is_none() && row.limit.is_some_and(|limit| response.time > limit) {
            row.miss = Some(response);
        }
    }
}

impl Observer for Responses {
    fn completed(&mut self, job: &Job, at: Instant) {
        self.record(job, at, true);
    }

    fn unfinished(&mut self, job: &Job, at: Instant) {
        self.record(job, at, false);
    }
}

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
