//! The limits of a task that it must keep with a probability, by the theorem of `fixed_priority/exceedance.rs`.

use super::found::{Seldom, task_of};
use super::{Fold, Node};
use crate::bounds::assumed::{assumptions, no_own_storm};
use crate::finding::{Finding, Local, Method};
use crate::fixed_priority::{Exceedance, ExceedanceLevel, NoExceedance};
use crate::ground::Assumption;
use crate::ground::Effort;
use crate::ground::{Reason, Unreserved};
use vorrang_model::system::{Activation, TaskId};

impl Fold<'_> {
    /// For each limit that a task must keep with a probability: how often it does not, at most.
    pub(super) fn seldom_later(
        &mut self,
        node: Node<'_>,
        level: &ExceedanceLevel<'_>,
        effort: &Effort,
    ) {
        let (system, task) = (self.system, level.task);
        let asked = system.requirements.iter().filter(|required| {
            required.probability.is_some() && task_of(system, required.kind) == Some(task)
        });
        for limit in asked.map(|required| required.limit) {
            let method = Method { local: Local::Thresholds, form: node.form };
            let finding = match level.exceedance(limit, effort) {
                Err(why) => Finding::none(method, self.no_exceedance(node, task, why)),
                Ok(Exceedance { later, derivation }) => {
                    let assumptions = self.assumed_of_levels(node, task, method);
                    Finding { derivation, ..Finding::proven(later, assumptions, method) }
                }
            };
            self.seldom[task.0].push(Seldom { limit, finding });
        }
    }

    fn assumed_of_levels(&self, node: Node<'_>, task: TaskId, method: Method) -> Vec<Assumption> {
        let mut assumed = assumptions(self.system, node.id, method);
        assumed.push(Assumption::Independence);
        if let Activation::Interrupt(id) = self.system.task(task).activation {
            assumed.extend(no_own_storm(self.system, self.system.interrupt(id)));
        }
        assumed.sort_unstable();
        assumed
    }

    fn no_exceedance(&self, node: Node<'_>, task: TaskId, why: NoExceedance) -> Reason {
        let unknown =
            |why| Reason::NoReservation { what: self.system.task(task).name.clone(), why };
        match why {
            NoExceedance::Packets => unknown(Unreserved::Packets),
            NoExceedance::TooManyJobs => unknown(Unreserved::TooManyJobs),
            NoExceedance::NoBound(why) => self.why.no_bound(node.id, why),
        }
    }
}
