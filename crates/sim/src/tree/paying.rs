//! Pseudo-VCPUs in the tree: a second server of a virtual processor, for one interrupt.
//!
//! ```text
//!   parent ─┬─ virtual processor ── its members
//!           │        ↑ time
//!           └─ pseudo-VCPU            stands right behind it, before the servers inside it
//! ```
//!
//! A pseudo-VCPU is a member of the parent after all others. It has no members of its own: what it
//! is given, it gives to the guest.

use super::Tree;
use crate::node::{Node, NodeMember, Payment};
use crate::pseudo_vcpu::described;
use core::cmp::Reverse;
use vorrang_mechanisms::scheduler::ReadyMembers;
use vorrang_model::system::{InterruptId, PseudoVcpu as Described, System};

impl Tree {
    /// Adds the pseudo-VCPUs for these interrupts of the virtual processor that was added last.
    pub(crate) fn add_pseudo_vcpus(&mut self, system: &System, of: &[(usize, InterruptId)]) {
        let guest = self.nodes.len() - 1;
        let Node { id, parent, context, .. } = self.nodes[guest];
        for &(interrupt, own) in of {
            let pays_for = Some(Payment { guest, interrupt, id: own });
            self.nodes.push(Node { pays_for, ..Node::new(id, system.supply(id), parent, context) });
        }
        self.nodes[guest].pseudo_vcpus = guest + 1..self.nodes.len();
    }

    /// Makes all pseudo-VCPUs members of their parent supplies, after all others, and ranks those
    /// without a priority of their own above all others, the shorter period first.
    pub(crate) fn list_pseudo_vcpus(&mut self, system: &System) {
        let mut places: Vec<(InterruptId, usize)> = Vec::new();
        for (place, node) in self.nodes.iter().enumerate() {
            places.extend(node.pays_for.map(|pays_for| (pays_for.id, place)));
        }
        places.sort_unstable();
        let mut unranked = Vec::new();
        for (id, place) in places {
            let Described { priority, period, .. } = described(system, id);
            let parent = self.nodes[place].parent;
            let members = &mut self.nodes[parent].members;
            let declared = u32::try_from(members.len()).expect("members are limited");
            members.push(NodeMember::Server(place));
            self.nodes[place].declared = declared;
            self.nodes[place].priority = priority.unwrap_or_default().0;
            if priority.is_none() {
                unranked.push((parent, Reverse((*period, id)), place));
            }
        }
        for node in &mut self.nodes {
            if node.members.len() > system.supply(node.id).members.len() {
                node.ready = ReadyMembers::new(node.members.len());
            }
        }
        unranked.sort_unstable();
        let parents = unranked.chunk_by(|one, other| one.0 == other.0);
        for ranked in parents {
            let above = self.highest_priority(ranked[0].0) + 1;
            for (priority, (.., place)) in (above..).zip(ranked) {
                self.nodes[*place].priority = priority;
            }
        }
    }

    fn highest_priority(&self, node: usize) -> u32 {
        let of_members = self.nodes[node].members.iter().map(|&member| match member {
            NodeMember::Task(task) => self.tasks[task].priority,
            NodeMember::Server(server) => self.nodes[server].priority,
        });
        of_members.max().unwrap_or(0)
    }
}
