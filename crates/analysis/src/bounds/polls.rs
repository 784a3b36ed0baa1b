//! Work without an end: it has no response, and what waits for it has none either.
//!
//! What polls is counted as a task whose only job takes [`Task::ENDLESS`], once in that time. Up to then no schedule
//! differs from that of a job without an end. So a bound below it holds, and one that is not has waited for that job.
//!
//! Theory: docs/theory/polling-threads.md.

use super::Fold;
use crate::feature::SchedulingFeature;
use crate::finding::{Finding, Form, Local, Method};
use crate::ground::{NoBound, Reason};
use vorrang_model::system::{SupplyId, Task, TaskId};

impl Fold<'_> {
    /// Takes back what is no bound where something polls.
    pub(super) fn endless_work(&mut self) {
        let system = self.system;
        if !system.tasks.iter().any(|task| task.polls) {
            return;
        }
        for id in system.task_ids() {
            let task = system.task(id);
            if task.polls {
                self.has_no_response(id);
            } else if is_endless(self.tasks[id.0].as_ref()) {
                let finding = self.waits_for_ever(task.on);
                self.record_task(id, finding);
            }
        }
        for id in system.interrupt_ids() {
            if is_endless(self.interrupts[id.0].as_ref()) {
                self.interrupts[id.0] = Some(self.waits_for_ever(system.interrupt(id).on));
            }
        }
    }

    fn has_no_response(&mut self, id: TaskId) {
        let what = SchedulingFeature::Polls { task: self.system.task(id).name.clone() };
        let method = Method { local: Local::NotCovered, form: Form::Core };
        self.record_task(id, Finding::none(method, Reason::not_covered(what)));
    }

    fn waits_for_ever(&self, on: SupplyId) -> Finding {
        let method = Method { local: Local::NotCovered, form: Form::Core };
        Finding::none(method, self.why.no_bound(on, NoBound::Overload))
    }
}

/// Whether it has waited for a job that never ends.
fn is_endless(found: Option<&Finding>) -> bool {
    found.and_then(Finding::bound).is_some_and(|bound| bound >= Task::ENDLESS)
}
