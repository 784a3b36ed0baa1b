//! Of what it is kept how a bound comes about.
//!
//! **Cost.** A derivation may have a fact for everything on a core, so that all of them grow with the square of a
//! system: only what is asked for is kept.

use crate::ground::Source;
use vorrang_model::system::{RequirementKind, System};

/// Tasks and interrupts of which derivations are kept; at first of none.
#[derive(Clone, Debug, Default)]
pub(super) struct Derives {
    tasks: Vec<bool>,
    interrupts: Vec<bool>,
}

impl Derives {
    pub(super) fn everything(system: &System) -> Self {
        Self {
            tasks: vec![true; system.tasks.len()],
            interrupts: vec![true; system.interrupts.len()],
        }
    }

    /// What requirements of these kinds are about: an interrupt that wakes a task is handled by that.
    pub(super) fn of(system: &System, wanted: impl Iterator<Item = RequirementKind>) -> Self {
        let mut tasks = vec![false; system.tasks.len()];
        let mut interrupts = vec![false; system.interrupts.len()];
        for kind in wanted {
            match kind {
                RequirementKind::Deadline(task) => tasks[task.0] = true,
                RequirementKind::HandledWithin(id) => {
                    interrupts[id.0] = true;
                    if let Some(task) = system.interrupt(id).wakes {
                        tasks[task.0] = true;
                    }
                }
            }
        }
        Self { tasks, interrupts }
    }

    pub(super) fn keeps(&self, of: Source) -> bool {
        // What keeps a server from its budget is asked with any of them.
        let any = !self.tasks.is_empty() || !self.interrupts.is_empty();
        let kept = match of {
            Source::Server(_) => Some(&any),
            Source::Task(id) => self.tasks.get(id.0),
            Source::Interrupt(id) => self.interrupts.get(id.0),
            _ => None,
        };
        kept.copied().unwrap_or(false)
    }
}
