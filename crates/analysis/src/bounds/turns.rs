//! The members of a supply that take turns in a ring: round-robin, plain and weighted.

use super::{Fold, Node};
use crate::demand::Loads;
use crate::finding::{Finding, Form, Local, Method};
use crate::ground::{Effort, NoBound};
use crate::overhead::{ColdStarts, loss_of_server};
use crate::supply::Turns;
use crate::turns::Ring;
use vorrang_model::system::{Member, SupplyId, TaskId};
use vorrang_time::Duration;

impl Fold<'_> {
    pub(super) fn turns(&mut self, node: Node<'_>, effort: &Effort) {
        let system = self.system;
        let described = system.supply(node.id);
        let Some(mut ring) = Ring::new(system, (node.supply, node.machine), described) else {
            let reason = self.why.no_bound(node.id, NoBound::TooLong);
            return self.give_up_below(node.id, Form::Turns, &reason);
        };
        if node.cold.is_none() {
            ring = ring.shortened(&self.arrivals, &described.members, effort);
        }
        for (index, &member) in described.members.iter().enumerate() {
            let provided = match ring.provided(index) {
                Ok(provided) => provided,
                Err(error) => {
                    let reason = self.why.no_bound(node.id, error);
                    self.give_up_on(&[member], Form::Turns, &reason);
                    continue;
                }
            };
            effort.restart(described.members.len());
            match member {
                Member::Task(id) => {
                    let node = Node { supply: &provided, form: Form::Turns, ..node };
                    let nothing = Loads::new(&[]);
                    self.in_cold_guest(node, effort, |fold, node| {
                        fold.task_with_turns(node, id, nothing, effort);
                    });
                }
                Member::Server(id) => self.share(node, id, &provided, effort),
            }
        }
    }

    /// A share of turns. What the visits of one context lose to a cold cache is taken off them; of servers in it, and of contexts that
    /// interrupt each other within a visit, wherever there is work.
    fn share(&mut self, node: Node<'_>, id: SupplyId, provided: &Turns<'_>, effort: &Effort) {
        let loss = loss_of_server(self.system, id);
        let is_one_context = self.system.supply(id).vm.is_some();
        let machine = node.machine.filter(|_| is_one_context && !loss.is_zero());
        match machine.and_then(|machine| machine.cold_starts(id, loss)) {
            Some(ColdStarts { at_first, inside, .. }) => {
                self.members(id, provided, Form::Turns, Some((at_first, &inside)), effort);
            }
            None => self.members_of(node, id, provided, Form::Turns, effort),
        }
    }

    /// A task that has the time of `node`, less what comes before.
    pub(super) fn task_with_turns(
        &mut self,
        node: Node<'_>,
        id: TaskId,
        before: Loads<'_>,
        effort: &Effort,
    ) {
        let before = (Duration::ZERO, before);
        match self.arrivals.woken(id) {
            None => {
                let own = self.arrivals.jobs[id.0];
                self.fixed_priority_task(node, id, (&own, None), before, effort);
            }
            Some(Ok((interrupt, requests))) => {
                self.woken_task(node, id, (interrupt, &requests), before, effort);
            }
            Some(Err(reason)) => {
                let method = Method { local: Local::FixedPriority, form: node.form };
                self.record_task(id, Finding::none(method, reason));
            }
        }
    }
}
