//! Runs that only search for an instant.

use crate::history::History;
use crate::job::{Job, Source};
use crate::observer::{Observer, Running};
use crate::simulator::Simulator;
use vorrang_model::system::{SupplyId, TaskId};
use vorrang_time::{Duration, Instant};

/// The number of periods after which a probe gives up.
const PATIENCE: u64 = 64;

/// The number of releases after which a probe gives up: a constant, because the meaning of a pattern may
/// depend on the system only.
pub(crate) const MOST_RELEASES: u64 = 10_000;

/// The number of instants after which it gives up: turns of a nanosecond release nothing.
const MOST_INSTANTS: u64 = 100 * MOST_RELEASES;

/// The progress of a probe.
#[derive(Default)]
struct Patience {
    releases: u64,
    instants: u64,
}

impl Patience {
    fn is_over(&self) -> bool {
        self.releases > MOST_RELEASES || self.instants > MOST_INSTANTS
    }
}

/// When the server's budget is first exhausted, in `(after, before]`.
pub(crate) fn exhaustion(
    simulator: &mut Simulator,
    history: &History,
    server: SupplyId,
    (after, before): (Instant, Instant),
) -> Option<Instant> {
    let mut probe = Exhaustion { server, after, patience: Patience::default(), found: None };
    // A budget that is exhausted exactly at the horizon still counts.
    simulator.run_together(history, before, &mut probe);
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
    let system = simulator.system();
    let first = history.first_of(system, task)?;
    let period = system.supply(supply).server().map_or(Duration::ZERO, |s| s.period);
    let longest = period.max(system.task(task).cycle().1);
    let horizon = first.checked_add(longest.checked_mul(PATIENCE)?)?;
    let mut probe = Completion {
        task,
        server: supply,
        patience: Patience::default(),
        replenished: None,
        found: None,
    };
    simulator.run_together(history, horizon, &mut probe);
    Some((probe.found?, probe.replenished))
}

struct Exhaustion {
    server: SupplyId,
    after: Instant,
    patience: Patience,
    found: Option<Instant>,
}

impl Observer for Exhaustion {
    fn exhausted(&mut self, server: SupplyId, at: Instant) {
        if server == self.server && at > self.after {
            self.found.get_or_insert(at);
        }
    }

    fn released(&mut self, _job: &Job) {
        self.patience.releases += 1;
    }

    fn runs(&mut self, _what: Running, _at: Instant) {
        self.patience.instants += 1;
    }

    fn has_seen_enough(&self) -> bool {
        self.found.is_some() || self.patience.is_over()
    }
}

struct Completion {
    task: TaskId,
    server: SupplyId,
    patience: Patience,
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
        self.patience.releases += 1;
    }

    fn runs(&mut self, _what: Running, _at: Instant) {
        self.patience.instants += 1;
    }

    fn has_seen_enough(&self) -> bool {
        self.found.is_some() || self.patience.is_over()
    }
}
