//! The price of a system: what of each core is reserved, used, lost to switching, and left.
//!
//! **Model.** Shares of a core in the long run, which add up to the core:
//!
//! ```text
//!   1 = reserved (servers and pseudo-VCPUs on it that are declared) + fair server (of the kernel)
//!     + beside (tasks and routines on it, and what the machine takes around these and for their timers)
//!     + switching (what every server of the host takes at least for its budget to come and go, cost.rs)
//!     + left
//! ```
//!
//! *Used* goes across: the work in all of these.
//!
//! **Assumptions.** 1. Of switching: a budget is given in one piece, the least there is. Everything else takes the most
//! that the description allows, so *left* is what is left in every history but for further switching.

use crate::cost::{calls, switching};
use crate::layout::chain;
use vorrang_analysis::Bandwidth;
use vorrang_analysis::utilisation::occupied;
use vorrang_model::System;
use vorrang_model::system::{ServerKind, SupplyId};
use vorrang_time::Duration;

/// The price of one core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// The core that pays it.
    pub core: SupplyId,
    /// By servers and pseudo-VCPUs on it that are declared.
    pub reserved: Bandwidth,
    /// By the kernel's server of `SCHED_OTHER`, which no description declares; `None`: there is none.
    pub fair_server: Option<Bandwidth>,
    /// By the tasks and the routines on it, with what the machine takes around these and for timers of tasks.
    pub beside: Bandwidth,
    /// For the budgets of servers to come and go, at least.
    pub switching: Bandwidth,
    /// The work of tasks and of guests' routines, anywhere on it.
    pub used: Bandwidth,
    /// What remains; `None` if that is not known.
    pub left: Option<Bandwidth>,
}

/// The price of every core.
pub fn price(system: &System) -> Vec<Price> {
    let all = occupied(system);
    let of_core = |core: SupplyId| {
        let row = &all[core.0];
        let per_period = |of: &dyn Fn(ServerKind) -> Duration| {
            let shares = hosted(system, core).map(|(kind, period)| Bandwidth::of(of(kind), period));
            shares.fold(Bandwidth::ZERO, Bandwidth::plus)
        };
        let calls = per_period(&|_| calls(&system.costs));
        let switching = per_period(&|kind| switching(&system.costs, kind));
        // The timers of budgets stand among the costs of the core already.
        let around = row.costs.minus(switching.minus(calls));
        let fair_server = system.fair_server(core).map(|of| Bandwidth::of(of.budget, of.period));
        Price {
            core,
            reserved: row.reserved.minus(fair_server.unwrap_or(Bandwidth::ZERO)),
            fair_server,
            beside: row.tasks.plus(row.interrupts).plus(around),
            switching,
            used: row.used,
            left: row.left().map(|left| left.minus(calls)),
        }
    };
    system.cores().map(of_core).collect()
}

/// The kinds and periods of the servers of a core that stand in no virtual processor.
fn hosted(system: &System, core: SupplyId) -> impl Iterator<Item = (ServerKind, Duration)> + '_ {
    system.supply_ids().filter_map(move |id| {
        let server = system.supply(id).server()?;
        let around = chain(system, server.on);
        let is_hosted =
            around.iter().all(|&id| system.supply(id).vm.is_none()) && around.contains(&core);
        is_hosted.then_some((server.kind(), server.period))
    })
}
