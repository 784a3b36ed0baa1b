//! Ends of slices among equals of a core, as calls of the scheduler and switches.
//!
//! **Model.** A member with a slice of `V` that has used it goes behind its equals, which calls once; it gets the core again with one
//! switch. Between two of its ends it has V of the core, so in a window in which it has `y` it ends, and gets the core again after
//! an end, `1 + floor(y/V)` times at most. All n members together have no more than the window: of x there are at most
//! `n + floor(x/V)` such ends, wherever it begins.
//!
//! **Assumptions.** 1. Less urgent members have nothing of the core while something as urgent is ready: their slices do not end.
//!
//! Theory: docs/theory/slices.md.

use crate::arrival::Arrivals;
use vorrang_model::system::{Member, SupplyId, System};
use vorrang_time::Duration;

/// How often slices of so many members of a supply end.
pub(super) fn ends(members: usize, slice: Duration) -> Arrivals<'static> {
    let more = u64::try_from(members).unwrap_or(u64::MAX).saturating_sub(1);
    let at_first = slice.checked_mul(more).and_then(|sum| sum.checked_add(Duration::RESOLUTION));
    Arrivals::new(slice, at_first.unwrap_or(Duration::MAX))
}

/// The slice of a member of a supply that has equals; none if it keeps its place until its work is done.
pub(super) fn slice_of(system: &System, on: SupplyId, member: Member) -> Option<Duration> {
    let supply = system.supply(on);
    let by_priority = |member: Member| match member {
        Member::Task(id) => Some(system.task(id).priority),
        Member::Server(id) if system.supply(id).is_of_linux() => None,
        Member::Server(id) => Some(system.supply(id).priority()),
    };
    let own = by_priority(member)?;
    let is_equal = |other: &&Member| by_priority(**other) == Some(own);
    supply.time_slice.filter(|_| supply.members.iter().filter(is_equal).count() > 1)
}

/// How often slices end inside a reservation of the host, which calls the scheduler of the core and switches there.
pub(super) fn ends_inside(system: &System, id: SupplyId, found: &mut Vec<Arrivals<'_>>) {
    let supply = system.supply(id);
    if supply.vm.is_some() {
        return;
    }
    let slices = supply.members.iter().filter_map(|&member| slice_of(system, id, member));
    let slices: Vec<Duration> = slices.collect();
    found.extend(slices.first().map(|&slice| ends(slices.len(), slice)));
    for &member in &supply.members {
        if let Member::Server(inner) = member {
            ends_inside(system, inner, found);
        }
    }
}
