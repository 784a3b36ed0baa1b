//! The members of a supply under Linux: `SCHED_DEADLINE` servers by deadline, then the rest by
//! fixed priority.

use super::{Node, Walk, server_of};
use crate::effort::Effort;
use vorrang_model::system::{Member, ServerKind};

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
        self.pseudo_vcpus_give(node, &by_priority, loads.clone(), effort);
        let late = self.edf(first, &by_deadline, effort);
        let machine = node.machine.map(|machine| machine.late_by(late));
        let node = Node { machine: machine.as_ref(), ..node };
        self.fixed_priority(node, &by_priority, loads, effort);
    }
}
