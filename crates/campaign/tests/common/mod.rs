//! Observers of several of these tests.

use vorrang_model::system::System;
use vorrang_sim::{Job, Observer, Source};
use vorrang_time::{Duration, Instant};

/// The longest response of each task.
pub(crate) struct Longest(pub(crate) Vec<Duration>);

impl Longest {
    /// Nothing seen yet.
    pub(crate) fn new(system: &System) -> Self {
        Self(vec![Duration::ZERO; system.tasks.len()])
    }
}

impl Observer for Longest {
    fn completed(&mut self, job: &Job, at: Instant) {
        if let Source::Task(id) = job.source {
            self.0[id.0] = self.0[id.0].max(at - job.arrival);
        }
    }
}
