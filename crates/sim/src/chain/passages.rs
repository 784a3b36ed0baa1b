//! When the jobs of the tasks of chains read and write.

use super::latency::Passage;
use crate::job::{Job, Source};
use crate::observer::{Observer, Running};
use std::collections::VecDeque;
use vorrang_model::system::{Communication, System, TaskId};
use vorrang_time::{Duration, Instant};

/// What the jobs of chains did in a history: an observer.
#[derive(Debug)]
pub struct Passages {
    tasks: Vec<OfTask>,
}

#[derive(Debug, Default)]
struct OfTask {
    /// Whether it is on a chain.
    is_on_one: bool,
    /// From the arrival to the writing, where that is by logical execution time.
    logical: Option<Duration>,
    /// Jobs that are released and not complete: arrival, and reading, if it has begun.
    pending: VecDeque<(Instant, Option<Instant>)>,
    done: Vec<Passage>,
}

impl Passages {
    /// Of no job yet.
    pub fn new(system: &System) -> Self {
        let mut tasks: Vec<OfTask> = system.tasks.iter().map(|_| OfTask::default()).collect();
        for &TaskId(id) in system.chains.iter().flat_map(|chain| &chain.path) {
            let task = &system.tasks[id];
            tasks[id].is_on_one = true;
            tasks[id].logical = task.deadline.filter(|_| task.communication == Communication::Let);
        }
        Self { tasks }
    }

    /// The jobs of a task that have written, in order.
    pub fn of(&self, task: TaskId) -> &[Passage] {
        &self.tasks[task.0].done
    }

    /// With those of tasks that were not seen here, of another run of the same system.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        for (own, seen) in self.tasks.iter_mut().zip(other.tasks) {
            if own.done.is_empty() {
                *own = seen;
            }
        }
        self
    }

    fn of_job(&mut self, job: &Job) -> Option<&mut OfTask> {
        let Source::Task(TaskId(id)) = job.source else { return None };
        self.tasks.get_mut(id).filter(|of| of.is_on_one)
    }
}

impl Observer for Passages {
    fn released(&mut self, job: &Job) {
        let arrival = job.arrival;
        if let Some(of) = self.of_job(job) {
            of.pending.push_back((arrival, None));
        }
    }

    fn runs(&mut self, what: Running, at: Instant) {
        let Running::Task(TaskId(id)) = what else { return };
        if let Some((_, read)) = self.tasks[id].pending.front_mut() {
            read.get_or_insert(at);
        }
    }

    fn completed(&mut self, job: &Job, at: Instant) {
        let Some(of) = self.of_job(job) else { return };
        let Some((arrival, read)) = of.pending.pop_front() else { return };
        let read = read.unwrap_or(at);
        of.done.push(match of.logical {
            Some(deadline) => Passage { arrival, read: arrival, write: at.max(arrival + deadline) },
            None => Passage { arrival, read, write: at },
        });
    }
}
