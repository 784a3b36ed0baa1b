//! What cold caches take at most: the limit of both curves of a cache, whenever a context gets the core.

use crate::demand::Load;
use vorrang_model::system::{CacheId, Member, SupplyId, System};
use vorrang_time::Duration;

/// What a context that gets the core loses at most until its cache is warm.
pub(crate) fn loss(system: &System, id: CacheId) -> Duration {
    let cache = system.cache(id);
    let useless = 1_000_000 - u128::from(cache.useful_ppm.min(1_000_000));
    let lost = (u128::from(cache.sustained.as_ns()) * useless).div_ceil(1_000_000);
    let lost = Duration::from_ns(u64::try_from(lost).expect("a part of a duration"));
    // Where the simulator computes in larger steps (mechanisms/switch_cost.rs) it may lose more.
    lost + Duration::from_ns(cache.sustained.as_ns() >> 26)
}

/// What is lost at most whenever a server gets the core: of a reservation of the host the most that
/// one of the contexts in it loses.
pub(crate) fn loss_of_server(system: &System, id: SupplyId) -> Duration {
    let supply = system.supply(id);
    let own = supply.cache.map_or(Duration::ZERO, |cache| loss(system, cache));
    if supply.vm.is_some() {
        return own;
    }
    let inside = supply.members.iter().map(|&member| match member {
        Member::Task(task) => system.task(task).cache.map_or(Duration::ZERO, |id| loss(system, id)),
        Member::Server(inner) => loss_of_server(system, inner),
    });
    inside.max().unwrap_or_default().max(own)
}

/// The largest cache loss of the section that may block a member, whichever task owns it.
pub(super) fn section_loss(system: &System, member: Member) -> Option<Duration> {
    if system.blocking(member).is_zero() {
        return None;
    }
    let caches = system.less_urgent(member).filter_map(|owner| system.cache_of(owner));
    Some(caches.map(|id| loss(system, id)).max().unwrap_or_default())
}

/// How often a virtual processor, or something in a reservation of the host, finds its cache cold.
#[derive(Clone, Debug, Default)]
pub(crate) struct ColdStarts<'a> {
    /// What it loses when a window begins.
    pub(crate) at_first: Duration,
    /// While its guest wants time throughout: whenever it has budget again, and after everything
    /// that may interrupt it.
    pub(crate) starts: Vec<Load<'a>>,
    /// While something in a server inside it does: whenever the guest wakes, too.
    pub(crate) inside: Vec<Load<'a>>,
}
