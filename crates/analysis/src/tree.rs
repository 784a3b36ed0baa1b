//! Where things stand in the tree of supplies.

use core::iter::successors;
use vorrang_model::system::{InterruptId, Server, SupplyId, System};
use vorrang_time::Duration;

/// A supply that is a member of another.
pub(crate) fn server_of(system: &System, id: SupplyId) -> &Server {
    system.supply(id).server.as_ref().expect("a member that is a supply is a server")
}

/// The most that the first refill of a queue may have when it joins the next one, which is put off so;
/// none of other servers.
pub(crate) fn left_behind(server: &Server) -> Duration {
    let least = server.min_budget.unwrap_or_default().min(server.budget);
    least.saturating_sub(Duration::RESOLUTION)
}

/// The interrupts that are delivered to a virtual processor.
pub(crate) fn delivered_to(system: &System, vcpu: SupplyId) -> Vec<InterruptId> {
    let here = |id: &InterruptId| {
        system.interrupt(*id).delivery.as_ref().is_some_and(|delivery| delivery.vcpu == vcpu)
    };
    (0..system.interrupts.len()).map(InterruptId).filter(here).collect()
}

/// For how long the kernel may go on with a member of a reservation of the host when a more urgent
/// one becomes ready.
pub(crate) fn sections_within(system: &System, id: SupplyId) -> Duration {
    let parent = |id: &SupplyId| system.supply(*id).server.as_ref().map(|server| server.on);
    let is_of_host = successors(Some(id), parent).all(|id| system.supply(id).vm.is_none());
    let is_shared = system.supply(id).members.len() > 1;
    let sections = system.supply(system.core_of(id)).sections;
    if is_of_host && is_shared { sections } else { Duration::ZERO }
}
