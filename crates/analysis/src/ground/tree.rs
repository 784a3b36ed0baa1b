//! Where things stand in the tree of supplies.

use crate::server_kind::{Returns, Sheet};
use core::iter::successors;
use vorrang_model::system::{Delivery, InterruptId, Member, Server, ServerRule, SupplyId, System};
use vorrang_time::Duration;

/// The most that the first refill of a queue may have when it joins the next one, which is put off so;
/// none of other servers.
pub(crate) fn left_behind(server: &Server) -> Duration {
    let ServerRule::RefillQueue { min_budget: Some(least), .. } = server.rule else {
        return Duration::ZERO;
    };
    least.min(server.budget).saturating_sub(Duration::RESOLUTION)
}

/// The interrupts that are delivered to a virtual processor.
pub(crate) fn delivered_to(system: &System, vcpu: SupplyId) -> Vec<InterruptId> {
    deliveries(system, vcpu).map(|(id, _)| id).collect()
}

/// The same, each with its delivery.
pub(crate) fn deliveries(
    system: &System,
    vcpu: SupplyId,
) -> impl Iterator<Item = (InterruptId, &Delivery)> {
    let all = system.interrupt_ids();
    let all = all.filter_map(|id| Some((id, system.interrupt(id).delivery.as_ref()?)));
    all.filter(move |(_, delivery)| delivery.vcpu == vcpu)
}

/// Whether a server has time to give whenever something in it is ready.
pub(crate) fn is_never_empty_handed(system: &System, id: SupplyId) -> bool {
    let returns = Sheet::of_supply(system, id).map(|sheet| sheet.returns);
    matches!(returns, Some(Returns::Never | Returns::WhenGone))
}

/// Whether a section that no budget pays for may hold up a server in a server, were that a level.
pub(crate) fn has_blocked_server(system: &System, id: SupplyId) -> bool {
    system.supply(id).members.iter().any(|&member| {
        let Member::Server(inner) = member else { return false };
        let is_open = is_never_empty_handed(system, inner);
        !system.blocking(member).is_zero() || is_open && has_blocked_server(system, inner)
    })
}

/// For how long the kernel may go on with a member of a reservation of the host when a more urgent
/// one becomes ready.
pub(crate) fn sections_within(system: &System, id: SupplyId) -> Duration {
    let parent = |id: &SupplyId| system.supply(*id).on();
    let is_of_host = successors(Some(id), parent).all(|id| system.supply(id).vm.is_none());
    let is_shared = system.supply(id).members.len() > 1;
    let sections = system.supply(system.core_of(id)).sections;
    if is_of_host && is_shared { sections } else { Duration::ZERO }
}
