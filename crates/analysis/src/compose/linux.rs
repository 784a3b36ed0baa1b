//! The members of a supply under Linux: `SCHED_DEADLINE` servers by deadline, then the rest by
//! fixed priority.
//! Runtimes that end late are sections, as `overhead/overrun.rs` says.

use super::{Fold, Node};
use crate::demand::Loads;
use crate::effort::Effort;
use crate::linux::Core;
use crate::overhead::{besides_budgets, overruns_of_others};
use crate::supply::Residual;
use crate::tree::server_of;
use vorrang_model::system::{Member, ServerKind};
use vorrang_time::Duration;

impl Fold<'_> {
    /// `first` is what the servers with deadlines have, `node` the supply with its routines.
    pub(super) fn linux(&mut self, first: Node<'_>, node: Node<'_>, effort: &Effort) {
        let system = self.system;
        let has_deadline = |&member: &Member| match member {
            Member::Server(id) => server_of(system, id).kind == ServerKind::SchedDeadline,
            Member::Task(_) => false,
        };
        let members = &system.supply(node.id).members;
        let (by_deadline, by_priority): (Vec<Member>, Vec<Member>) =
            members.iter().copied().partition(has_deadline);
        let mut loads = node.routines.loads.to_vec();
        loads.extend(by_deadline.iter().map(|&member| self.arrivals.member_load(member)));
        let of_others = overruns_of_others(system, node.id, by_deadline.len());
        let of_all = by_deadline.iter().try_fold(Duration::ZERO, |sum, &member| {
            sum.checked_add(besides_budgets(system, member)?)
        });
        let of_all = of_all.unwrap_or(Duration::MAX);
        let left = Residual::new(first.supply, Loads::new(&[]), effort).blocked(of_others);
        let first = if of_others.is_zero() { first } else { after(first, &left) };
        let left = Residual::new(node.supply, Loads::new(&[]), effort).blocked(of_all);
        let node = if of_all.is_zero() { node } else { after(node, &left) };
        self.pseudo_vcpus_give(node, &by_priority, loads.clone(), effort);
        let late = self.edf(first, &by_deadline, effort);
        let asked: Vec<_> =
            by_deadline.iter().map(|&member| self.asked_in_member(member)).collect();
        let own = loads.len() - by_deadline.len();
        for (load, asked) in loads[own..].iter_mut().zip(&asked) {
            load.used_by = asked.as_deref();
        }
        let machine = node.machine.map(|machine| machine.late_by(late));
        let node = Node { machine: machine.as_ref(), ..node };
        self.fixed_priority(node, &by_priority, loads, effort);
    }
}

impl<'s> Fold<'s> {
    /// A supply as what its members may pay for.
    pub(super) fn core_of<'a, 'b>(&'b self, node: Node<'a>) -> Core<'a, 'b, 's> {
        let (arrivals, why) = (&self.arrivals, &self.why);
        Core { id: node.id, machine: node.machine, arrivals, why }
    }
}

/// A supply of which sections take a part.
fn after<'a>(node: Node<'a>, left: &'a dyn crate::supply::Supply) -> Node<'a> {
    Node { supply: left, bare_core: false, ..node }
}
