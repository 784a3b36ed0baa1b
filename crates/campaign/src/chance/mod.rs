//! Deadline-miss probabilities of a task in a reservation, against many simulated jobs.
//!
//! **Model.** A drawn system has one task with a distribution of execution times: alone in a
//! constant-bandwidth server, beside competitors that are always busy ([`draw`]), or the least urgent among
//! others of that kind ([`draw_among`]). It is run from many seeds; each run gives the responses of the first
//! jobs. Two conditions are checked:
//!
//! 1. *For every job of a task that is alone, deterministically:* with the drawn execution times, the
//!    response is within the backlog recursion ([`walk`]).
//! 2. *For all jobs together:* the share of late jobs is consistent with the bound on the probability. Jobs
//!    of one run depend on each other, runs do not: [`slack`] is the excess over the bound that chance
//!    explains.
//!
//! **Cost.** About a microsecond for each job and each replenishment of a competitor.

mod among;
mod draw;
mod slack;
mod walk;

pub use among::draw_among;
pub use draw::{Drawn, draw};
pub use slack::is_alarming;

use rayon::prelude::*;
use std::collections::BTreeMap;
use vorrang_analysis::stochastic::Probability;
use vorrang_model::System;
use vorrang_model::system::{RequirementKind, SupplyId, TaskId};
use vorrang_sim::{History, Job, Observer, Pattern, Source};
use vorrang_time::{Duration, Instant};

/// The task under test.
pub const TASK: TaskId = TaskId(0);

/// The amount of simulation for each system.
#[derive(Clone, Copy, Debug)]
pub struct Amount {
    /// Simulated histories.
    pub runs: u64,
    /// Jobs of each.
    pub jobs: u64,
}

/// The observations for one limit of one system.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The time allowed.
    pub limit: Duration,
    /// The bound on the probability of taking longer; `None`: there is none.
    pub bound: Option<Probability>,
    /// Jobs in all.
    pub jobs: u64,
    /// Jobs that took longer.
    pub late: u64,
    /// Whether that contradicts the bound.
    pub alarming: bool,
}

/// The observations of one system.
#[derive(Clone, Debug)]
pub struct Seen {
    /// By limit.
    pub outcomes: Vec<Outcome>,
    /// Jobs that took longer than by the recursion, with the history of the first one.
    pub beyond: u64,
    /// The history of the first of them.
    pub witness: Option<String>,
}

/// Runs one drawn system. `bound`: the claim about a limit.
pub fn run(
    drawn: &Drawn,
    amount: Amount,
    bound: impl Fn(&System, Duration) -> Option<Probability>,
) -> Seen {
    let system = &drawn.system;
    let runs: Vec<Run> =
        (0..amount.runs).into_par_iter().map(|seed| one(drawn, seed, amount.jobs)).collect();
    let limits = system.requirements.iter().filter(|own| own.probability.is_some());
    let outcomes = limits.map(|requirement| {
        assert_eq!(requirement.kind, RequirementKind::Deadline(TASK));
        let limit = requirement.limit;
        let late = |run: &Run| run.responses.iter().filter(|&&time| time > limit).count() as u64;
        let late = runs.iter().map(late).sum();
        let bound = bound(system, limit);
        let alarming = bound.is_some_and(|bound| is_alarming(amount, late, bound));
        let jobs = amount.runs * amount.jobs;
        Outcome { limit, bound, jobs, late, alarming }
    });
    Seen {
        outcomes: outcomes.collect(),
        beyond: runs.iter().map(|run| run.beyond).sum(),
        witness: runs.iter().find(|run| run.beyond > 0).map(|run| run.pattern.clone()),
    }
}

/// The claim of the analysis.
pub fn claimed(system: &System) -> BTreeMap<Duration, Option<Probability>> {
    let bounds = vorrang_analysis::bounds(system);
    let own = system.requirements.iter().filter(|own| own.probability.is_some());
    own.map(|own| (own.limit, bounds.chance(system, own).bound())).collect()
}

/// The first jobs of one history.
struct Run {
    responses: Vec<Duration>,
    beyond: u64,
    pattern: String,
}

fn one(drawn: &Drawn, seed: u64, jobs: u64) -> Run {
    let (system, core) = (&drawn.system, SupplyId(0));
    let word = if seed.is_multiple_of(2) { "periodic" } else { "random" };
    let text = format!("{word}:{seed}");
    let pattern = Pattern::parse(&text, system).expect("a pattern of every system");
    let history = pattern.history(system, core).expect("covered by the simulator");
    let mut responses = Responses { times: vec![None; usize::try_from(jobs).expect("few")] };
    let horizon = horizon(drawn, &history, jobs);
    vorrang_sim::simulate(system, core, &history, horizon, &mut responses)
        .expect("covered by the simulator");
    let limits = drawn.alone.then(|| walk::limits(system, &history));
    let pairs = responses.times.iter().zip(limits.into_iter().flatten());
    let beyond = pairs.filter(|(time, limit)| time.is_some_and(|time| time > *limit)).count();
    Run {
        responses: responses.times.into_iter().flatten().collect(),
        beyond: beyond as u64,
        pattern: text,
    }
}

/// A time in which this many jobs arrive and the backlog is mostly done.
fn horizon(drawn: &Drawn, history: &History, jobs: u64) -> Instant {
    let count = usize::try_from(jobs).expect("few");
    let last = history.jobs_of_task(&drawn.system, TASK).nth(count - 1).expect("it has jobs");
    last.release + drawn.longest_limit() * 2
}

/// The responses of the task, by number; incomplete ones as far as they are known.
struct Responses {
    times: Vec<Option<Duration>>,
}

impl Responses {
    fn note(&mut self, job: &Job, at: Instant) {
        if job.source == Source::Task(TASK)
            && let Ok(number) = usize::try_from(job.number)
            && let Some(place) = self.times.get_mut(number)
        {
            *place = Some(at - job.arrival);
        }
    }
}

impl Observer for Responses {
    fn completed(&mut self, job: &Job, at: Instant) {
        self.note(job, at);
    }

    fn unfinished(&mut self, job: &Job, at: Instant) {
        self.note(job, at);
    }
}
