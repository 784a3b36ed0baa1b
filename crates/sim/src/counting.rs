//! What of a history means anything, and what counts against requirements.

use crate::observer::Source;
use vorrang_model::system::{Activation, InterruptId, System, TaskId};

/// Whose observations mean anything: a section that blocks belongs to one task, and who misbehaves
/// is promised nothing.
#[derive(Clone, Debug, Default)]
pub struct Counting {
    /// The one task that is held up; `None`: nobody is.
    pub blocked: Option<TaskId>,
    /// The interrupts that misbehave.
    pub storms: Vec<InterruptId>,
}

impl Counting {
    /// Whether what is observed of a task or interrupt means anything: that a task is held up does
    /// for the task and for the interrupt that it handles.
    pub fn is_kept(&self, system: &System, source: Source) -> bool {
        self.blocked.is_none_or(|task| match source {
            Source::Task(id) => id == task,
            Source::Interrupt(id) => system.task(task).activation == Activation::Interrupt(id),
        })
    }

    /// Whether it counts against its requirements.
    pub fn counts(&self, system: &System, source: Source) -> bool {
        let misbehaves = |&storm: &InterruptId| match source {
            Source::Interrupt(id) => id == storm,
            Source::Task(id) => system.interrupt(storm).wakes == Some(id),
        };
        self.is_kept(system, source) && !self.storms.iter().any(misbehaves)
    }
}
