//! Runtimes of `SCHED_DEADLINE` that end late.
//!
//! **Model.** Whatever a server has overrun by, its next budgets pay. So in a window that
//! ends with a runtime that ends late it takes the overrun `X` more than its budgets, once: others see it
//! as a section of `X`. A server whose budget is not used up has overrun nothing, so of `n` servers with
//! deadlines the others' `(n − 1) X` delay one of them. Below them it counts when budgets come, not when they
//! are due: a replenishment after a budget was exceeded by `y`, what is charged included, adds `k = floor(y / Q) + 1` budgets at
//! once, the last of them `(k − 1) T` early. Of these it uses `Q + X` at most before it stops again. So each takes
//! `X + min(X, floor(y / Q) Q)` there. What its guest lacks of a budget because an
//! earlier one was overrun is in [`Charges`](crate::supply::Charges). A server that is later than its next deadline starts
//! afresh, and no budget pays: then `X` counts with each.
//!
//! **Assumptions.** 1. No runtime ends later than the `overrun` of its supply after it is used up.
//!
//! Derived in docs/theory/late-runtimes.md, docs/theory/late-delivery.md.

use crate::coverage::{ServerMember, kernel_takes};
use crate::demand::Load;
use crate::supply::at_once;
use vorrang_model::system::{Member, SupplyId, System};
use vorrang_time::Duration;

/// The longest time by which runtimes of a server end late.
pub(crate) fn overrun(system: &System, id: SupplyId) -> Duration {
    let of_linux = system.supply(id).server().filter(|server| server.kind().is_of_linux());
    of_linux.map_or(Duration::ZERO, |server| system.supply(server.on).overrun)
}

/// What a server that Linux schedules by its deadline takes in a window besides its budgets, where it exceeds a budget by
/// `overdrawn` at most, what is charged to it included.
pub(crate) fn besides_budgets(
    system: &System,
    member: Member,
    overdrawn: Duration,
) -> Option<Duration> {
    let Member::Server(id) = member else { return Some(Duration::ZERO) };
    let Some(server) = system.supply(id).server() else { return Some(Duration::ZERO) };
    overrun(system, id).checked_add(early_budgets(system, ServerMember { id, server }, overdrawn))
}

/// What of that is of budgets that come early, at once with another.
pub(crate) fn early_budgets(
    system: &System,
    ServerMember { id, server }: ServerMember<'_>,
    overdrawn: Duration,
) -> Duration {
    overrun(system, id).min(at_once(server.budget, overdrawn))
}

/// The budgets of a member as a load if none of them pays for what the one before was overrun by: the server may be later
/// than its next deadline, and starts afresh then.
pub(crate) fn with_overruns<'a>(system: &System, member: Member, load: Load<'a>) -> Load<'a> {
    let Member::Server(id) = member else { return load };
    let cost = load.cost.checked_add(overrun(system, id)).unwrap_or(Duration::MAX);
    Load { cost, ..load }
}

/// What the others of so many servers of a supply take at most because their runtimes end late. Where calls
/// are counted its own counts, too: they may be as late as the end of what it overruns.
pub(crate) fn overruns_of_others(system: &System, supply: SupplyId, servers: usize) -> Duration {
    let has_kernel = kernel_takes(system, system.core_of(supply)).is_some();
    let servers = if has_kernel { servers } else { servers.saturating_sub(1) };
    let count = u64::try_from(servers).expect("there are fewer servers");
    system.supply(supply).overrun.checked_mul(count).unwrap_or(Duration::MAX)
}

/// What a server takes after a budget at most, unless [`overruns_of_others`] counts it already.
pub(crate) fn own_overrun(system: &System, supply: SupplyId, servers: usize) -> Duration {
    let count = u64::try_from(servers).expect("there are fewer servers");
    let all = system.supply(supply).overrun.checked_mul(count).unwrap_or(Duration::MAX);
    all.saturating_sub(overruns_of_others(system, supply, servers))
}
