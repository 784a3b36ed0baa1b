//! Who competes for the time of each supply: its members, and the pseudo-VCPUs beside virtual processors on it.

use vorrang_model::system::{InterruptId, Member, SupplyId, System, TaskId};

/// A competitor for the time of a supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Competitor {
    Task(TaskId),
    Server(SupplyId),
    PseudoVcpu(InterruptId),
}

/// Those of each supply, pseudo-VCPUs last.
pub(super) fn competitors(system: &System) -> Vec<Vec<Competitor>> {
    let member = |member: &Member| match *member {
        Member::Task(id) => Competitor::Task(id),
        Member::Server(id) => Competitor::Server(id),
    };
    let supplies = system.supplies.iter();
    let mut all: Vec<Vec<Competitor>> =
        supplies.map(|supply| supply.members.iter().map(member).collect()).collect();
    for (id, interrupt) in system.interrupts.iter().enumerate() {
        let Some(delivery) = &interrupt.delivery else { continue };
        let on = system.supply(delivery.vcpu).on();
        if let (Some(_), Some(on)) = (&delivery.pseudo_vcpu, on) {
            all[on.0].push(Competitor::PseudoVcpu(InterruptId(id)));
        }
    }
    all
}
