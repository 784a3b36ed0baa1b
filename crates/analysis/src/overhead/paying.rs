//! Which servers pay for the routines that interrupt them.

use super::budget_timer;
use vorrang_model::system::{InterruptTime, Member, ServerKind, SupplyId, System};

/// Whether routines of its core are charged to a server.
pub(crate) fn pays_for_routines(system: &System, id: SupplyId) -> bool {
    let server = system.supply(id).server();
    let Some(server) = server.filter(|own| own.kind() == ServerKind::SchedDeadline) else {
        return false;
    };
    let is_interrupted = system.interrupts_on(server.on).next().is_some()
        || system.timers_on(server.on).next().is_some()
        || budget_timer::interrupts(system, server.on);
    let on = system.supply(server.on);
    on.is_core() && on.interrupt_time == InterruptTime::Charged && is_interrupted
}

/// Whether budget returns in pieces that are not counted, of a server or something in it.
pub(crate) fn has_pieces(system: &System, member: Member) -> bool {
    let Member::Server(id) = member else { return false };
    let inner = system.supply(id).members.iter();
    system.supply(id).server_kind() == Some(ServerKind::Sporadic)
        || inner.copied().any(|member| has_pieces(system, member))
}
