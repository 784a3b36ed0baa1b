//! How far a budget or a period of a server may move and still be one that its kernel takes
//! ([`vorrang_model::target`]).

use vorrang_model::System;
use vorrang_model::system::SupplyId;
use vorrang_time::Duration;

/// The least budget, in nanoseconds.
pub(crate) fn least_budget(system: &System, id: SupplyId) -> u64 {
    system.limits_of(id).map_or(1, |limits| limits.least_budget.as_ns())
}

/// The longest period.
pub(crate) fn longest(system: &System, id: SupplyId) -> Duration {
    system.limits_of(id).map_or(Duration::MAX_STATED, |limits| limits.longest_period)
}

/// The largest budget in a period that the kernel admits beside the others: `b` with ⌊2²⁰·b / T⌋ at most its room.
pub(crate) fn largest(system: &System, id: SupplyId, period: Duration) -> Duration {
    let Some(room) = system.room_of(id) else { return period };
    let most = ((u128::from(room) + 1) * u128::from(period.as_ns()) - 1) >> 20;
    u64::try_from(most).map_or(period, Duration::from_ns).min(period)
}

/// The shortest period in which the kernel takes a budget, at most the one that it has.
pub(crate) fn shortest(system: &System, id: SupplyId, budget: Duration) -> Duration {
    let Some((limits, room)) = system.limits_of(id).zip(system.room_of(id)) else { return budget };
    let admitted = (u128::from(budget.as_ns()) << 20) / (u128::from(room) + 1) + 1;
    let admitted = u64::try_from(admitted).map_or(Duration::MAX_STATED, Duration::from_ns);
    let now = system.supply(id).server().map_or(budget, |server| server.period);
    admitted.max(limits.shortest_period).max(budget).min(now)
}
