//! The members of a supply under Linux: `SCHED_DEADLINE` servers by deadline, then the rest by
//! fixed priority.
//!
//! **Runtimes that end late.** Whatever a server has overrun by, its next budgets pay. So in a window that
//! ends with a runtime that ends late it takes the overrun `X` more than its budgets, once: others see it
//! as a section of `X`. A server whose budget is not used up has overrun nothing, so of `n` servers with
//! deadlines the others' `(n − 1) X` delay one of them, and `n X` everything below. What its guest lacks of
//! a budget because an earlier one was overrun is in [`Charges`](crate::supply::Charges).

use super::{Node, Walk, server_of};
use crate::effort::Effort;
use crate::load::Loads;
use crate::supply::Residual;
use vorrang_model::system::{Member, ServerKind, SupplyId, System};
use vorrang_time::Duration;

impl Walk<'_> {
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
        loads.extend(by_deadline.iter().map(|&member| self.member_load(member)));
        let late = |count| overruns_beside(system, node.id, count);
        let (of_others, of_all) =
            (late(by_deadline.len().saturating_sub(1)), late(by_deadline.len()));
        let left = Residual::new(first.supply, Loads::new(&[]), effort).blocked(of_others);
        let first = if of_others.is_zero() { first } else { after(first, &left) };
        let left = Residual::new(node.supply, Loads::new(&[]), effort).blocked(of_all);
        let node = if of_all.is_zero() { node } else { after(node, &left) };
        self.pseudo_vcpus_give(node, &by_priority, loads.clone(), effort);
        let late = self.edf(first, &by_deadline, effort);
        let machine = node.machine.map(|machine| machine.late_by(late));
        let node = Node { machine: machine.as_ref(), ..node };
        self.fixed_priority(node, &by_priority, loads, effort);
    }
}

/// A supply of which sections take a part.
fn after<'a>(node: Node<'a>, left: &'a dyn crate::supply::Supply) -> Node<'a> {
    Node { supply: left, bare_core: false, ..node }
}

/// The longest time by which runtimes of a server end late.
pub(super) fn overrun(system: &System, id: SupplyId) -> Duration {
    let server = server_of(system, id);
    match server.kind {
        ServerKind::SchedDeadline => system.supply(server.on).overrun,
        _ => Duration::ZERO,
    }
}

/// What so many servers of a supply take at most because their runtimes end late.
pub(super) fn overruns_beside(system: &System, on: SupplyId, count: usize) -> Duration {
    let count = u64::try_from(count).expect("there are fewer servers");
    system.supply(on).overrun.checked_mul(count).unwrap_or(Duration::MAX)
}
