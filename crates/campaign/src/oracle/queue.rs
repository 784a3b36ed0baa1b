//! The jobs of one task.

use super::{Done, Job};

/// The jobs of a task, and how far they have come. Those of an activated task are added when
/// they are released.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    jobs: Vec<Job>,
    /// The first job that is not complete.
    current: usize,
    /// The remaining work of the current job.
    pub(super) left: u64,
    done: Vec<Done>,
}

impl Queue {
    pub(super) fn new(jobs: &[Job]) -> Self {
        let left = jobs.first().map_or(0, |job| job.execution);
        Self { jobs: jobs.to_vec(), left, ..Self::default() }
    }

    /// How many jobs there have been, or will be as far as is known.
    pub(super) fn count(&self) -> usize {
        self.jobs.len()
    }

    /// The oldest job that is released and not complete.
    pub(super) fn pending(&self, now: u64) -> Option<&Job> {
        self.jobs.get(self.current).filter(|job| job.release <= now)
    }

    /// Whether a job is released at this very instant.
    pub(super) fn releases(&self, now: u64) -> bool {
        self.jobs.iter().any(|job| job.release == now)
    }

    /// The number of the first job that is released at this very instant.
    pub(super) fn first_released(&self, now: u64) -> Option<usize> {
        self.jobs.iter().position(|job| job.release == now)
    }

    /// A job is released now.
    pub(super) fn release(&mut self, job: Job) {
        if self.current == self.jobs.len() {
            self.left = job.execution;
        }
        self.jobs.push(job);
    }

    /// Whether the current job has received all it needs.
    pub(super) fn is_done(&self) -> bool {
        self.current < self.jobs.len() && self.left == 0
    }

    /// The current job is complete.
    pub(super) fn complete(&mut self, now: u64) {
        self.done.push(Done { arrival: self.jobs[self.current].arrival, at: now });
        self.current += 1;
        self.left = self.jobs.get(self.current).map_or(0, |job| job.execution);
    }

    /// When the job with this number arrived, if it is complete.
    pub(super) fn arrival_of_done(&self, number: usize) -> Option<u64> {
        self.done.get(number).map(|done| done.arrival)
    }

    /// The results of the jobs so far.
    pub(super) fn into_done(self) -> Vec<Done> {
        self.done
    }

    /// The number of the current job.
    pub(super) fn number(&self) -> usize {
        self.current
    }
}
