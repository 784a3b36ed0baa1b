//! The members of a supply that take turns in a ring: round-robin, plain and weighted.

use super::{Fold, Node};
use crate::demand::Loads;
use crate::finding::{Finding, Form, Local, Method};
use crate::ground::{Effort, NoBound};
use crate::turns::Ring;
use vorrang_model::system::{Member, TaskId};
use vorrang_time::Duration;

impl Fold<'_> {
    pub(super) fn turns(&mut self, node: Node<'_>, effort: &Effort) {
        let system = self.system;
        let described = system.supply(node.id);
        let Some(ring) = Ring::new(&self.arrivals, node.supply, described, effort) else {
            let reason = self.why.no_bound(node.id, NoBound::TooLong);
            return self.give_up_below(node.id, Form::Turns, &reason);
        };
        for (index, &member) in described.members.iter().enumerate() {
            let provided = ring.provided(index);
            effort.restart(described.members.len());
            match member {
                Member::Task(id) => {
                    let node = Node { supply: &provided, form: Form::Turns, ..node };
                    self.task_with_turns(node, id, effort);
                }
                Member::Server(id) => self.members_of(node, id, &provided, Form::Turns, effort),
            }
        }
    }

    fn task_with_turns(&mut self, node: Node<'_>, id: TaskId, effort: &Effort) {
        let no_less_urgent = (Duration::ZERO, Loads::new(&[]));
        match self.arrivals.woken(id) {
            None => {
                let own = self.arrivals.jobs[id.0];
                self.fixed_priority_task(node, id, (&own, None), no_less_urgent, effort);
            }
            Some(Ok((interrupt, requests))) => {
                self.woken_task(node, id, (interrupt, &requests), no_less_urgent, effort);
            }
            Some(Err(reason)) => {
                let method = Method { local: Local::FixedPriority, form: Form::Turns };
                self.record_task(id, Finding::none(method, reason));
            }
        }
    }
}
