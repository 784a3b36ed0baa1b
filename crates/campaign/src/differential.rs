//! The event-driven simulator against the oracle: the same history, the same completions.

use crate::oracle;
use vorrang_model::system::{InterruptId, SupplyId, System, TaskId};
use vorrang_sim::{History, Job, Jobs, Observer, Source, simulate};
use vorrang_time::{Duration, Instant};

/// A job that the two complete at different instants; `None`: not before the horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which job.
    pub job: Job,
    /// When the simulator completes it.
    pub simulator: Option<Instant>,
    /// When the oracle completes it.
    pub oracle: Option<Instant>,
}

/// The first job, by declaration, on which the two differ within the horizon.
///
/// # Panics
/// If the simulator does not cover the core.
pub fn difference(
    system: &System,
    core: SupplyId,
    history: &History,
    horizon: Instant,
) -> Option<Difference> {
    let mut seen = Completions::new(system);
    simulate(system, core, history, horizon, &mut seen).expect("only covered systems are drawn");
    let same = translate(system, core, history, horizon);
    let outcome = oracle::run(system, core, &same, horizon.as_ns());
    let tasks = seen.tasks.iter().zip(&outcome.tasks);
    let interrupts = seen.interrupts.iter().zip(&outcome.interrupts);
    tasks.chain(interrupts).find_map(|(simulator, oracle)| first_difference(simulator, oracle))
}

fn first_difference(
    simulator: &[(Job, Option<Instant>)],
    oracle: &[Option<u64>],
) -> Option<Difference> {
    let pairs = simulator.iter().zip(oracle);
    let mut pairs = pairs.map(|(&(job, simulator), oracle)| Difference {
        job,
        simulator,
        oracle: oracle.map(Instant::from_ns),
    });
    pairs.find(|pair| pair.simulator != pair.oracle)
}

/// The history in the oracle's terms: its jobs up to the horizon, its phases, its blocker.
pub fn translate(
    system: &System,
    core: SupplyId,
    history: &History,
    horizon: Instant,
) -> oracle::History {
    let here = |supply: SupplyId| system.core_of(supply) == core;
    let list = |jobs: Jobs| -> Vec<oracle::Job> {
        let jobs = jobs.take_while(|job| job.arrival < horizon);
        let job = |job: vorrang_sim::Plan| oracle::Job {
            arrival: job.arrival.as_ns(),
            release: job.release.as_ns(),
            execution: job.execution.as_ns(),
        };
        jobs.map(job).collect()
    };
    let task = |id: usize| {
        let jobs = here(system.tasks[id].on).then(|| history.jobs_of_task(system, TaskId(id)));
        jobs.map_or_else(Vec::new, list)
    };
    let interrupt = |id: usize| {
        let jobs = || history.jobs_of_interrupt(system, InterruptId(id));
        here(system.interrupts[id].on).then(jobs).map_or_else(Vec::new, list)
    };
    oracle::History {
        phases: history.phases.iter().map(|phase| Duration::as_ns(*phase)).collect(),
        tasks: (0..system.tasks.len()).map(task).collect(),
        interrupts: (0..system.interrupts.len()).map(interrupt).collect(),
        blocker: history.blocker.map(|blocker| (blocker.task, blocker.at.as_ns())),
    }
}

/// Every job with its completion, in the order of its number.
struct Completions {
    tasks: Vec<Vec<(Job, Option<Instant>)>>,
    interrupts: Vec<Vec<(Job, Option<Instant>)>>,
}

impl Completions {
    fn new(system: &System) -> Self {
        Self {
            tasks: vec![Vec::new(); system.tasks.len()],
            interrupts: vec![Vec::new(); system.interrupts.len()],
        }
    }

    fn note(&mut self, job: &Job, at: Option<Instant>) {
        let list = match job.source {
            Source::Task(id) => &mut self.tasks[id.0],
            Source::Interrupt(id) => &mut self.interrupts[id.0],
        };
        list.push((*job, at));
    }
}

impl Observer for Completions {
    fn completed(&mut self, job: &Job, at: Instant) {
        self.note(job, Some(at));
    }

    fn unfinished(&mut self, job: &Job, _at: Instant) {
        self.note(job, None);
    }
}
