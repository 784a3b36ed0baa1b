//! The members of a supply that take turns in an order of which nothing is known: by virtual times, whose spread is not bounded.
//!
//! **Model.** Something is served while any member is ready. So each member has what all others leave, whichever is served first: each is
//! as one of several equal priorities, a share as a server without a budget.
//!
//! **Assumptions.** 1. What switches and ends of turns take is off the supply already. 2. Those of docs/theory/levels.md.
//!
//! Theory: docs/theory/any-order.md.

use super::without_budget::BesideEquals;
use super::{Fold, Node};
use crate::core::{in_levels, used_by};
use crate::demand::{Load, Loads};
use crate::feature::SchedulingFeature;
use crate::finding::Form;
use crate::ground::{Effort, Reason};
use crate::request::{Competitor, Ranked, with_ranked};
use crate::supply::Residual;
use vorrang_model::system::{Member, Supply};

impl Fold<'_> {
    pub(super) fn any_order(&mut self, node: Node<'_>, effort: &Effort) {
        let members = &self.system.supply(node.id).members;
        let node = Node { form: Form::AnyOrder, ..node };
        if let Err(reason) = self.behind_all_others(node, members, effort) {
            self.give_up_on(members, node.form, &reason);
        }
    }

    fn behind_all_others(
        &mut self,
        node: Node<'_>,
        members: &[Member],
        effort: &Effort,
    ) -> Result<(), Reason> {
        let all = self.arrivals.ranked(node.id, members)?;
        let inside = in_levels(&self.arrivals, &all)?;
        let mut loads = with_ranked(Vec::new(), &all);
        used_by(&mut loads, &inside);
        // With all of it wanted, no window ends in which nothing is known of the order.
        if Loads::new(&loads).rate_floor() >= node.supply.rate_ceil() {
            let Supply { name, scheduler, .. } = self.system.supply(node.id);
            let (supply, scheduler) = (name.clone(), *scheduler);
            return Err(Reason::not_covered(SchedulingFeature::Scheduler { supply, scheduler }));
        }
        for (place, Ranked { who, .. }) in all.iter().enumerate() {
            let &Competitor::Member(member) = who else { continue };
            effort.restart(members.len());
            let others = Loads::without(&loads, place);
            match member {
                Member::Task(id) => self.task_with_turns(node, id, others, effort),
                Member::Server(id) => {
                    let left = Residual::new(node.supply, others, effort);
                    let all = Residual::new(node.supply, Loads::new(&loads), effort);
                    let equals = BesideEquals { own: &loads[place], left: all };
                    self.level_of(node, id, (left, Some(equals)), effort);
                }
            }
            if loads.iter().any(Load::is_unlimited) {
                self.rests_on_work(member);
            }
        }
        Ok(())
    }
}
