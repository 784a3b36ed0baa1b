//! Paths of wake-ups from task to task.

use super::{Activation, System, TaskId};
use std::collections::BTreeSet;

impl System {
    /// The tasks whose jobs must be complete before one of a task is released: the one that wakes it, or, of a join,
    /// several, in the order of declaration.
    pub fn predecessors(&self, id: TaskId) -> Vec<TaskId> {
        match self.task(id).activation {
            Activation::Task(by) => vec![by],
            Activation::Join => {
                self.task_ids().filter(|&by| self.task(by).wakes.contains(&id)).collect()
            }
            Activation::Sporadic
            | Activation::Interrupt(_)
            | Activation::Timer(_)
            | Activation::Device(_) => Vec::new(),
        }
    }

    /// The task from which the jobs of a task descend, over all wake-ups; the task itself where no other one wakes it.
    pub fn root_of(&self, id: TaskId) -> TaskId {
        let mut root = id;
        // All predecessors of a join have the same root.
        while let Some(&by) = self.predecessors(root).first() {
            root = by;
        }
        root
    }

    /// A task with all that its jobs wake, directly or over others, each once.
    pub fn followers(&self, id: TaskId) -> BTreeSet<TaskId> {
        let mut followers = BTreeSet::from([id]);
        let mut next = vec![id];
        while let Some(by) = next.pop() {
            next.extend(self.task(by).wakes.iter().filter(|&&woken| followers.insert(woken)));
        }
        followers
    }

    /// What makes the source of a path of wake-ups arrive: that of the task itself, unless another one wakes it.
    pub fn source_of(&self, id: TaskId) -> Activation {
        self.task(self.root_of(id)).activation
    }
}
