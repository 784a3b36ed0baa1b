//! What of a history counts against requirements.

use crate::observer::Source;
use vorrang_model::system::{InterruptId, System, TaskId};

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
    /// Whether what is observed of a task or interrupt counts against its requirements.
    pub fn counts(&self, system: &System, source: Source) -> bool {
        let misbehaves = |&storm: &InterruptId| match source {
            Source::Interrupt(id) => id == storm,
            Source::Task(id) => system.interrupt(storm).wakes == Some(id),
        };
        self.blocked.is_none_or(|task| source == Source::Task(task))
            && !self.storms.iter().any(misbehaves)
    }
}
