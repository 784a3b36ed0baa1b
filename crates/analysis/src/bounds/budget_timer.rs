//! The timers of the kernel by which budgets return and end.
//!
//! **Model.** Where interrupts and timers cost something, each return of a budget of the host is a
//! timer interrupt with one callback, and so is each end: entry, callback, exit, and an exit of the
//! guest that ran. A period has one return and at most one end of a budget, from `Q` behind the
//! return on:
//!
//! ```text
//!   return            end (earliest)                    end (latest) = next return
//!   |<------ Q ------>|<-------------- T - Q --------------->|
//! ```
//!
//! so in any window there are at most `ceil(x / T)` returns and `ceil((x + T - Q) / T)` ends.
//!
//! **Assumptions.** 1. Each is an interrupt of its own, although several may share one.
//!
//! **Does not cover** budgets that do not return once in a period: of sporadic servers, queues of
//! refills, constant-bandwidth servers and `SCHED_DEADLINE`, and of pseudo-VCPUs; and slots and
//! turns ([`uncounted`]). The simulator leaves these timers out, so histories are shorter.

use super::label::Labels;
use super::server_of;
use crate::interrupt::around;
use crate::load::Load;
use vorrang_model::system::{Server, ServerKind, SupplyId, System};
use vorrang_time::Duration;

/// What the timers of the budgets of a core take.
pub(super) fn loads<'a>(system: &'a System, core: SupplyId, labels: &'a Labels) -> Vec<Load<'a>> {
    let cost = cost(system, core);
    let servers = counted(system, core).zip(&labels.budgets);
    let loads = servers.filter(|_| !cost.is_zero()).flat_map(|(id, [returns, ends])| {
        let server = server_of(system, id);
        [
            Load::new(returns, cost, server.period, Duration::ZERO),
            Load::new(ends, cost, server.period, server.period - server.budget),
        ]
    });
    loads.collect()
}

/// The servers of the host whose budgets return once in a period.
pub(super) fn counted(system: &System, core: SupplyId) -> impl Iterator<Item = SupplyId> + '_ {
    of_host(system, core).filter(|&id| returns_once(server_of(system, id).kind))
}

/// The same, as servers.
pub(crate) fn budgets_by_timers(system: &System, core: SupplyId) -> impl Iterator<Item = &Server> {
    counted(system, core).map(|id| server_of(system, id))
}

/// Whether budgets of a core return and end by interrupts that are counted.
pub(super) fn interrupts(system: &System, core: SupplyId) -> bool {
    !cost(system, core).is_zero() && counted(system, core).next().is_some()
}

/// Whether budgets of a core return and end at a cost that nobody counts.
pub(super) fn uncounted(system: &System, core: SupplyId) -> bool {
    let others = |id| !returns_once(server_of(system, id).kind);
    let is_paid_for = |id| {
        let interrupt = system.interrupt(id);
        interrupt.delivery.as_ref().is_some_and(|delivery| delivery.pseudo_vcpu.is_some())
    };
    !cost(system, core).is_zero()
        && (of_host(system, core).any(others) || system.interrupts_on(core).any(is_paid_for))
}

fn returns_once(kind: ServerKind) -> bool {
    matches!(kind, ServerKind::Periodic | ServerKind::Polling | ServerKind::Deferrable)
}

/// One timer interrupt with its callback.
fn cost(system: &System, core: SupplyId) -> Duration {
    around(system, core) + system.costs.timer_expiry
}

/// The servers of a core that stand in no virtual processor.
fn of_host(system: &System, core: SupplyId) -> impl Iterator<Item = SupplyId> + '_ {
    let all = (0..system.supplies.len()).map(SupplyId);
    all.filter(move |&id| system.supply(id).server.is_some() && system.core_of(id) == core).filter(
        |&id| {
            let mut on = server_of(system, id).on;
            while let Some(server) = &system.supply(on).server {
                if system.supply(on).vm.is_some() {
                    return false;
                }
                on = server.on;
            }
            true
        },
    )
}
