//! How long jobs take, from their release to their completion.

use super::dispatcher::MS;
use super::served::always;
use super::trial::{LENGTH_MS, Row, Trial, WORK_US};
use vorrang_analysis::bounds;
use vorrang_guest::counted::Told;
use vorrang_model::system::{SupplyId, TaskId};
use vorrang_sim::{History, Job, Observer, ScriptedJob, Source, simulate};
use vorrang_time::{Duration, Instant};

/// Jobs released before that, after the beginning, may wait for earlier work.
const SETTLED: u64 = 500 * MS;

/// The longest responses of the jobs of one thread, in nanoseconds.
#[derive(Clone, Debug)]
pub(crate) struct Longest {
    pub(crate) name: String,
    pub(crate) bound: Option<u64>,
    pub(crate) simulation: u64,
    pub(crate) kernel: u64,
    /// So many jobs of the kernel.
    pub(crate) jobs: usize,
}

/// Of all threads of a trial, which began at `origin`.
pub(crate) fn longest(trial: &Trial, told: &Told, origin: u64) -> Vec<Longest> {
    let found = bounds(&trial.system);
    let simulated = simulated(trial);
    let one = |(place, row): (usize, &Row)| {
        let thread = told.threads.iter().find(|thread| thread.name == row.name);
        let jobs = thread.map_or(&[][..], |thread| &thread.jobs);
        let end = origin + LENGTH_MS * MS;
        let counts = |&&(release, done): &&(u64, u64)| release >= origin + SETTLED && done <= end;
        let responses: Vec<u64> =
            jobs.iter().filter(counts).map(|(release, done)| done - release).collect();
        Longest {
            name: row.name.clone(),
            bound: found.task(TaskId(trial.task(row))).bound().map(Duration::as_ns),
            simulation: simulated[place],
            kernel: responses.iter().copied().max().unwrap_or_default(),
            jobs: responses.len(),
        }
    };
    trial.rows.iter().enumerate().map(one).collect()
}

/// The longest in the simulator, where every job is released as late as its jitter allows.
fn simulated(trial: &Trial) -> Vec<u64> {
    let system = &trial.system;
    let mut history = History::quiet(system);
    for row in &trial.rows {
        let job = |number: u64| {
            let arrival = Instant::from_ns(number * row.every);
            let release = arrival + Duration::from_ns(row.jitter);
            ScriptedJob { arrival, release, execution: Duration::from_us(WORK_US), yields: false }
        };
        history.scripts[trial.task(row)] = (0..LENGTH_MS * MS / row.every).map(job).collect();
    }
    if let Some(rest) = trial.rest() {
        history.scripts[rest] = vec![always()];
    }
    let mut watch = Watch(vec![0; system.tasks.len()]);
    let core = system.cores().next().unwrap_or(SupplyId(0));
    let horizon = Instant::ZERO + Duration::from_ms(LENGTH_MS);
    simulate(system, core, &history, horizon, &mut watch).expect("it is covered");
    trial.rows.iter().map(|row| watch.0[trial.task(row)]).collect()
}

struct Watch(Vec<u64>);

impl Observer for Watch {
    fn completed(&mut self, job: &Job, at: Instant) {
        let Source::Task(TaskId(task)) = job.source else { return };
        if let Some(longest) = self.0.get_mut(task) {
            *longest = (*longest).max((at - job.arrival).as_ns());
        }
    }
}
