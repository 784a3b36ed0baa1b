//! From the description of servers and turns to their mechanisms.
//!
//! Phases are zero: the first period of every server begins with the schedule.

use vorrang_mechanisms::scheduler::turns::{AnyTurns, RoundRobin, Stride, Vtrr};
use vorrang_mechanisms::server::{
    AnyServer, CbsHard, Deferrable, Periodic, Polling, RefillQueue, Share, Sporadic, Table,
};
use vorrang_model::system::{Scheduler, ServerKind, ServerRule, SupplyKind};
use vorrang_time::Duration;

/// When a kind of server must notice that its sleeping thread has work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WakeUps {
    /// Never: it consumes its time with or without work.
    Unneeded,
    /// When its budget returns, and at no other instant.
    AtReplenishment,
    /// At once: the kind preserves its budget for it, measures time from that instant, or takes its turn from
    /// then on.
    AtOnce,
    /// Never: it has no thread, and supplies its time to all other threads.
    Rest,
    /// At once, by the interrupt: it is a pseudo-VCPU, and its thread is that of its virtual processor.
    Interrupt,
}

/// The wake-ups that a kind must notice; `None`: it is not run on a machine.
pub fn wake_ups(kind: ServerKind) -> Option<WakeUps> {
    match kind {
        ServerKind::Periodic | ServerKind::Slot => Some(WakeUps::Unneeded),
        ServerKind::Polling => Some(WakeUps::AtReplenishment),
        ServerKind::Deferrable
        | ServerKind::Sporadic
        | ServerKind::RefillQueue
        | ServerKind::CbsHard
        | ServerKind::Share => Some(WakeUps::AtOnce),
        ServerKind::CbsSoft
        | ServerKind::SchedDeadline
        | ServerKind::PosixSporadic
        | ServerKind::Table
        | ServerKind::Level => None,
    }
}

/// The turns of a scheduler, for members with these shares; `None`: it has no turns.
pub fn turns(scheduler: Scheduler, quantum: Duration, shares: &[u32]) -> Option<AnyTurns> {
    match scheduler {
        Scheduler::RoundRobin => Some(AnyTurns::RoundRobin(RoundRobin::new(quantum, shares.len()))),
        Scheduler::WeightedRoundRobin => {
            Some(AnyTurns::WeightedRoundRobin(RoundRobin::weighted(quantum, shares)))
        }
        Scheduler::Stride => Some(AnyTurns::Stride(Stride::new(quantum, shares))),
        Scheduler::Vtrr => Some(AnyTurns::Vtrr(Vtrr::new(quantum, shares))),
        Scheduler::FixedPriority | Scheduler::Edf | Scheduler::Linux | Scheduler::Slots => None,
    }
}

/// The mechanism of a server; `None`: its kind is not run on a machine.
pub fn mechanism(kind: &SupplyKind) -> Option<AnyServer> {
    let server = match kind {
        SupplyKind::Core | SupplyKind::Level(_) => return None,
        SupplyKind::Share(_) => return Some(AnyServer::Share(Share)),
        SupplyKind::Server(server) => server,
    };
    let (budget, period, phase) = (server.budget, server.period, Duration::ZERO);
    Some(match server.rule {
        ServerRule::Periodic => AnyServer::Periodic(Periodic::new(budget, period, phase)),
        ServerRule::Polling => AnyServer::Polling(Polling::new(budget, period, phase)),
        ServerRule::Deferrable => AnyServer::Deferrable(Deferrable::new(budget, period, phase)),
        ServerRule::Sporadic => AnyServer::Sporadic(Sporadic::new(budget, period)),
        ServerRule::RefillQueue { refills, min_budget } => {
            let queue = RefillQueue::with_max_refills(budget, period, refills as usize);
            AnyServer::RefillQueue(queue.with_least_budget(min_budget.unwrap_or_default()))
        }
        ServerRule::CbsHard => AnyServer::CbsHard(CbsHard::new(budget, period)),
        ServerRule::Slot { offset } => AnyServer::Table(Table::slot(budget, period, offset)),
        ServerRule::CbsSoft
        | ServerRule::SchedDeadline { .. }
        | ServerRule::Table
        | ServerRule::PosixSporadic => {
            return None;
        }
    })
}

/// Why a kind is not run; empty for those that are.
pub fn refusal(kind: ServerKind) -> &'static str {
    match kind {
        ServerKind::CbsSoft => {
            "a soft server continues when its budget is exhausted, so nothing could be enforced; \"cbs-hard\" waits"
        }
        ServerKind::SchedDeadline => {
            "\"sched-deadline\" is the kernel's own; `vorrang apply` sets it"
        }
        ServerKind::PosixSporadic => {
            "an exhausted \"posix-sporadic\" continues in the background, where it is not bounded; \"sporadic\" waits"
        }
        ServerKind::Table => "a table of windows is not run here; a \"slot\" is",
        ServerKind::Level => {
            "without a budget there is nothing to enforce; on a \"linux\" core `vorrang apply` makes it a thread of SCHED_FIFO"
        }
        ServerKind::Periodic
        | ServerKind::Polling
        | ServerKind::Deferrable
        | ServerKind::Sporadic
        | ServerKind::RefillQueue
        | ServerKind::CbsHard
        | ServerKind::Slot
        | ServerKind::Share => "",
    }
}
