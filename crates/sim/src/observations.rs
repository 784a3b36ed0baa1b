//! What was observed, and how to see it again.

use crate::account::Omission;
use crate::chain_seen::ChainSeen;
use crate::coverage::NotCovered;
use crate::job::{Job, Source};
use crate::observer::Observer;
use crate::pattern::Pattern;
use core::cell::OnceCell;
use std::collections::BTreeMap;
use vorrang_model::system::{InterruptId, Requirement, RequirementKind, SupplyId, System, TaskId};
use vorrang_time::{Duration, Instant};

/// The longest responses that a search has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observations {
    /// By task; `None`: no job was seen, or its core is not covered.
    pub tasks: Vec<Option<Worst>>,
    /// By interrupt.
    pub interrupts: Vec<Option<Worst>>,
    /// By chain.
    pub chains: Vec<Option<ChainSeen>>,
    /// Cores that were not simulated, and why.
    pub not_covered: Vec<(SupplyId, NotCovered)>,
    /// The seed of the random histories.
    pub seed: u64,
    /// The longest horizon of a history, from its first arrival on; shorter where the work was limited.
    pub horizon: Duration,
    /// How many histories were run, by the first of the cores that paths connect.
    pub runs: BTreeMap<SupplyId, u64>,
    /// Histories that were omitted or truncated because the iteration budget was exhausted, by core and kind.
    pub omissions: Vec<Omission>,
}

/// The longest response seen of one task or interrupt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worst {
    /// From arrival to completion; if unfinished, from arrival to the end of the run.
    pub response: Duration,
    /// Whether the job was complete at the end of the run; if not, its response is longer.
    pub finished: bool,
    /// The history.
    pub pattern: Pattern,
    /// The job's arrival.
    pub arrival: Instant,
    /// The first job seen whose response exceeded a requirement.
    pub miss: Option<Miss>,
}

/// A job that missed the limit of a requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// The history.
    pub pattern: Pattern,
    /// The job's arrival.
    pub arrival: Instant,
    /// Its deadline: arrival plus the least limit of its requirements.
    pub deadline: Instant,
}

/// One job's response in one run.
#[derive(Clone, Copy, Debug)]
struct Response {
    time: Duration,
    finished: bool,
    arrival: Instant,
}

/// The observations of one run for each task and interrupt.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    tasks: Vec<Seen>,
    interrupts: Vec<Seen>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    longest: Option<Response>,
    /// The arrival of the first job over the limit.
    missed: Option<Instant>,
    /// The least limit of its requirements.
    limit: Option<Duration>,
}

impl Seen {
    #[inline]
    fn note(&mut self, arrival: Instant, time: Duration, finished: bool) {
        if self.longest.is_none_or(|longest| time > longest.time) {
            self.longest = Some(Response { time, finished, arrival });
            if self.missed.is_none() && self.limit.is_some_and(|limit| time > limit) {
                self.missed = Some(arrival);
            }
        }
    }
}

impl Recorder {
    pub(crate) fn new(system: &System) -> Self {
        let mut recorder = Self {
            tasks: vec![Seen::default(); system.tasks.len()],
            interrupts: vec![Seen::default(); system.interrupts.len()],
        };
        let always = |requirement: &&Requirement| requirement.probability.is_none();
        for requirement in system.requirements.iter().filter(always) {
            let seen = match requirement.kind {
                RequirementKind::Deadline(id) => &mut recorder.tasks[id.0],
                RequirementKind::HandledWithin(id) => &mut recorder.interrupts[id.0],
            };
            let limit = seen.limit.map_or(requirement.limit, |other| other.min(requirement.limit));
            seen.limit = Some(limit);
        }
        recorder
    }

    /// Forgets the last run.
    pub(crate) fn clear(&mut self) {
        for seen in self.tasks.iter_mut().chain(&mut self.interrupts) {
            (seen.longest, seen.missed) = (None, None);
        }
    }

    /// The longest response of a task or interrupt in this run.
    pub(crate) fn longest(&self, source: Source) -> Duration {
        let seen = match source {
            Source::Task(id) => &self.tasks[id.0],
            Source::Interrupt(id) => &self.interrupts[id.0],
        };
        seen.longest.map_or(Duration::ZERO, |response| response.time)
    }

    #[inline]
    fn seen(&mut self, source: Source) -> &mut Seen {
        match source {
            Source::Task(id) => &mut self.tasks[id.0],
            Source::Interrupt(id) => &mut self.interrupts[id.0],
        }
    }
}

impl Observer for Recorder {
    #[inline]
    fn completed(&mut self, job: &Job, at: Instant) {
        self.seen(job.source).note(job.arrival, at - job.arrival, true);
    }

    fn unfinished(&mut self, job: &Job, at: Instant) {
        self.seen(job.source).note(job.arrival, at - job.arrival, false);
    }
}

impl Observations {
    /// How many histories were run.
    pub fn runs(&self) -> u64 {
        self.runs.values().sum()
    }

    pub(crate) fn new(system: &System, seed: u64, horizon: Duration) -> Self {
        Self {
            tasks: vec![None; system.tasks.len()],
            interrupts: vec![None; system.interrupts.len()],
            chains: vec![None; system.chains.len()],
            not_covered: Vec::new(),
            seed,
            horizon,
            runs: BTreeMap::new(),
            omissions: Vec::new(),
        }
    }

    /// Takes over the valid observations of a run of a pattern.
    pub(crate) fn merge(
        &mut self,
        recorder: &Recorder,
        counts: impl Fn(Source) -> bool,
        pattern: impl Fn() -> Pattern,
    ) {
        let tasks = self.tasks.iter_mut().zip(&recorder.tasks);
        let tasks = tasks.enumerate().map(|(id, own)| (Source::Task(TaskId(id)), own));
        let interrupts = self.interrupts.iter_mut().zip(&recorder.interrupts);
        let interrupts =
            interrupts.enumerate().map(|(id, own)| (Source::Interrupt(InterruptId(id)), own));
        // One pattern for all of them.
        let made = OnceCell::new();
        let pattern = || made.get_or_init(&pattern).clone();
        for (source, (worst, seen)) in tasks.chain(interrupts) {
            if counts(source) {
                take_over(worst, seen, pattern);
            }
        }
    }
}

impl Observations {
    /// Takes over what another search of the same system saw that is longer, and the misses that this one did not see.
    pub(crate) fn take_longer(&mut self, other: Self) {
        let tasks = self.tasks.iter_mut().zip(other.tasks);
        let interrupts = self.interrupts.iter_mut().zip(other.interrupts);
        for (own, other) in tasks.chain(interrupts) {
            let Some(mut other) = other else { continue };
            if let Some(own) = own.as_mut().filter(|own| own.response >= other.response) {
                own.miss = own.miss.take().or(other.miss);
                continue;
            }
            let known = own.as_mut().and_then(|own| own.miss.take());
            other.miss = known.or(other.miss);
            *own = Some(other);
        }
        for (core, runs) in other.runs {
            *self.runs.entry(core).or_default() += runs;
        }
    }
}

fn take_over(worst: &mut Option<Worst>, seen: &Seen, pattern: impl Fn() -> Pattern) {
    let Some(Response { time, finished, arrival }) = seen.longest else { return };
    let known_miss = worst.as_mut().and_then(|worst| worst.miss.take());
    let miss = known_miss.or_else(|| {
        let (arrival, limit) = (seen.missed?, seen.limit?);
        Some(Miss { pattern: pattern(), arrival, deadline: arrival + limit })
    });
    match worst {
        Some(worst) if worst.response >= time => worst.miss = miss,
        _ => *worst = Some(Worst { response: time, finished, pattern: pattern(), arrival, miss }),
    }
}
