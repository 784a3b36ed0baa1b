//! The guest of a server that keeps its budget, once more: bounds from an idle guest on, where they are less.
//!
//! Theory: docs/theory/idle-start.md.

use super::first_come::{assume_first_come, rests_on_first_come};
use super::{Fold, Node};
use crate::core::is_plain;
use crate::coverage::ServerMember;
use crate::demand::{Load, Loads};
use crate::finding::{Finding, Form};
use crate::fixed_priority::{Guest, Place};
use crate::ground::Effort;
use crate::ground::Source;
use crate::interrupt::Routines;
use crate::request::{Competitor, with_ranked};
use crate::server_kind::{Idle, Returns, Sheet};
use crate::supply::{Kept, Parent, Residual, Supply};
use vorrang_model::system::{Member, SupplyId, TaskId};
use vorrang_time::Duration;

impl<'s> Fold<'s> {
    /// The members of a server that keeps its budget, with bounds already, once more.
    pub(super) fn begin_idle(
        &mut self,
        node: Node<'_>,
        ServerMember { id, server: reserved }: ServerMember<'_>,
        parent: &dyn Parent,
        (usual, form): (&dyn Supply, Form),
    ) {
        let idle = Sheet::of_server(reserved).idle;
        let keeps = matches!(idle, Idle::KeptInPeriod | Idle::Kept) && node.cold.is_none();
        if !keeps || !is_plain(&self.arrivals, id) {
            return;
        }
        let Ok(ranked) = self.arrivals.ranked(id, &self.system.supply(id).members) else { return };
        let asked: Vec<Option<Vec<Load<'_>>>> =
            ranked.iter().map(|own| self.asked_by(own.who)).collect();
        let mut loads = with_ranked(Vec::new(), &ranked);
        for (load, asked) in loads.iter_mut().zip(&asked) {
            load.used_by = asked.as_deref();
        }
        let Some(effort) = self.refinements.as_ref().map(Effort::another) else { return };
        let server = Kept {
            of: Source::Server(id),
            parent,
            budget: reserved.budget,
            period: reserved.period,
            is_deferrable: idle == Idle::KeptInPeriod,
        };
        let catches_up: Vec<bool> = ranked.iter().map(|own| self.catches_up(own.who)).collect();
        let guest = Guest {
            system: self.system,
            server,
            usual,
            ranked: &ranked,
            loads: &loads,
            catches_up: &catches_up,
            effort: &effort,
        };
        let tasks = self.tasks_in(id);
        let rests = tasks.iter().any(|task| rests_on_first_come(self.tasks[task.0].as_ref()));
        let known = |task: TaskId| self.tasks[task.0].as_ref()?.bound();
        let responses = guest.responses(&known);
        for (place, own) in ranked.iter().enumerate() {
            let Competitor::Member(member) = own.who else { continue };
            let Some(bounds) = guest.place(place, &responses) else { continue };
            match member {
                Member::Task(task) => {
                    self.task_from_idle((id, form, &guest), (place, task), &bounds);
                }
                Member::Server(inner) => {
                    self.server_from_idle((id, form, &guest), (place, inner), &bounds);
                }
            }
            if asked.iter().any(Option::is_some) {
                self.rests_on_work(member);
            }
        }
        for task in tasks.into_iter().filter(|_| rests) {
            assume_first_come(&mut self.tasks[task.0]);
        }
    }

    /// Whether a member is a sporadic server that is not guaranteed its budget.
    fn catches_up(&self, who: Competitor) -> bool {
        let Competitor::Member(Member::Server(inner)) = who else { return false };
        let is_guaranteed = matches!(self.guaranteed[inner.0], Some(Ok(_)));
        let sheet = Sheet::of_supply(self.system, inner);
        sheet.is_some_and(|sheet| sheet.returns == Returns::InPieces) && !is_guaranteed
    }

    /// What a member of the guest is used for. A section in it delays more of its tasks than the one that it holds up.
    fn asked_by(&self, who: Competitor) -> Option<Vec<Load<'s>>> {
        let Competitor::Member(member) = who else { return None };
        let Member::Server(inner) = member else { return None };
        let in_it = self.tasks_in(inner);
        let has_sections =
            in_it.iter().any(|&task| !self.system.blocking(Member::Task(task)).is_zero());
        if has_sections { None } else { self.asked_in_member(member) }
    }

    fn task_from_idle(
        &mut self,
        (id, form, guest): (SupplyId, Form, &Guest<'_>),
        (place, task): (usize, TaskId),
        bounds: &Place<'_>,
    ) {
        let known = self.tasks[task.0].as_ref().and_then(Finding::bound);
        let found = guest.response((place, task), bounds);
        if known.is_none_or(|known| found.is_ok_and(|found| found >= known)) || found.is_err() {
            return;
        }
        guest.with_supply(place, bounds, |supply| {
            let node = node(id, form, supply);
            let (own, nothing) = (guest.loads[place], Loads::new(&[]));
            let effort = guest.effort;
            effort.restart(guest.ranked.len());
            self.fixed_priority_task(node, task, (&own, None), (Duration::ZERO, nothing), effort);
        });
    }

    /// A server in the guest, and what is in it, unless something of it had a lesser bound before.
    fn server_from_idle(
        &mut self,
        (id, form, guest): (SupplyId, Form, &Guest<'_>),
        (place, inner): (usize, SupplyId),
        bounds: &Place<'_>,
    ) {
        if !matches!(self.guaranteed[inner.0], Some(Ok(_))) {
            return;
        }
        let Some(own) = self.server_member(inner, form) else { return };
        let (tasks, guaranteed) = (self.tasks_in(inner), self.guaranteed[inner.0].clone());
        let before: Vec<Option<Finding>> =
            tasks.iter().map(|task| self.tasks[task.0].clone()).collect();
        guest.with_supply(place, bounds, |supply| {
            let blocking = self.system.blocking(Member::Server(inner));
            let level = Residual::new(supply, Loads::new(&[]), guest.effort).blocked(blocking);
            let level = (level, guest.ranked, place);
            guest.effort.restart(guest.ranked.len());
            self.fixed_priority_server(node(id, form, supply), own, level, guest.effort);
        });
        let bound = |finding: &Option<Finding>| finding.as_ref().and_then(Finding::bound);
        let is_less = tasks.iter().zip(&before).all(|(task, before)| {
            let (now, before) = (bound(&self.tasks[task.0]), bound(before));
            before.is_none_or(|before| now.is_some_and(|now| now <= before))
        });
        if !is_less {
            for (task, finding) in tasks.iter().zip(before) {
                self.tasks[task.0] = finding;
            }
            self.guaranteed[inner.0] = guaranteed;
        }
    }

    /// All tasks in a server and in those in it.
    pub(super) fn tasks_in(&self, id: SupplyId) -> Vec<TaskId> {
        let mut found = Vec::new();
        for &member in &self.system.supply(id).members {
            match member {
                Member::Task(task) => found.push(task),
                Member::Server(inner) => found.extend(self.tasks_in(inner)),
            }
        }
        found
    }
}

/// The guest with what one of its members has.
fn node(id: SupplyId, form: Form, supply: &dyn Supply) -> Node<'_> {
    Node { id, supply, form, routines: Routines::NONE, machine: None, cold: None, bare_core: false }
}
