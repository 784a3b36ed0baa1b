//! Jobs that have begun and are not interrupted, by the page of the model alone.
//!
//! **Model.** "Tasks that are not preempted" in `docs/model.md`: a job has begun when it has received time.

use super::competitor::Competitor;
use super::event::Event;
use vorrang_model::system::{SupplyId, System, TaskId};
use vorrang_sim::{Running, Source};
use vorrang_time::Instant;

/// By supply: the task whose job has begun and is not interrupted.
pub(super) struct Begun(Vec<Option<TaskId>>);

impl Begun {
    pub(super) fn new(system: &System) -> Self {
        Self(vec![None; system.supplies.len()])
    }

    /// Takes over an event, before which `runs` has run since `since` or longer.
    pub(super) fn hear(&mut self, event: &Event, system: &System, runs: Running, since: Instant) {
        if let Running::Task(id) = runs
            && since < event.at()
            && system.keeps(id)
        {
            self.0[system.task(id).on.0] = Some(id);
        }
        if let Event::Completed(job, _) = *event
            && let Source::Task(id) = job.source
        {
            self.0[system.task(id).on.0].take_if(|own| *own == id);
        }
    }

    /// What keeps the time of a supply from the others that are scheduled by priority.
    pub(super) fn on(&self, on: SupplyId) -> Option<Competitor> {
        self.0[on.0].map(Competitor::Task)
    }
}
