//! The guest of a server that keeps its budget, once more: windows begin when the guest has nothing to do.
//!
//! **Model.** What is known after the first look says how long each job can have used budget; with that
//! [`IdleStart`] bounds every task, and every server in the guest, again. The lesser of both bounds counts.
//!
//! **Response times that rest on each other.** Let `F(R)` be the bounds of the tasks of the guest if all jobs respond within `R`. If
//! `F(R) <= R` then all do: the first job to exceed its `R` would do so in a window before which none did. Such an `R` is looked for from
//! the execution times up; where none is found soon, that of the first look is taken.
//!
//! **Assumptions.** 1. The bounds of the first look hold. 2. The tasks that are described are all work of the guest, but for what
//! holds them up.
//!
//! **Does not cover** guests with routines, pseudo-VCPUs, cold caches, sections, storms, or tasks that take packets: their
//! bounds stay as they are.
//!
//! Theory: docs/theory/idle-start.md.

use super::{Fold, Node};
use crate::arrival::Arrivals;
use crate::competitor::{Competitor, Ranked, equals, with_ranked};
use crate::demand::{Load, Loads, is_plain, task_anywhere};
use crate::effort::{Effort, NoBound};
use crate::finding::{Finding, Form};
use crate::fixed_priority;
use crate::source::Source;
use crate::supply::{Earlier, FixedPriorityServer, IdleStart, Kept, Residual, Supply};
use crate::tree::server_of;
use vorrang_model::system::{Member, ServerKind, SupplyId, TaskId};
use vorrang_time::Duration;

/// Rounds in which response times that rest on each other are looked for.
const ROUNDS: usize = 16;

/// A server that keeps its budget, and its guest.
pub(super) struct Guest<'a> {
    id: SupplyId,
    server: Kept<'a>,
    usual: &'a FixedPriorityServer<'a>,
    /// Its members, the most urgent first, and what they take in windows that begin when their level does.
    ranked: &'a [Ranked<'a>],
    loads: &'a [Load<'a>],
    effort: &'a Effort,
}

/// What bounds one member.
struct Place<'a> {
    /// What comes before it in windows that begin anywhere.
    anywhere: Vec<Load<'a>>,
    /// What else may have used budget; none if nothing bounds that.
    earlier: Option<Vec<(Duration, Load<'a>)>>,
    /// Of a task: from when on before a job of it an earlier one may have.
    own_from: Option<Duration>,
}

impl<'s> Fold<'s> {
    /// The members of a server that keeps its budget, with bounds already, once more.
    pub(super) fn begin_idle(
        &mut self,
        node: Node<'_>,
        id: SupplyId,
        level: Residual<'_>,
        usual: &FixedPriorityServer<'_>,
    ) {
        let own = server_of(self.system, id);
        let keeps = matches!(own.kind, ServerKind::Deferrable | ServerKind::Sporadic);
        if !keeps || node.cold.is_some() || !is_plain(&self.arrivals, id) {
            return;
        }
        let supply = self.system.supply(id);
        let Ok(ranked) = self.arrivals.ranked(id, &supply.members) else { return };
        let asked: Vec<Option<Vec<Load<'_>>>> =
            ranked.iter().map(|own| self.asked_by(own.who)).collect();
        let mut loads = with_ranked(Vec::new(), &ranked);
        for (load, asked) in loads.iter_mut().zip(&asked) {
            load.used_by = asked.as_deref();
        }
        let Some(effort) = self.refinements.as_ref().map(Effort::another) else { return };
        let server = Kept {
            of: Source::Server(id),
            level,
            budget: own.budget,
            period: own.period,
            is_deferrable: own.kind == ServerKind::Deferrable,
        };
        let guest = Guest { id, server, usual, ranked: &ranked, loads: &loads, effort: &effort };
        let responses = self.responses(&guest);
        for (place, own) in ranked.iter().enumerate() {
            let Competitor::Member(member) = own.who else { continue };
            let Some(bounds) = self.place(&guest, place, &responses) else { continue };
            match member {
                Member::Task(task) => self.task_from_idle(&guest, (place, task), &bounds),
                Member::Server(inner) => self.server_from_idle(&guest, (place, inner), &bounds),
            }
            if asked.iter().any(Option::is_some) {
                self.rests_on_work(member);
            }
        }
    }

    fn asked_by(&self, who: Competitor) -> Option<Vec<Load<'s>>> {
        match who {
            Competitor::Member(member) => self.asked_in_member(member),
            Competitor::PseudoVcpu(_) => None,
        }
    }

    /// By place: within what time every job of a task is complete; none where nothing bounds that, and of servers.
    fn responses(&self, guest: &Guest<'_>) -> Vec<Option<Duration>> {
        let task = |own: &Ranked<'_>| match own.who {
            Competitor::Member(Member::Task(task)) => Some(task),
            _ => None,
        };
        let known = |own: &Ranked<'_>| self.tasks[task(own)?.0].as_ref()?.bound();
        let first: Vec<Option<Duration>> = guest.ranked.iter().map(known).collect();
        let costs = first.iter().zip(guest.loads).map(|(known, own)| known.map(|_| own.cost));
        let mut responses: Vec<Option<Duration>> = costs.collect();
        for _ in 0..ROUNDS {
            let mut grows = false;
            for place in 0..first.len() {
                let (Some(known), Some(before)) = (first[place], responses[place]) else {
                    continue;
                };
                let Some(task) = task(&guest.ranked[place]) else { continue };
                let found = self.place(guest, place, &responses).map(|bounds| {
                    self.response_from_idle(guest, (place, task), &bounds).unwrap_or(known)
                });
                let now = found.unwrap_or(known).min(known).max(before);
                grows |= now > before;
                responses[place] = Some(now);
            }
            if !grows {
                return responses;
            }
        }
        first
    }

    /// What bounds one member, if jobs respond within `responses`; none if something more urgent has no bound.
    fn place<'g>(
        &self,
        guest: &'g Guest<'g>,
        place: usize,
        responses: &[Option<Duration>],
    ) -> Option<Place<'g>> {
        let until = place + equals(guest.ranked, place);
        let other = |other: usize| -> Option<Load<'g>> {
            let load = guest.loads[other];
            match guest.ranked[other].who {
                Competitor::Member(Member::Task(task)) => {
                    Some(task_anywhere(&self.arrivals, task, load, responses[other]?))
                }
                _ => Some(load.anywhere(load.arrivals.period)),
            }
        };
        let urgent = (0..until).filter(|&at| at != place).map(other);
        let urgent: Option<Vec<Load<'_>>> = urgent.collect();
        let own = match guest.ranked[place].who {
            Competitor::Member(Member::Task(task)) => {
                let late = responses[place]?.saturating_sub(guest.loads[place].arrivals.jitter);
                let own = task_anywhere(&self.arrivals, task, guest.loads[place], Duration::ZERO);
                let period = own.arrivals.period;
                let from = period.saturating_sub(late);
                let arrivals = Arrivals::new(period, late.saturating_sub(period));
                Some((from, Load { arrivals, ..own }))
            }
            _ => other(place).map(|own| (Duration::ZERO, own)),
        };
        let less = (until..guest.ranked.len()).map(|at| Some((Duration::ZERO, other(at)?)));
        let is_task = matches!(guest.ranked[place].who, Competitor::Member(Member::Task(_)));
        let own_from = own.filter(|_| is_task).map(|(from, _)| from);
        let earlier = less.chain([own]).collect();
        Some(Place { anywhere: urgent?, earlier, own_from })
    }

    fn task_from_idle(
        &mut self,
        guest: &Guest<'_>,
        (place, task): (usize, TaskId),
        bounds: &Place<'_>,
    ) {
        let known = self.tasks[task.0].as_ref().and_then(Finding::bound);
        let found = self.response_from_idle(guest, (place, task), bounds);
        if known.is_none_or(|known| found.is_ok_and(|found| found >= known)) || found.is_err() {
            return;
        }
        guest.with_supply(place, bounds, |supply| {
            let node = guest.node(supply);
            let (own, nothing) = (guest.loads[place], Loads::new(&[]));
            let effort = guest.effort;
            effort.restart(guest.ranked.len());
            self.fixed_priority_task(node, task, (&own, None), (Duration::ZERO, nothing), effort);
        });
    }

    fn response_from_idle(
        &self,
        guest: &Guest<'_>,
        (place, task): (usize, TaskId),
        bounds: &Place<'_>,
    ) -> Result<Duration, NoBound> {
        let blocking = self.system.task(task).blocking;
        guest.effort.restart(guest.ranked.len());
        guest.with_supply(place, bounds, |supply| {
            let (own, none) = (&guest.loads[place], Loads::new(&[]));
            let found = fixed_priority::response_time(supply, own, blocking, none, guest.effort);
            found.map(|response| response.bound)
        })
    }

    /// A server in the guest, and what is in it, unless something of it had a lesser bound before.
    fn server_from_idle(
        &mut self,
        guest: &Guest<'_>,
        (place, inner): (usize, SupplyId),
        bounds: &Place<'_>,
    ) {
        if !matches!(self.guaranteed[inner.0], Some(Ok(()))) {
            return;
        }
        let tasks = self.tasks_in(inner);
        let before: Vec<Option<Finding>> =
            tasks.iter().map(|task| self.tasks[task.0].clone()).collect();
        guest.with_supply(place, bounds, |supply| {
            let blocking = self.system.blocking(Member::Server(inner));
            let level = Residual::new(supply, Loads::new(&[]), guest.effort).blocked(blocking);
            let level = (level, guest.ranked, place);
            guest.effort.restart(guest.ranked.len());
            self.fixed_priority_server(guest.node(supply), inner, level, guest.effort);
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
            self.guaranteed[inner.0] = Some(Ok(()));
        }
    }

    /// All tasks in a server and in those in it.
    fn tasks_in(&self, id: SupplyId) -> Vec<TaskId> {
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

impl Guest<'_> {
    fn node<'a>(&self, supply: &'a dyn Supply) -> Node<'a> {
        Node {
            id: self.id,
            supply,
            form: Form::FixedPriorityServer,
            routines: crate::interrupt::Routines::NONE,
            machine: None,
            cold: None,
            bare_core: false,
        }
    }

    /// Does something with what one member has of the server.
    fn with_supply<T>(
        &self,
        place: usize,
        bounds: &Place<'_>,
        does: impl FnOnce(&IdleStart<'_>) -> T,
    ) -> T {
        let until = place + equals(self.ranked, place);
        let loads = Loads::without(&self.loads[..until], place);
        let earlier = match &bounds.earlier {
            Some(known) => Earlier::Known(known),
            None => Earlier::Anything,
        };
        does(&IdleStart {
            server: self.server,
            usual: Residual::new(self.usual, loads, self.effort),
            loads,
            anywhere: &bounds.anywhere,
            earlier,
            own_from: bounds.own_from,
            effort: self.effort,
        })
    }
}
