//! The members of a supply under Linux: `SCHED_DEADLINE` servers by deadline, then the rest by
//! fixed priority.
//! Runtimes that end late are sections, as `overhead/overrun.rs` says.

use super::{Fold, Node};
use crate::coverage::ByDeadline;
use crate::demand::Loads;
use crate::effort::Effort;
use crate::linux::Core;
use crate::overhead::{besides_budgets, overrun, overruns_of_others};
use crate::supply::Residual;
use vorrang_model::system::Member;
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
        let mut loads = node.routines.loads.to_vec();
        let budgets = by_deadline.iter().map(|own| self.arrivals.load_of(own.member()));
        match budgets.collect::<Result<Vec<_>, _>>() {
            Ok(budgets) => loads.extend(budgets),
            Err(reason) => return self.give_up_below(node.id, node.form, &reason),
        }
        let of_others = overruns_of_others(system, node.id, by_deadline.len());
        let of_all = by_deadline.iter().try_fold(Duration::ZERO, |sum, own| {
            sum.checked_add(besides_budgets(system, own.member())?)
        });
        let of_all = of_all.unwrap_or(Duration::MAX);
        let left = Residual::new(first.supply, Loads::new(&[]), effort).blocked(of_others);
        let first = if of_others.is_zero() { first } else { after(first, &left) };
        let left = Residual::new(node.supply, Loads::new(&[]), effort).blocked(of_all);
        let node = if of_all.is_zero() { node } else { after(node, &left) };
        self.pseudo_vcpus_give(node, by_priority, loads.clone(), effort);
        let late = self.edf(first, by_deadline, effort);
        let asked: Vec<_> =
            by_deadline.iter().map(|own| self.asked_in_member(own.member())).collect();
        let own = loads.len() - by_deadline.len();
        for ((load, asked), member) in loads[own..].iter_mut().zip(&asked).zip(by_deadline) {
            load.used_by = asked.as_deref();
            load.cost =
                load.cost.checked_add(self.forgets(member.member())).unwrap_or(Duration::MAX);
        }
        let machine = node.machine.map(|machine| machine.late_by(late));
        let node = Node { machine: machine.as_ref(), ..node };
        self.fixed_priority(node, by_priority, loads, effort);
    }
}

impl<'s> Fold<'s> {
    /// What a server overruns each time if it may be later than its next deadline: it starts afresh then, and no budget pays.
    fn forgets(&self, member: Member) -> Duration {
        let Member::Server(id) = member else { return Duration::ZERO };
        let is_in_time = matches!(self.guaranteed[id.0], Some(Ok(())));
        if is_in_time { Duration::ZERO } else { overrun(self.system, id) }
    }

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
