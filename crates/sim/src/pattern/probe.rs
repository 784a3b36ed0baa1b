//! Runs that only look for an instant.

use crate::history::History;
use crate::observer::{Job, Observer, Source};
use crate::simulator::Simulator;
use vorrang_model::system::{SupplyId, TaskId};
use vorrang_time::{Duration, Instant};

/// How many periods a probe looks at before it gives up.
const PATIENCE: u64 = 64;

/// How many releases a probe looks at before it gives up: a constant, because what a pattern
/// means may depend on the system only.
pub(crate) const MOST_RELEASES: u64 = 10_000;

/// When the server's budget is first gone, in `(after, before]`.
pub(crate) fn exhaustion(
    simulator: &mut Simulator,
    history: &History,
    server: SupplyId,
    (after, before): (Instant, Instant),
) -> Option<Instant> {
    let mut probe = Exhaustion { server, after, released: 0, found: None };
    // What is gone exactly at the horizon still counts.
    simulator.run(history, before, &mut probe);
    probe.found
}

/// When the first job of a task completes, and the last replenishment of a supply before that, if
/// it has any.
pub(crate) fn completion(
    simulator: &mut Simulator,
    history: &History,
    task: TaskId,
    supply: SupplyId,
) -> Option<(Instant, Option<Instant>)> {
    let first = history.tasks[task.0].first?;
    let system = simulator.system();
    let period = system.supply(supply).server.as_ref().map_or(Duration::ZERO, |s| s.period);
    let longest = period.max(system.task(task).min_interarrival);
    let horizon = first.checked_add(longest.checked_mul(PATIENCE)?)?;
    let mut probe =
        Completion { task, server: supply, released: 0, replenished: None, found: None };
    simulator.run(history, horizon, &mut probe);
    Some((probe.found?, probe.replenished))
}

struct Exhaustion {
    server: SupplyId,
    after: Instant,
    released: u64,
    found: Option<Instant>,
}

impl Observer for Exhaustion {
    fn exhausted(&mut self, server: SupplyId, at: Instant) {
        if server == self.server && at > self.after {
            self.found.get_or_insert(at);
        }
    }

    fn released(&mut self, _job: &Job) {
        self.released += 1;
    }

    fn has_seen_enough(&self) -> bool {
        self.found.is_some() || self.released > MOST_RELEASES
    }
}

struct Completion {
    task: TaskId,
    server: SupplyId,
    released: u64,
    replenished: Option<Instant>,
    found: Option<Instant>,
}

impl Observer for Completion {
    fn replenished(&mut self, server: SupplyId, at: Instant) {
        if server == self.server && self.found.is_none() {
            self.replenished = Some(at);
        }
    }

    fn completed(&mut self, job: &Job, at: Instant) {
        if job.source == Source::Task(self.task) {
            self.found.get_or_insert(at);
        }
    }

    fn released(&mut self, _job: &Job) {
        self.released += 1;
    }

    fn has_seen_enough(&self) -> bool {
        self.found.is_some() || self.released > MOST_RELEASES
    }
}
