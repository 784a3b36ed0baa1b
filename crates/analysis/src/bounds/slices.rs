//! Members of the same priority where some of them take turns of a slice: of the supply's, or of their own budget.
//!
//! Theory: docs/theory/slices.md.

use super::{Fold, Node};
use crate::core::is_plain_task;
use crate::demand::{Load, Loads, task_anywhere};
use crate::finding::{Finding, Form};
use crate::ground::Assumption;
use crate::ground::left_behind;
use crate::overhead::CoreInterference;
use crate::request::{Competitor, Ranked};
use crate::server_kind::{Returns, Sheet};
use crate::supply::{Slices, Visited};
use vorrang_model::system::{Member, SupplyId, TaskId};
use vorrang_time::Duration;

/// How often members are looked at again with what is known of the others since.
const ROUNDS: usize = 2;

impl<'s> Fold<'s> {
    /// The members of one priority, each once more by turns of slices, if there are any; `urgent` comes before all.
    pub(super) fn take_slices(
        &mut self,
        node: Node<'_>,
        ranked: &[Ranked<'_>],
        (urgent, own): (&[Load<'_>], &[Load<'_>]),
    ) {
        let takes_nothing = node.machine.is_none_or(CoreInterference::is_idle);
        let has_slices = ranked.iter().any(|own| self.slice_of(node.id, own.who).is_some());
        if ranked.len() < 2 || !has_slices || !takes_nothing || node.cold.is_some() {
            return;
        }
        let effort = self.refinements.as_ref().unwrap_or(&self.effort).another();
        let rounds = if self.refinements.is_some() { ROUNDS } else { 1 };
        for place in (0..rounds).flat_map(|_| 0..ranked.len()) {
            let Competitor::Member(member) = ranked[place].who else { continue };
            let others = ranked.iter().zip(own).enumerate().filter(|(other, _)| *other != place);
            let others =
                others.map(|(_, (other, load))| self.visited((node.id, member), other.who, load));
            let Some(others) = others.collect::<Option<Vec<Visited<'_>>>>() else { continue };
            effort.restart(ranked.len());
            let slices = Slices {
                parent: node.supply,
                urgent: Loads::new(urgent),
                blocking: node.before(self.system, member).blocking,
                own: self.slice_of(node.id, ranked[place].who),
                equals: &others,
                effort: &effort,
            };
            match member {
                Member::Task(task) => self.task_with_slices(node, (task, &own[place]), slices),
                Member::Server(server) => self.server_with_slices(node, server, slices),
            }
            let is_server =
                |own: &Ranked<'_>| matches!(own.who, Competitor::Member(Member::Server(_)));
            if urgent.iter().any(|load| load.used_by.is_some()) || ranked.iter().any(is_server) {
                self.rests_on_work(member);
            }
        }
    }

    /// The slice after which a member goes behind its equals; none: it has none, or it is not known here.
    fn slice_of(&self, on: SupplyId, who: Competitor) -> Option<Duration> {
        let Competitor::Member(member) = who else { return None };
        if let Member::Server(id) = member
            && let Some(server) = self.system.supply(id).server().filter(|own| own.is_round_robin())
        {
            return Some(server.budget - left_behind(server));
        }
        self.system.supply(on).time_slice
    }

    /// What another member of the priority takes beside `own`; none if nothing bounds that. A longer section that delays
    /// `own` delays it, too, and then the response times of its tasks do not hold.
    fn visited(
        &self,
        (on, own): (SupplyId, Member),
        who: Competitor,
        load: &Load<'_>,
    ) -> Option<Visited<'s>> {
        let Competitor::Member(member) = who else { return None };
        let slice = match member {
            Member::Server(id) if self.is_round_robin(id) => {
                self.system.supply(id).server()?.budget.into()
            }
            _ => self.system.supply(on).time_slice,
        };
        let is_delayed = self.system.blocking(member) < self.system.blocking(own);
        let refines = self.refinements.is_some() && !is_delayed;
        let found = match member {
            Member::Task(task) if refines && self.is_plain_sporadic(task) => {
                let bound = self.tasks[task.0].as_ref().and_then(Finding::bound);
                let one = bound.filter(|bound| *bound <= load.arrivals.period).map(|_| load.cost);
                let visit =
                    slice.map_or(one, |slice| Some(one.map_or(slice, |one| one.min(slice))));
                let jobs = self.arrivals.load_of(member).ok()?;
                let work = bound.map(|bound| vec![task_anywhere(self.system, task, jobs, bound)]);
                Visited { visit, work }
            }
            Member::Server(id) if refines => Visited {
                visit: slice,
                work: self.asked_in(id).or_else(|| self.budgets_anywhere(id)),
            },
            _ => Visited { visit: slice, work: None },
        };
        (found.visit.is_some() || found.work.is_some()).then_some(found)
    }

    fn is_plain_sporadic(&self, task: TaskId) -> bool {
        is_plain_task(&self.arrivals, task) && self.arrivals.woken(task).is_none()
    }

    /// The budgets of a server in windows that begin anywhere: a period more than in those that begin idle. One whose units return
    /// a period after they could have been used has more of them in a row if it is not guaranteed its budget.
    fn budgets_anywhere(&self, id: SupplyId) -> Option<Vec<Load<'s>>> {
        let server = self.system.supply(id).server()?;
        let is_bounded = match Sheet::of_server(server).returns {
            Returns::WithPeriods => true,
            Returns::InPieces | Returns::InRefills => {
                let is_guaranteed = matches!(self.guaranteed[id.0], Some(Ok(_)));
                !server.is_round_robin() && is_guaranteed
            }
            Returns::AtDeadlines
            | Returns::WhenGone
            | Returns::InPlace
            | Returns::Never
            | Returns::NotCovered => false,
        };
        let load = self.arrivals.load_of(Member::Server(id)).ok().filter(|_| is_bounded)?;
        Some(vec![load.anywhere(server.period)])
    }

    pub(super) fn is_round_robin(&self, id: SupplyId) -> bool {
        self.system.supply(id).server().is_some_and(vorrang_model::system::Server::is_round_robin)
    }

    fn task_with_slices(
        &mut self,
        node: Node<'_>,
        (task, own): (TaskId, &Load<'_>),
        slices: Slices<'_>,
    ) {
        if !self.is_plain_sporadic(task) {
            return;
        }
        let before = self.tasks[task.0].clone();
        let (section, nothing) = (slices.blocking, Loads::new(&[]));
        let supply = Slices { blocking: Duration::ZERO, ..slices };
        let node = Node { supply: &supply, form: Form::Turns, ..node };
        self.fixed_priority_task(node, task, (own, None), (section, nothing), slices.effort);
        self.keep_the_lesser(&[task], vec![before]);
        self.assume_exact_slices(node.id, task);
    }

    /// A server whose budget is its slice, and what is in it.
    fn server_with_slices(&mut self, node: Node<'_>, id: SupplyId, slices: Slices<'_>) {
        if !self.is_round_robin(id) {
            return;
        }
        let tasks = self.tasks_in(id);
        let before: Vec<Option<Finding>> =
            tasks.iter().map(|task| self.tasks[task.0].clone()).collect();
        let interrupts = self.interrupts.clone();
        let guaranteed = self.guaranteed[id.0].clone();
        let blocking = slices.blocking + self.system.blocking(Member::Server(id));
        let supply = Slices { blocking, ..slices };
        self.forget(id);
        self.guaranteed[id.0] = guaranteed;
        self.members_of(node, id, &supply, Form::Turns, slices.effort);
        self.keep_the_lesser(&tasks, before);
        for (found, before) in self.interrupts.iter_mut().zip(interrupts) {
            keep_the_lesser(found, before);
        }
    }

    /// Of what was found twice of tasks, the lesser bound.
    fn keep_the_lesser(&mut self, tasks: &[TaskId], before: Vec<Option<Finding>>) {
        for (task, before) in tasks.iter().zip(before) {
            keep_the_lesser(&mut self.tasks[task.0], before);
        }
    }

    /// A bound by turns takes for granted that slices are exact, unless they are budgets.
    fn assume_exact_slices(&mut self, on: SupplyId, task: TaskId) {
        let Some(Ok(proof)) = self.tasks[task.0].as_mut().map(|finding| {
            let by_turns = finding.method.form == Form::Turns;
            finding
                .found
                .as_mut()
                .map_err(|_| ())
                .and_then(|proof| by_turns.then_some(proof).ok_or(()))
        }) else {
            return;
        };
        if self.system.supply(on).time_slice.is_some()
            && !proof.assumptions.contains(&Assumption::ExactSlices)
        {
            proof.assumptions.push(Assumption::ExactSlices);
            proof.assumptions.sort_unstable();
        }
    }
}

/// Of what was found twice, the lesser bound.
pub(super) fn keep_the_lesser(found: &mut Option<Finding>, before: Option<Finding>) {
    let bound = |finding: &Option<Finding>| finding.as_ref().and_then(Finding::bound);
    let is_less = match (bound(found), bound(&before)) {
        (Some(found), Some(before)) => found < before,
        (found, None) => found.is_some() || before.is_none(),
        (None, Some(_)) => false,
    };
    if !is_less {
        *found = before;
    }
}
