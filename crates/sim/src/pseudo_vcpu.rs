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

use crate::history::History;
use crate::node::{Node, NodeMember};
use crate::tree::Tree;
use core::cmp::Reverse;
use vorrang_mechanisms::interrupt::{PseudoVcpu, Rule};
use vorrang_mechanisms::scheduler::ReadyMembers;
use vorrang_model::system::{
    InterruptId, PseudoVcpu as Described, PseudoVcpuRule, SupplyId, System,
};
use vorrang_time::Duration;

/// What a node is that is a pseudo-VCPU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Payment {
    /// The place of the virtual processor that it gives time to.
    pub(crate) guest: usize,
    /// The interrupt that it is for, by its place.
    pub(crate) interrupt: usize,
    pub(crate) id: InterruptId,
}

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

/// The interrupts of a core with a pseudo-VCPU, with their places, by the virtual processor.
pub(crate) fn by_vcpu(system: &System, core: SupplyId) -> Vec<Vec<(usize, InterruptId)>> {
    let mut of = vec![Vec::new(); system.supplies.len()];
    for (place, id) in system.interrupts_of(core).enumerate() {
        if let Some(delivery) = &system.interrupt(id).delivery {
            of[delivery.vcpu.0].extend(delivery.pseudo_vcpu.is_some().then_some((place, id)));
        }
    }
    of
}

fn described(system: &System, id: InterruptId) -> &Described {
    let delivery = system.interrupt(id).delivery.as_ref();
    let described = delivery.and_then(|delivery| delivery.pseudo_vcpu.as_ref());
    described.expect("it has a pseudo-VCPU")
}

/// What one interrupt takes in its guest.
fn handling(system: &System, id: InterruptId) -> Duration {
    let interrupt = system.interrupt(id);
    let delivery = interrupt.delivery.as_ref().expect("it is delivered to a guest");
    let woken = interrupt.wakes.map_or(Duration::ZERO, |task| system.task(task).wcet);
    delivery.isr + system.costs.vm_exit + woken
}

/// What one interrupt is credited with by *arrival*: what it takes; its share of the budget if another one of its
/// guest has no pseudo-VCPU, and may come before it.
fn credit(system: &System, id: InterruptId) -> Duration {
    let described = described(system, id);
    let own = handling(system, id);
    let vcpu = |id: InterruptId| system.interrupt(id).delivery.as_ref().map(|own| own.vcpu);
    let is_beside = system.interrupt_ids().any(|other| {
        let delivery = system.interrupt(other).delivery.as_ref();
        vcpu(other) == vcpu(id) && delivery.is_some_and(|own| own.pseudo_vcpu.is_none())
    });
    if !is_beside {
        return own;
    }
    let usual = described.period.div_ceil(system.interrupt(id).min_interarrival);
    let paid_for = usual.min(described.budget.div_floor(own));
    Duration::from_ns(described.budget.as_ns() / paid_for)
}

/// The mechanism at the start of a history.
pub(crate) fn mechanism(system: &System, history: &History, id: InterruptId) -> PseudoVcpu {
    let described = described(system, id);
    let (rule, credit) = match described.rule {
        PseudoVcpuRule::Arrival => (Rule::Arrival, credit(system, id)),
        PseudoVcpuRule::Deferrable => (Rule::Deferrable, handling(system, id)),
        PseudoVcpuRule::Released => (Rule::Released, handling(system, id)),
    };
    let phase = history.pseudo_vcpu_phases[id.0].modulo(described.period);
    PseudoVcpu::new(rule, described.budget, described.period, credit, phase)
}
