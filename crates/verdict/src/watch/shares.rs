//! Shares of jobs that exceed a requirement with a probability.

use vorrang_model::System;
use vorrang_model::system::{Requirement, RequirementKind, SupplyId};
use vorrang_sim::{History, Job, Observer, Source};
use vorrang_time::{Duration, Instant};

/// The jobs of one requirement in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The place of the requirement in the order of declaration.
    pub requirement: usize,
    source: Source,
    limit: Duration,
    /// Jobs that completed, or took longer than allowed.
    pub jobs: u64,
    /// Those that took longer.
    pub late: u64,
}

/// All requirements with a probability that count in a run.
#[derive(Clone, Debug, Default)]
pub struct Shares(pub Vec<Share>);

impl Shares {
    /// Nothing seen yet of this history on this core.
    pub fn of_core(system: &System, core: SupplyId, history: &History) -> Self {
        let counting = history.counting();
        let shares = system.requirements.iter().enumerate().filter_map(|(place, requirement)| {
            let share = Share::new(place, requirement)?;
            let is_here = system.core_of_requirement(requirement) == core;
            (is_here && counting.counts(system, share.source)).then_some(share)
        });
        Self(shares.collect())
    }

    #[inline]
    fn record(&mut self, job: &Job, at: Instant, finished: bool) {
        for share in self.0.iter_mut().filter(|share| share.source == job.source) {
            let late = at - job.arrival > share.limit;
            share.jobs += u64::from(finished || late);
            share.late += u64::from(late);
        }
    }
}

impl Share {
    /// Nothing seen yet; `None` where every job must be in time.
    fn new(place: usize, requirement: &Requirement) -> Option<Self> {
        requirement.probability?;
        let source = match requirement.kind {
            RequirementKind::Deadline(id) => Source::Task(id),
            RequirementKind::HandledWithin(id) => Source::Interrupt(id),
        };
        Some(Self { requirement: place, source, limit: requirement.limit, jobs: 0, late: 0 })
    }
}

impl Observer for Shares {
    #[inline]
    fn completed(&mut self, job: &Job, at: Instant) {
        self.record(job, at, true);
    }

    fn unfinished(&mut self, job: &Job, at: Instant) {
        self.record(job, at, false);
    }
}
