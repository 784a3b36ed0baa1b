//! A task of a core, and its jobs.

use crate::backlog::Backlog;
use crate::job::{Job, Place};
use crate::jobs::{Jobs, Plan};
use vorrang_mechanisms::scheduler::{Key, edf, fixed_priority, linux, slots};
use vorrang_model::system::{Scheduler, TaskId};
use vorrang_time::{Duration, Instant};

/// A task and its jobs.
#[derive(Clone, Debug)]
pub(crate) struct TaskState {
    pub(crate) id: TaskId,
    pub(crate) node: usize,
    /// Place among the members of its supply.
    pub(crate) declared: u32,
    pub(crate) priority: u32,
    pub(crate) deadline: Option<Duration>,
    /// Its jobs are not interrupted by other members.
    pub(crate) keeps: bool,
    /// The interrupt that wakes it, by its place.
    pub(crate) woken_by: Option<usize>,
    /// Where the tasks are that the ends of its jobs wake.
    pub(crate) wakes: Vec<Place>,
    /// Of each task that it comes after, where these are several, the jobs that are complete and have none of its own
    /// yet.
    pub(crate) ahead: Vec<u64>,
    /// The arrival of the job that other tasks wake at this instant.
    pub(crate) woken: Option<Instant>,
    /// The packets that it takes, if it takes any.
    pub(crate) takes: Option<Packets>,
    pub(crate) jobs: Jobs,
    /// The job that is released next.
    pub(crate) next: Option<Plan>,
    /// Released and not complete, in order.
    pub(crate) backlog: Backlog,
}

/// The packets of a device, by its place, that a task takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Packets {
    /// Those in the ring.
    Ring(usize),
    /// Those in the socket buffer.
    Socket(usize),
}

impl TaskState {
    /// Its key on its supply if its first job becomes ready now.
    #[inline]
    pub(crate) fn key(&self, scheduler: Scheduler, job: &Job, now: Instant) -> Key {
        match scheduler {
            Scheduler::FixedPriority => fixed_priority::key(self.priority, now, self.declared),
            Scheduler::Linux => linux::priority_key(self.priority, now, self.declared),
            Scheduler::Edf => edf::key(self.absolute_deadline(job.arrival), self.declared),
            _ => slots::key(self.declared),
        }
    }

    /// A job of one of the tasks that it comes after is complete: whether a job of each is now, which releases one of
    /// its own. The jobs of each complete in the order of arrival, so those that belong together have one arrival.
    #[inline]
    pub(crate) fn is_last(&mut self, by: usize) -> bool {
        self.ahead[by] += 1;
        let are_all = !self.ahead.contains(&0);
        if are_all {
            self.ahead.iter_mut().for_each(|jobs| *jobs -= 1);
        }
        are_all
    }

    /// The absolute deadline of a job with this arrival; never if it has none.
    #[inline]
    pub(crate) fn absolute_deadline(&self, arrival: Instant) -> Instant {
        self.deadline.and_then(|deadline| arrival.checked_add(deadline)).unwrap_or(Instant::NEVER)
    }
}
