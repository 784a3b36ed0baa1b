//! Paths of wake-ups from task to task.

use super::{Activation, System, TaskId};

impl System {
    /// What makes the source of a path of wake-ups arrive: that of the task itself, unless another one wakes it.
    pub fn source_of(&self, id: TaskId) -> Activation {
        let mut activation = self.task(id).activation;
        while let Activation::Task(by) = activation {
            activation = self.task(by).activation;
        }
        activation
    }
}
