//! What sources are called: the only reader of names.

use crate::ground::Source;
use vorrang_model::system::{Member, SupplyId, System, TaskId};

/// The names of a system.
pub(super) struct Names<'s>(pub(super) &'s System);

impl<'s> Names<'s> {
    pub(super) fn system(&self) -> &'s System {
        self.0
    }

    pub(super) fn task(&self, id: TaskId) -> &'s str {
        &self.0.task(id).name
    }

    pub(super) fn supply(&self, id: SupplyId) -> &'s str {
        &self.0.supply(id).name
    }

    fn member(&self, member: Member) -> &'s str {
        match member {
            Member::Task(id) => self.task(id),
            Member::Server(id) => self.supply(id),
        }
    }

    /// Of anything that takes time.
    pub(super) fn of(&self, source: Source) -> String {
        let system = self.0;
        match source {
            Source::Task(id) => self.task(id).to_owned(),
            Source::Server(id) => self.supply(id).to_owned(),
            Source::Interrupt(id) => system.interrupt(id).name.clone(),
            Source::PseudoVcpu(id) => format!("pseudo-VCPU of {}", system.interrupt(id).name),
            Source::Timer(id) => system.timer(id).name.clone(),
            Source::Callbacks(id) => format!("callbacks of {}", system.timer(id).name),
            Source::Returns(id) => format!("returns of {}", self.supply(id)),
            Source::Ends(id) => format!("ends of {}", self.supply(id)),
            Source::Scheduling(member) => {
                format!("calls and switches for {}", self.member(member))
            }
            Source::SchedulingOfPseudoVcpu(id) => {
                let name = &system.interrupt(id).name;
                format!("calls and switches for the pseudo-VCPU of {name}")
            }
            Source::SliceEnds(id) => {
                format!("calls and switches at ends of slices on {}", self.supply(id))
            }
            Source::Unnamed => String::new(),
        }
    }
}
