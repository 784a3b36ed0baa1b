//! Less urgent work that holds a task up.

use super::Core;
use vorrang_model::system::{Member, Scheduler, TaskId};

/// The sections of a history.
pub(super) struct Blocker {
    pub(super) task: TaskId,
    from: u64,
    /// What is left of the section.
    pub(super) left: u64,
    /// The number of the job that it holds up.
    pub(super) job: Option<usize>,
    /// No section has appeared yet in this busy window.
    open: bool,
}

impl Blocker {
    pub(super) fn new(task: TaskId, from: u64) -> Self {
        Self { task, from, left: 0, job: None, open: true }
    }
}

impl Core<'_> {
    /// A section precedes the first job of the task that is released in a busy window.
    pub(super) fn place_blocker(&mut self) {
        let Some(blocker) = &mut self.blocker else { return };
        if !blocker.open || self.now < blocker.from {
            return;
        }
        let task = blocker.task;
        if let Some(number) = self.tasks[task.0].first_released(self.now) {
            blocker.job = Some(number);
            blocker.left = self.system.task(task).blocking.as_ns();
            blocker.open = false;
        }
    }

    /// In this tick nothing of the level may be ready: then its busy window is over.
    pub(super) fn look_at_window(&mut self) {
        let Some(task) = self.blocker.as_ref().map(|blocker| blocker.task) else { return };
        let is_over = !self.is_level_busy(task);
        if let Some(blocker) = &mut self.blocker {
            blocker.open |= is_over;
        }
    }

    /// Service routines on a core, and a guest's in a virtual processor, included.
    fn is_level_busy(&self, task: TaskId) -> bool {
        let supply = self.system.task(task).on;
        let mut members = self.system.supply(supply).members.iter();
        (supply == self.id && self.is_interrupted())
            || !self.guests[supply.0].is_empty()
            || self.pseudo_at_least(supply, self.system.task(task).priority)
            || members.any(|&member| self.place(member).ready && self.is_of_level(member, task))
    }

    /// Whether a member counts: under priorities one that is at least as urgent as the task, else
    /// any.
    fn is_of_level(&self, member: Member, task: TaskId) -> bool {
        let own = self.system.task(task);
        match self.system.supply(own.on).scheduler {
            Scheduler::Linux if self.is_linux_server(member) => true,
            Scheduler::Linux | Scheduler::FixedPriority => {
                !self.place(member).background
                    && !own.priority.is_more_urgent_than(self.priority(member))
            }
            _ => true,
        }
    }
}
