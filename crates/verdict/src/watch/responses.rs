//! Response times of the jobs of each task and interrupt, and misses of requirements.

use crate::distribution::{Distribution, Resolution};
use std::collections::BTreeMap;
use vorrang_model::system::{Requirement, RequirementKind, SupplyId, System};
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
    /// Whether it is an interrupt in a storm, or woken by one: then no requirement counts.
    pub misbehaves: bool,
    /// Of the jobs that completed.
    pub completed: Distribution,
    /// How many jobs arrived before the horizon and did not complete.
    pub unfinished: u64,
    /// The longest response, complete or not; the first of several.
    pub longest: Option<Response>,
    /// How many jobs exceed the limit.
    pub misses: u64,
    /// The first of them.
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
    /// Nothing seen yet of this history on this core. Where less urgent work blocks one task, only the
    /// responses of that task and of the interrupt that it handles are valid, and the others are not
    /// stored; those of an interrupt in a storm and of its task are stored, but break no requirement
    /// (`docs/model.md`).
    pub fn of_core(
        system: &System,
        core: SupplyId,
        history: &History,
        resolution: Resolution,
    ) -> Self {
        let counting = history.counting();
        let limits = limits(system);
        let tasks = system
            .task_ids()
            .filter(|&id| system.core_of(system.task(id).on) == core)
            .map(|id| (Source::Task(id), &system.task(id).name));
        let interrupts = system
            .interrupts_of(core)
            .map(|id| (Source::Interrupt(id), &system.interrupt(id).name));
        let is_kept = |(source, _): &(Source, _)| counting.is_kept(system, *source);
        let mut places = [vec![NONE; system.tasks.len()], vec![NONE; system.interrupts.len()]];
        let mut rows = Vec::new();
        for (source, name) in tasks.chain(interrupts).filter(is_kept) {
            match source {
                Source::Task(id) => places[0][id.0] = rows.len(),
                Source::Interrupt(id) => places[1][id.0] = rows.len(),
            }
            let misbehaves = !counting.counts(system, source);
            let limit = limits.get(&source).copied().filter(|_| !misbehaves);
            rows.push(Row { limit, misbehaves, ..Row::new(source, name.clone(), resolution) });
        }
        Self { rows, places }
    }

    /// The shortest time that a requirement allows the jobs of `source`, if they count.
    pub fn limit(&self, source: Source) -> Option<Duration> {
        self.rows.get(self.place(source))?.limit
    }

    /// The miss whose deadline is the earliest.
    pub fn first_miss(&self) -> Option<(&Row, Response)> {
        let misses = self.rows.iter().filter_map(|row| Some((row, row.miss?, row.limit?)));
        let first = misses.min_by_key(|(_, miss, limit)| miss.arrival + *limit);
        first.map(|(row, miss, _)| (row, miss))
    }

    #[inline]
    fn place(&self, source: Source) -> usize {
        match source {
            Source::Task(id) => self.places[0][id.0],
            Source::Interrupt(id) => self.places[1][id.0],
        }
    }

    #[inline]
    fn record(&mut self, job: &Job, at: Instant, finished: bool) {
        let place = self.place(job.source);
        if let Some(row) = self.rows.get_mut(place) {
            row.record(Response { arrival: job.arrival, time: at - job.arrival, finished });
        }
    }
}

impl Row {
    fn new(source: Source, name: String, resolution: Resolution) -> Self {
        Self {
            source,
            name,
            limit: None,
            misbehaves: false,
            completed: Distribution::new(resolution),
            unfinished: 0,
            longest: None,
            misses: 0,
            miss: None,
        }
    }

    /// How many jobs arrived.
    pub fn jobs(&self) -> u64 {
        self.completed.count() + self.unfinished
    }

    #[inline]
    fn record(&mut self, response: Response) {
        if response.finished {
            self.completed.record(response.time);
        } else {
            self.unfinished += 1;
        }
        if self.longest.is_none_or(|longest| response.time > longest.time) {
            self.longest = Some(response);
        }
        if self.limit.is_some_and(|limit| response.time > limit) {
            self.misses += 1;
            self.miss.get_or_insert(response);
        }
    }
}

impl Observer for Responses {
    #[inline]
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
    let always = |requirement: &&Requirement| requirement.probability.is_none();
    for requirement in system.requirements.iter().filter(always) {
        let source = match requirement.kind {
            RequirementKind::Deadline(id) => Source::Task(id),
            RequirementKind::HandledWithin(id) => Source::Interrupt(id),
        };
        let limit = limits.entry(source).or_insert(requirement.limit);
        *limit = requirement.limit.min(*limit);
    }
    limits
}
