//! From the description of a server to its mechanism.
//!
//! Phases are zero: the first period of every server begins with the schedule.

use vorrang_mechanisms::server::{
    AnyServer, CbsHard, Deferrable, Periodic, Polling, RefillQueue, Sporadic,
};
use vorrang_model::system::{Server, ServerKind};
use vorrang_time::Duration;

/// When a kind of server has to know that its thread, which slept, has work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WakeUps {
    /// Never: it takes its time whether or not there is work.
    Unneeded,
    /// When its budget returns, and at no other instant.
    AtReplenishment,
    /// At once: the kind keeps its budget for it, or counts from that instant.
    AtOnce,
}

/// What a kind has to know of its thread; `None`: it is not run on a machine.
pub fn wake_ups(kind: ServerKind) -> Option<WakeUps> {
    match kind {
        ServerKind::Periodic => Some(WakeUps::Unneeded),
        ServerKind::Polling => Some(WakeUps::AtReplenishment),
        ServerKind::Deferrable
        | ServerKind::Sporadic
        | ServerKind::RefillQueue
        | ServerKind::CbsHard => Some(WakeUps::AtOnce),
        ServerKind::CbsSoft
        | ServerKind::SchedDeadline
        | ServerKind::Slot
        | ServerKind::PosixSporadic
        | ServerKind::Share => None,
    }
}

/// The mechanism of a server; `None`: its kind is not run on a machine.
pub fn mechanism(server: &Server) -> Option<AnyServer> {
    let (budget, period, phase) = (server.budget, server.period, Duration::ZERO);
    Some(match server.kind {
        ServerKind::Periodic => AnyServer::Periodic(Periodic::new(budget, period, phase)),
        ServerKind::Polling => AnyServer::Polling(Polling::new(budget, period, phase)),
        ServerKind::Deferrable => AnyServer::Deferrable(Deferrable::new(budget, period, phase)),
        ServerKind::Sporadic => AnyServer::Sporadic(Sporadic::new(budget, period)),
        ServerKind::RefillQueue => {
            let queue = RefillQueue::with_max_refills(budget, period, server.refills as usize);
            AnyServer::RefillQueue(queue.with_least_budget(server.min_budget.unwrap_or_default()))
        }
        ServerKind::CbsHard => AnyServer::CbsHard(CbsHard::new(budget, period)),
        ServerKind::CbsSoft
        | ServerKind::SchedDeadline
        | ServerKind::Slot
        | ServerKind::PosixSporadic
        | ServerKind::Share => return None,
    })
}

/// Why a kind is not run; of those that are, nothing.
pub fn refusal(kind: ServerKind) -> &'static str {
    match kind {
        ServerKind::CbsSoft => {
            "a soft server runs on when its budget is gone, and leaves nothing that could be guarded; \"cbs-hard\" waits"
        }
        ServerKind::SchedDeadline => {
            "\"sched-deadline\" is the kernel's own; `vorrang apply` sets it"
        }
        ServerKind::PosixSporadic => {
            "an exhausted \"posix-sporadic\" goes on in the background, which nobody bounds; \"sporadic\" waits"
        }
        ServerKind::Slot => "slots are not run on a machine yet",
        ServerKind::Share => "turns are not run on a machine yet",
        ServerKind::Periodic
        | ServerKind::Polling
        | ServerKind::Deferrable
        | ServerKind::Sporadic
        | ServerKind::RefillQueue
        | ServerKind::CbsHard => "",
    }
}
