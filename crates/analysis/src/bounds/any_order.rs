//! The members of a supply that take turns in an order of which nothing is known: by virtual times, whose spread is not bounded.
//!
//! **Model.** Something is served while any member is ready. So each member has what all others leave, whichever is served first: each is
//! as one of several equal priorities, a share as a server without a budget.
//!
//! **Assumptions.** 1. What switches and ends of turns take is off the supply already. 2. Those of docs/theory/levels.md.
//!
//! Theory: docs/theory/any-order.md.

use super::slices::keep_the_lesser;
use super::without_budget::BesideEquals;
use super::{Fold, Node};
use crate::core::{in_levels, used_by};
use crate::demand::{Load, Loads};
use crate::feature::SchedulingFeature;
use crate::finding::Form;
use crate::ground::{Effort, Reason};
use crate::request::{Competitor, Ranked, with_ranked};
use crate::supply::{Residual, Sooner, Supply as _};
use crate::turns::Cycles;
use vorrang_model::system::{Member, Scheduler, Supply};
use vorrang_time::Duration;

/// The members of a supply, with what they take, and what is asked for in those that are shares.
struct Members<'a> {
    all: &'a [Ranked<'a>],
    inside: &'a [Option<Vec<Load<'a>>>],
    loads: &'a [Load<'a>],
}

impl Fold<'_> {
    pub(super) fn any_order(&mut self, node: Node<'_>, effort: &Effort) {
        let members = &self.system.supply(node.id).members;
        let node = Node { form: Form::AnyOrder, ..node };
        if let Err(reason) = self.in_some_order(node, members, effort) {
            self.give_up_on(members, node.form, &reason);
        }
    }

    fn in_some_order(
        &mut self,
        node: Node<'_>,
        members: &[Member],
        effort: &Effort,
    ) -> Result<(), Reason> {
        let all = self.arrivals.ranked(node.id, members)?;
        let inside = in_levels(&self.arrivals, &all)?;
        let mut loads = with_ranked(Vec::new(), &all);
        used_by(&mut loads, &inside);
        let of = Members { all: &all, inside: &inside, loads: &loads };
        let cycles = self.cycles(node, &of, effort);
        // With all of it wanted, no window ends in which nothing is known of the order.
        let is_overloaded = Loads::new(&loads).rate_floor() >= node.supply.rate_ceil();
        if is_overloaded && cycles.is_none() {
            let Supply { name, scheduler, .. } = self.system.supply(node.id);
            let (supply, scheduler) = (name.clone(), *scheduler);
            return Err(Reason::not_covered(SchedulingFeature::Scheduler { supply, scheduler }));
        }
        for (place, Ranked { who, .. }) in all.iter().enumerate() {
            let &Competitor::Member(member) = who else { continue };
            effort.restart(members.len());
            match &cycles {
                None => self.behind_all_others(node, (member, place), &of, effort),
                Some(cycles) => {
                    self.in_cycles(node, (member, place), (&of, cycles, is_overloaded), effort);
                }
            }
            if loads.iter().any(Load::is_unlimited) {
                self.rests_on_work(member);
            }
        }
        Ok(())
    }

    /// The cycles of virtual-time round-robin, where they bound something.
    fn cycles<'a>(&self, node: Node<'_>, of: &Members<'a>, effort: &Effort) -> Option<Cycles<'a>> {
        let described = self.system.supply(node.id);
        if described.scheduler != Scheduler::Vtrr || node.cold.is_some() {
            return None;
        }
        let (arrivals, machine) = (&self.arrivals, node.machine);
        let cycles = Cycles::new(arrivals, described, of.all, of.inside, machine)?;
        Some(cycles.one_at_a_time(arrivals, node.supply, effort))
    }

    fn behind_all_others(
        &mut self,
        node: Node<'_>,
        (member, place): (Member, usize),
        of: &Members<'_>,
        effort: &Effort,
    ) {
        let others = Loads::without(of.loads, place);
        match member {
            Member::Task(id) => self.task_with_turns(node, id, others, effort),
            Member::Server(id) => {
                let left = Residual::new(node.supply, others, effort);
                let all = Residual::new(node.supply, Loads::new(of.loads), effort);
                let equals = BesideEquals { own: &of.loads[place], left: all };
                self.level_of(node, id, (left, Some(equals)), effort);
            }
        }
    }

    /// By its turns in each cycle, or behind all others where that is sooner.
    fn in_cycles(
        &mut self,
        node: Node<'_>,
        (member, place): (Member, usize),
        (of, cycles, is_overloaded): (&Members<'_>, &Cycles<'_>, bool),
        effort: &Effort,
    ) {
        let wakes = cycles.wakes_beside(place);
        let left = Residual::new(node.supply, Loads::new(&wakes), effort);
        let provided = match cycles.provided(place, &left) {
            Ok(provided) => provided,
            Err(_) if !is_overloaded => {
                return self.behind_all_others(node, (member, place), of, effort);
            }
            Err(error) => {
                let reason = self.why.no_bound(node.id, error);
                return self.give_up_on(&[member], Form::Cycles, &reason);
            }
        };
        match member {
            Member::Task(id) => {
                let mut behind = None;
                if !is_overloaded {
                    self.behind_all_others(node, (member, place), of, effort);
                    behind = self.tasks[id.0].take();
                    effort.restart(of.all.len());
                }
                let by_cycles = Node { supply: &provided, form: Form::Cycles, ..node };
                self.task_with_turns(by_cycles, id, Loads::new(&[]), effort);
                keep_the_lesser(&mut self.tasks[id.0], behind);
            }
            // Of which all is wanted has no window that ends.
            Member::Server(id) if is_overloaded => {
                self.members_of(node, id, &provided, Form::Cycles, effort);
            }
            Member::Server(id) => {
                let others = Loads::without(of.loads, place);
                let behind = Residual::new(node.supply, others, effort);
                let all = Residual::new(node.supply, Loads::new(of.loads), effort);
                let own = &of.loads[place];
                let earlier = all.time_for(Duration::RESOLUTION).and_then(|all| own.in_window(all));
                match earlier {
                    Ok(earlier) => {
                        let behind = behind.after_own(earlier);
                        let sooner = Sooner::of(&behind, &provided);
                        self.members_of(node, id, &sooner, Form::AnyOrder, effort);
                    }
                    Err(_) => self.members_of(node, id, &provided, Form::Cycles, effort),
                }
            }
        }
    }
}
