//! Less urgent work that holds a task up.

use super::{Core, Job};
use vorrang_model::system::{Activation, Member, Scheduler, System, TaskId};

/// The one section of a history.
pub(super) struct Blocker {
    pub(super) task: TaskId,
    at: u64,
    pub(super) left: u64,
    /// The job that it may hold up.
    pub(super) job: Option<Job>,
}

impl Blocker {
    /// `None` for an activated task.
    pub(super) fn new(system: &System, task: TaskId, at: u64) -> Option<Self> {
        let held_up = system.task(task);
        let left = held_up.blocking.as_ns();
        (held_up.activation == Activation::Sporadic).then_some(Self { task, at, left, job: None })
    }
}

impl Core<'_> {
    /// The blocker appears if nothing at least as urgent was ready on the supply just before,
    /// and a job of the task is released now.
    pub(super) fn place_blocker(&mut self) {
        let Some(blocker) = &self.blocker else { return };
        let task = blocker.task;
        if blocker.at != self.now {
            return;
        }
        let job =
            self.tasks[task.0].pending(self.now).filter(|job| job.release == self.now).copied();
        let free = job.is_some_and(|job| !self.was_ready_at_least_as_urgent(task, job));
        match &mut self.blocker {
            Some(blocker) if free => blocker.job = job,
            blocker => *blocker = None,
        }
    }

    /// Service routines on a core, and a guest's in a virtual processor, included.
    fn was_ready_at_least_as_urgent(&self, task: TaskId, job: Job) -> bool {
        let supply = self.system.task(task).on;
        let mut members = self.system.supply(supply).members.iter();
        (self.last.interrupted && supply == self.id)
            || self.was_pending[supply.0]
            || self.pseudo_at_least(supply, self.system.task(task).priority)
            || members.any(|&member| {
                self.place(member).ready && self.at_least_as_urgent(member, task, job)
            })
    }

    /// Whether a member that was ready just before is at least as urgent as a job released now.
    fn at_least_as_urgent(&self, member: Member, task: TaskId, job: Job) -> bool {
        match self.system.supply(self.system.task(task).on).scheduler {
            Scheduler::Edf => {}
            Scheduler::Linux if self.is_linux_server(member) => return true,
            _ => {
                return !self.place(member).background
                    && !self.system.task(task).priority.is_more_urgent_than(self.priority(member));
            }
        }
        let deadline = self.deadline_of_job(task, job);
        match member {
            Member::Task(id) => self.tasks[id.0]
                .running_until(self.now)
                .any(|other| self.deadline_of_job(id, *other) <= deadline),
            Member::Server(id) => self.server(id).edf_deadline() <= deadline,
        }
    }
}
