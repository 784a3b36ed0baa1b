//! Servers by priority, and the kinds that have none of the theorems.

use crate::Uncertified;
use vorrang_certificate::Kind;
use vorrang_model::System;
use vorrang_model::system::{Scheduler, Server, ServerRule, SupplyId};
use vorrang_time::Duration;

/// A server by priority.
pub(super) fn server(system: &System, id: SupplyId) -> Result<(Kind, Server), Uncertified> {
    let Some(server) = system.supply(id).server() else {
        return Err(Uncertified::not_mechanised("a share of turns", "turns"));
    };
    let kind = match server.rule {
        ServerRule::Periodic => Kind::Periodic,
        ServerRule::Polling => Kind::Polling,
        ServerRule::Deferrable => Kind::Deferrable,
        ServerRule::Sporadic => Kind::Sporadic,
        ServerRule::CbsHard => return Err(of_kind("cbs-hard", "constant-bandwidth")),
        ServerRule::CbsSoft => return Err(of_kind("cbs-soft", "soft-server")),
        ServerRule::SchedDeadline { .. } => {
            return Err(of_kind("sched-deadline", "sched-deadline"));
        }
        ServerRule::Slot { .. } => return Err(of_kind("slot", "fixed-slot")),
        ServerRule::Table => return Err(of_kind("table", "tables")),
        ServerRule::PosixSporadic => return Err(of_kind("posix-sporadic", "not-bounded")),
        ServerRule::RefillQueue { .. } if server.is_round_robin() => {
            return Err(Uncertified::not_mechanised("a budget that is the whole period", "slices"));
        }
        ServerRule::RefillQueue { refills, min_budget } => queue(refills, min_budget),
    };
    Ok((kind, *server))
}

/// Where no least budget is stated every refill is used by itself; none has less than a nanosecond.
fn queue(refills: u32, least: Option<Duration>) -> Kind {
    let least = least.unwrap_or_default().as_ns().max(1);
    Kind::Refills { most: refills.into(), least }
}

pub(super) fn of_kind(kind: &str, page: &'static str) -> Uncertified {
    Uncertified::not_mechanised(format!("a server of kind {kind}"), page)
}

/// Why what a scheduler that no theorem knows orders is not certified.
pub(super) fn not_scheduled(by: Scheduler) -> Uncertified {
    let (what, page) = match by {
        Scheduler::FixedPriority => ("fixed priority", "busy-window"),
        Scheduler::Edf => ("EDF in a guest", "edf-response"),
        Scheduler::Linux => ("Linux", "linux"),
        Scheduler::Slots => ("a task outside of all slots", "fixed-slot"),
        Scheduler::Vtrr
        | Scheduler::Stride
        | Scheduler::RoundRobin
        | Scheduler::WeightedRoundRobin => ("turns", "turns"),
    };
    Uncertified::not_mechanised(what, page)
}
