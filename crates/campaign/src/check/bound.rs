//! Bound against observation.

use super::{Effort, Observed, Violation};
use crate::certified::{self, Certified};
use crate::invariant::{Listening, Watch};
use crate::tally::Tally;
use core::fmt;
use std::collections::BTreeMap;
use vorrang_analysis::{Bounds, Finding, chain_bound};
use vorrang_model::system::{InterruptId, SupplyId, System, TaskId};
use vorrang_sim::{
    Ceilings, History, Job, Observations, Observer, Search, Source, search_observed, simulate,
};
use vorrang_time::{Duration, Instant};

/// A response longer than its bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exceeded {
    /// The task or interrupt.
    pub name: String,
    /// The bound.
    pub bound: Duration,
    /// How the bound was found.
    pub method: String,
    /// The response.
    pub observed: Duration,
    /// The history that shows it: a pattern, or jobs and phases in ticks.
    pub history: String,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, bound, method, observed, history } = self;
        write!(f, "{name}: observed {observed} > bound {bound} ({method}) in {history}")
    }
}

/// A violation if the response is longer than the bound.
pub(super) fn exceeded(
    name: &str,
    finding: &Finding,
    observed: Duration,
    history: impl Fn() -> String,
) -> Option<Violation> {
    let bound = finding.bound().filter(|bound| *bound < observed)?;
    Some(Violation::Exceeded(Exceeded {
        name: name.to_owned(),
        bound,
        method: finding.method.to_string(),
        observed,
        history: history(),
    }))
}

/// Searches, and compares with the bound of every task and interrupt.
pub(super) fn searched(
    system: &System,
    bounds: &Bounds,
    effort: &Effort,
    index: u64,
    watched: bool,
    violations: &mut Vec<Violation>,
    tally: &mut Tally,
) -> Observed {
    if !watched && !has_bound(system, bounds) {
        tally.checks.unsearched += 1;
        return Observed {
            tasks: vec![None; system.tasks.len()],
            interrupts: vec![None; system.interrupts.len()],
        };
    }
    let search = Search { seed: index, ..effort.search };
    let observations = if watched {
        let mut watch = Watch::new(system);
        let mut listening = Listening(|event| watch.hear(event));
        let observations =
            search_observed(system, &search, &Ceilings::default(), &mut listening, &mut |_| {});
        tally.checks.watched += watch.histories();
        violations.extend(watch.broken().into_iter().map(Violation::Broken));
        observations
    } else {
        vorrang_sim::search(system, &search)
    };
    for (_, reason) in &observations.not_covered {
        violations.push(Violation::NotCovered(reason.to_string()));
    }
    tally.checks.searched += observations.runs();
    compare(system, bounds, &observations, violations, tally);
    chains(system, bounds, &observations, violations, tally);
    certify(system, &observations, violations, tally);
    let response = |worst: &Option<vorrang_sim::Worst>| worst.as_ref().map(|worst| worst.response);
    Observed {
        tasks: observations.tasks.iter().map(response).collect(),
        interrupts: observations.interrupts.iter().map(response).collect(),
    }
}

fn chains(
    system: &System,
    bounds: &Bounds,
    observations: &Observations,
    violations: &mut Vec<Violation>,
    tally: &mut Tally,
) {
    for (chain, seen) in system.chains.iter().zip(&observations.chains) {
        let found = chain_bound(system, bounds, chain);
        let (Ok(bound), Some(seen)) = (&found.found, seen) else { continue };
        tally.checks.chains_against_search += 1;
        for (what, seen) in [("reaction time", &seen.reaction), ("data age", &seen.age)] {
            if seen.time > *bound {
                violations.push(Violation::Exceeded(Exceeded {
                    name: format!("{what} of {}", chain.name),
                    bound: *bound,
                    method: found.by.to_owned(),
                    observed: seen.time,
                    history: seen.pattern.to_string(),
                }));
            }
        }
    }
}

fn certify(
    system: &System,
    observations: &Observations,
    violations: &mut Vec<Violation>,
    tally: &mut Tally,
) {
    let Certified { compared, exceeded, refused } = certified::compare(system, observations);
    tally.checks.certified_against_search += compared;
    let method = "certificate".to_owned();
    violations.extend(exceeded.into_iter().map(|(name, bound, observed, history)| {
        Violation::Exceeded(Exceeded { name, bound, method: method.clone(), observed, history })
    }));
    let refused = refused.into_iter();
    violations
        .extend(refused.map(|name| Violation::NotCovered(format!("{name}: its certificate"))));
}

fn has_bound(system: &System, bounds: &Bounds) -> bool {
    let tasks = system.task_ids().map(|id| bounds.task(id));
    let interrupts = system.interrupt_ids().map(|id| bounds.interrupt(id));
    tasks.chain(interrupts).any(|finding| finding.bound().is_some())
}

fn compare(
    system: &System,
    bounds: &Bounds,
    observations: &Observations,
    violations: &mut Vec<Violation>,
    tally: &mut Tally,
) {
    let tasks = system.tasks.iter().zip(&observations.tasks).enumerate();
    let tasks = tasks.map(|(id, (task, worst))| (&task.name, bounds.task(TaskId(id)), worst));
    let interrupts = system.interrupts.iter().zip(&observations.interrupts).enumerate();
    let interrupts = interrupts.map(|(id, (interrupt, worst))| {
        (&interrupt.name, bounds.interrupt(InterruptId(id)), worst)
    });
    for (name, finding, worst) in tasks.chain(interrupts) {
        let Some(worst) = worst else { continue };
        tally.checks.bound_against_search += u64::from(finding.bound().is_some());
        let pattern = || worst.pattern.to_string();
        violations.extend(exceeded(name, finding, worst.response, pattern));
    }
}

/// The horizon of one history.
const HORIZON: Instant = Instant::from_ns(2_000_000_000);

/// The most jobs of one history.
const JOBS: u64 = 200_000;

/// The responses of one history against the bounds.
pub(super) fn one_history(
    system: &System,
    core: SupplyId,
    bounds: &Bounds,
    history: &History,
    pattern: &str,
) -> Vec<Violation> {
    let mut longest = Longest { responses: BTreeMap::new(), jobs: 0 };
    let mut watch = Watch::new(system);
    let mut observers = (&mut longest, Listening(|event| watch.hear(event)));
    if let Err(reason) = simulate(system, core, history, HORIZON, &mut observers) {
        return vec![Violation::NotCovered(reason.to_string())];
    }
    let counting = history.counting();
    let meant = |source: &Source| counting.counts(system, *source);
    let responses = longest.responses.into_iter().filter(|(source, _)| meant(source));
    let violation = |(source, response)| {
        let (name, finding) = match source {
            Source::Task(id) => (&system.task(id).name, bounds.task(id)),
            Source::Interrupt(id) => (&system.interrupt(id).name, bounds.interrupt(id)),
        };
        exceeded(name, finding, response, || pattern.to_owned())
    };
    let broken = watch.broken().into_iter().map(Violation::Broken);
    responses.filter_map(violation).chain(broken).collect()
}

/// The longest response of each task and interrupt.
struct Longest {
    responses: BTreeMap<Source, Duration>,
    jobs: u64,
}

impl Longest {
    fn note(&mut self, job: &Job, at: Instant) {
        let response = self.responses.entry(job.source).or_default();
        *response = (*response).max(at - job.arrival);
    }
}

impl Observer for Longest {
    /// In an overload jobs wait forever, so the released ones are counted.
    fn released(&mut self, _job: &Job) {
        self.jobs += 1;
    }

    fn completed(&mut self, job: &Job, at: Instant) {
        self.note(job, at);
    }

    fn unfinished(&mut self, job: &Job, at: Instant) {
        self.note(job, at);
    }

    fn has_seen_enough(&self) -> bool {
        self.jobs >= JOBS
    }
}
