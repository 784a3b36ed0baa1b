//! How long responses can be at most, as far as a search is told.

use crate::job::Source;
use crate::observations::Observations;
use vorrang_model::system::{Requirement, RequirementKind};
use vorrang_time::Duration;

/// What no response exceeds, as others have proven: where one as long as that was seen, there is nothing to be found
/// any more. Without any, a search goes on to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ceilings {
    /// By task; `None`, or of one that is not there: none is known.
    pub tasks: Vec<Option<Duration>>,
    /// By interrupt.
    pub interrupts: Vec<Option<Duration>>,
}

impl Ceilings {
    /// Whether no history shows a longer response of a task or interrupt than was seen.
    pub(crate) fn is_reached(&self, source: Source, seen: &Observations) -> bool {
        let (known, worst) = match source {
            Source::Task(id) => (self.tasks.get(id.0), &seen.tasks[id.0]),
            Source::Interrupt(id) => (self.interrupts.get(id.0), &seen.interrupts[id.0]),
        };
        let known = known.copied().flatten();
        known.zip(worst.as_ref()).is_some_and(|(known, worst)| worst.response >= known)
    }

    /// Whether a requirement is neither known to hold nor seen broken; one with a probability is not broken by a
    /// history.
    pub(crate) fn leave_open(&self, requirement: &Requirement, seen: &Observations) -> bool {
        let (known, worst) = match requirement.kind {
            RequirementKind::Deadline(id) => (self.tasks.get(id.0), &seen.tasks[id.0]),
            RequirementKind::HandledWithin(id) => {
                (self.interrupts.get(id.0), &seen.interrupts[id.0])
            }
        };
        let holds = known.copied().flatten().is_some_and(|known| known <= requirement.limit);
        let is_broken = worst.as_ref().is_some_and(|worst| worst.response > requirement.limit);
        requirement.probability.is_none() && !holds && !is_broken
    }

    /// Whether that is so of all of these.
    pub(crate) fn are_reached(&self, sources: &[Source], seen: &Observations) -> bool {
        sources.iter().all(|&source| self.is_reached(source, seen))
    }
}
