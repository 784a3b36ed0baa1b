//! Supplies of which more is reserved than there is.

use vorrang_model::System;
use vorrang_model::system::{Member, Server, SupplyId};

/// A supply of the core of which more is reserved than there is while one of the reservations reclaims: what
/// Linux does then is not the rule of the model (`SCHED_DEADLINE` in `docs/model.md`), so that a history
/// refutes nothing.
pub(crate) fn overreserved(system: &System, core: SupplyId) -> Option<String> {
    let mut on_core = system.supplies_within(core).into_iter().map(|id| system.supply(id));
    let found = on_core.find(|supply| {
        let servers = || {
            let members = supply.members.iter().filter_map(|&member| match member {
                Member::Server(id) => system.supply(id).server(),
                Member::Task(_) => None,
            });
            members.filter(|server| server.kind().is_of_linux())
        };
        servers().any(Server::reclaims) && servers().map(counted).sum::<u128>() > WHOLE
    })?;
    Some(found.name.clone())
}

/// A whole supply, as Linux counts its bandwidth.
const WHOLE: u128 = 1 << 20;

/// The bandwidth of a reservation, as Linux counts it: rounded down.
fn counted(server: &Server) -> u128 {
    u128::from(server.budget.as_ns()) * WHOLE / u128::from(server.period.as_ns())
}
