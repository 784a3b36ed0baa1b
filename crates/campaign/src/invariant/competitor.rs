//! Who competes for the time of each supply: its members, and the pseudo-VCPUs beside virtual processors on it.

use vorrang_model::system::{InterruptId, Member, ServerKind, Supply, SupplyId, System, TaskId};
use vorrang_time::Instant;

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

/// Whether an instant belongs to the slot of a server, or to a window of its table.
pub(super) fn in_slot(supply: &Supply, at: Instant) -> bool {
    let Some(server) = supply.server() else { return false };
    if server.kind() == ServerKind::Table {
        let place = at.as_ns() % server.period.as_ns();
        return supply.windows.iter().any(|own| {
            place.checked_sub(own.offset.as_ns()).is_some_and(|into| into < own.length.as_ns())
        });
    }
    let since = server.slot_offset().and_then(|offset| at.as_ns().checked_sub(offset.as_ns()));
    since.is_some_and(|since| since % server.period.as_ns() < server.budget.as_ns())
}
