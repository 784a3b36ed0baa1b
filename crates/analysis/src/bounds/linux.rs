//! The members of a supply under Linux: `SCHED_DEADLINE` servers by deadline, then the rest by
//! fixed priority.
//! Runtimes that end late are sections, as `overhead/overrun.rs` says.

use super::throttling::{Beside, Throttling};
use super::{Fold, Node};
use crate::core::{Core, asked_in_level, overdrawn, unpaid};
use crate::coverage::{ByDeadline, ServerMember};
use crate::demand::Interference;
use crate::demand::{Load, Loads};
use crate::edf::{Analysis, Contender};
use crate::ground::{Effort, Reason, Source};
use crate::overhead::{
    besides_budgets, loss_of_server, overrun, overruns_of_others, own_overrun, with_overruns,
};
use crate::supply::Residual;
use vorrang_model::system::{Member, Server, SupplyId, System};
use vorrang_time::Duration;

impl Fold<'_> {
    /// `first` is what the servers with deadlines have, `node` the supply with its routines.
    pub(super) fn linux(
        &mut self,
        (first, node): (Node<'_>, Node<'_>),
        (by_deadline, by_priority): (&[ByDeadline<'_>], &[Member]),
        effort: &Effort,
    ) {
        let system = self.system;
        let whole = node;
        // Then no runtime ends, late or not.
        let lasts = self.lasts_alone(whole, by_deadline).is_some();
        let of_others = overruns_of_others(system, node.id, by_deadline.len());
        let left = Residual::new(first.supply, Loads::new(&[]), effort).blocked(of_others);
        let first = if of_others.is_zero() { first } else { after(first, &left) };
        let by_deadline = &self.forgetting(first, by_deadline, effort)[..];
        let machine = self.machine_beside(first, by_deadline, effort);
        let first = Node { machine: machine.as_ref(), ..first };
        let mut loads = match self.loads_by_deadline(node, by_deadline) {
            Ok(loads) => loads,
            Err(reason) => return self.give_up_below(node.id, node.form, &reason),
        };
        let overdrawn: Vec<Duration> =
            by_deadline.iter().map(|own| self.overdrawn_by(node, own, effort)).collect();
        let of_all =
            if lasts { Some(Duration::ZERO) } else { besides(system, by_deadline, &overdrawn) };
        let of_all = of_all.unwrap_or(Duration::MAX);
        let beside = Beside { loads: &loads, besides: of_all, by_deadline, overdrawn: &overdrawn };
        let throttled = self.throttling(node, by_priority, beside, effort);
        let node = match &throttled {
            Throttling::NotCovered(reason) => {
                return self.give_up_below(node.id, node.form, reason);
            }
            Throttling::Unbounded(reason) => {
                self.edf(first, by_deadline, effort);
                return self.give_up_on(by_priority, node.form, reason);
            }
            Throttling::Leaves(supply, _) => after(node, supply),
            Throttling::Never | Throttling::Assumed(_) => node,
        };
        let left = Residual::new(node.supply, Loads::new(&[]), effort).blocked(of_all);
        let node = if of_all.is_zero() { node } else { after(node, &left) };
        let node = Node { machine: first.machine, ..node };
        self.pseudo_vcpus_give(node, by_priority, loads.clone(), effort);
        self.edf(first, by_deadline, effort);
        self.alone_by_deadline(whole, by_deadline);
        let asked: Vec<_> =
            by_deadline.iter().map(|own| self.asked_by_deadline(own.member(), lasts)).collect();
        if let Err(reason) = self.all_is_asked(by_deadline, &asked) {
            return self.give_up_on(by_priority, node.form, &reason);
        }
        for (load, asked) in loads.iter_mut().rev().zip(asked.iter().rev()) {
            load.used_by = asked.as_deref();
        }
        self.fixed_priority(node, by_priority, loads, effort);
        if let Throttling::Assumed(assumed) | Throttling::Leaves(_, assumed) = &throttled {
            self.all_rest_on(by_priority, assumed);
        }
        if let ([ByDeadline::Server(own, _)], true) = (by_deadline, lasts) {
            self.rest_on_what_lasts(by_priority, own.id);
        }
    }

    /// What is below a server waits for no runtime that ends late.
    fn rest_on_what_lasts(&mut self, below: &[Member], id: SupplyId) {
        if !overrun(self.system, id).is_zero() {
            self.all_rest_on(below, &self.budget_lasts(id));
        }
    }

    /// By how much a member with a deadline exceeds a budget at most.
    fn overdrawn_by(&self, node: Node<'_>, own: &ByDeadline<'_>, effort: &Effort) -> Duration {
        match own {
            ByDeadline::Server(member, _) => {
                let overdrawn = overdrawn(self.core_of(node), *member, effort);
                overdrawn.unwrap_or(Duration::MAX)
            }
            ByDeadline::Task(..) => Duration::ZERO,
        }
    }
}

impl<'s> Fold<'s> {
    /// Routines, then what the members with deadlines take.
    fn loads_by_deadline<'a>(
        &self,
        node: Node<'a>,
        by_deadline: &[ByDeadline<'_>],
    ) -> Result<Vec<Load<'a>>, Reason>
    where
        's: 'a,
    {
        let mut loads = node.routines.loads.to_vec();
        for own in by_deadline {
            let load = self.arrivals.load_of(own.member())?;
            let forgets = matches!(own, ByDeadline::Server(ServerMember { server, .. }, contender)
                if forgets(server, contender));
            let of_forgetting = || with_overruns(self.system, own.member(), load);
            loads.push(if forgets { of_forgetting() } else { load });
        }
        Ok(loads)
    }

    /// The members with deadlines, where each server that may use up a budget after its next deadline takes its overrun in each
    /// period, too: it starts afresh then, and no budget pays. As others are later for that, it is looked at again.
    fn forgetting<'b>(
        &self,
        node: Node<'_>,
        by_deadline: &[ByDeadline<'b>],
        effort: &Effort,
    ) -> Vec<ByDeadline<'b>> {
        let mut all = by_deadline.to_vec();
        let overrun = self.system.supply(node.id).overrun;
        if overrun.is_zero() {
            return all;
        }
        let own = own_overrun(self.system, node.id, by_deadline.len());
        let left = Residual::new(node.supply, Loads::new(&[]), effort).blocked(own);
        let node = if own.is_zero() { node } else { after(node, &left) };
        let members: Vec<Member> = by_deadline.iter().map(ByDeadline::member).collect();
        let unpaid = unpaid(self.core_of(node), &members, effort).and_then(|before| {
            Some(Interference { blocking: before.blocking.checked_add(own)?, ..before })
        });
        loop {
            let late = self.contenders(node, &all).ok().and_then(|contenders| {
                let whole = (node.supply, node.bare_core);
                Analysis::new(whole, &contenders, effort).charged(unpaid.clone()).kept()
            });
            let mut are_more = false;
            for own in &mut all {
                let ByDeadline::Server(ServerMember { server, .. }, contender) = own else {
                    continue;
                };
                let is_in_time = late.is_some_and(|late| late <= server.period);
                if !is_in_time && !forgets(server, contender) {
                    contender.cost = contender.cost.checked_add(overrun).unwrap_or(Duration::MAX);
                    are_more = true;
                }
            }
            if !are_more {
                return all;
            }
        }
    }

    /// All work in a member with a deadline; of one that is a level all that is requested in it, if that is less.
    fn asked_by_deadline(&self, member: Member, is_level: bool) -> Option<Vec<Load<'s>>> {
        let asked = self.asked_in_member(member);
        let Member::Server(id) = member else { return asked };
        if !is_level || !loss_of_server(self.system, id).is_zero() {
            return asked;
        }
        let requested = asked_in_level(&self.arrivals, id).ok();
        let is_of_tasks = |load: &Load<'_>| matches!(load.source, Source::Task(_));
        match (requested, asked) {
            (Some(requested), Some(_)) if requested.iter().all(is_of_tasks) => Some(requested),
            (requested, asked) => asked.or(requested),
        }
    }

    /// A supply as what its members may pay for.
    pub(super) fn core_of<'a, 'b>(&'b self, node: Node<'a>) -> Core<'a, 'b, 's> {
        let (arrivals, why) = (&self.arrivals, &self.why);
        Core { id: node.id, machine: node.machine, arrivals, why }
    }
}

/// What servers take besides their budgets, once.
fn besides(
    system: &System,
    by_deadline: &[ByDeadline<'_>],
    overdrawn: &[Duration],
) -> Option<Duration> {
    by_deadline.iter().zip(overdrawn).try_fold(Duration::ZERO, |sum, (own, by)| {
        sum.checked_add(besides_budgets(system, own.member(), *by)?)
    })
}

/// Whether a server takes its overrun with each budget.
pub(super) fn forgets(server: &Server, contender: &Contender<'_>) -> bool {
    contender.cost > server.budget
}

/// A supply of which sections take a part.
fn after<'a>(node: Node<'a>, left: &'a dyn crate::supply::Supply) -> Node<'a> {
    Node { supply: left, bare_core: false, ..node }
}
