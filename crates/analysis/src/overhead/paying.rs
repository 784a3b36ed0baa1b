//! Which servers pay for the routines that interrupt them.

use super::budget_timer;
use crate::server_kind::{Returns, Sheet};
use vorrang_model::system::{InterruptTime, Member, SupplyId, System};

/// Whether routines of its core are charged to a server.
pub(crate) fn pays_for_routines(system: &System, id: SupplyId) -> bool {
    let server = system.supply(id).server();
    let Some(server) = server.filter(|own| own.kind().is_of_linux()) else {
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
    let sheet = Sheet::of_supply(system, id);
    sheet.is_some_and(|sheet| sheet.returns == Returns::InPieces)
        || inner.copied().any(|member| has_pieces(system, member))
}
