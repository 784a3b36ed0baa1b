//! Which cores the simulator can run.

use core::fmt;
use vorrang_model::system::{Member, Scheduler, ServerKind, SupplyId, System};

/// Why a core cannot be simulated: something on it that no mechanism represents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotCovered {
    /// A server that its parent's scheduler cannot order.
    Placement {
        /// Full name of the server.
        name: String,
        /// Its kind.
        kind: ServerKind,
        /// The scheduler of its parent.
        scheduler: Scheduler,
    },
    /// A feature of the description that nothing represents.
    Feature {
        /// What it is, by name.
        what: String,
    },
}

impl fmt::Display for NotCovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Placement { name, kind, scheduler } => {
                let (kind, scheduler) = (kind.word(), scheduler.word());
                write!(f, "{name}: {kind} servers on {scheduler} supplies are not simulated")
            }
            Self::Feature { what } => write!(f, "{what} is not simulated yet"),
        }
    }
}

impl core::error::Error for NotCovered {}

/// Whether the core can be simulated, and the cores that paths connect to it, with everything on them.
///
/// # Errors
/// The first thing on them that cannot.
pub fn covered(system: &System, core: SupplyId) -> Result<(), NotCovered> {
    system.connected(core).into_iter().try_for_each(|core| alone(system, core))
}

/// The same of one core.
fn alone(system: &System, core: SupplyId) -> Result<(), NotCovered> {
    for feature in &system.unsupported {
        if feature.core.is_none_or(|affected| affected == core) {
            return Err(NotCovered::Feature { what: feature.what.clone() });
        }
    }
    for (index, supply) in system.supplies.iter().enumerate() {
        if system.core_of(SupplyId(index)) != core {
            continue;
        }
        if let Some(interrupt) = system.pseudo_vcpu_beside_slices(SupplyId(index)) {
            let what = format!(
                "the pseudo-VCPU of {}, whose priority is that of members with time slices,",
                interrupt.name
            );
            return Err(NotCovered::Feature { what });
        }
        let mut tasks = supply.members.iter().filter_map(|&member| match member {
            Member::Task(id) => Some(id),
            Member::Server(_) => None,
        });
        if supply.scheduler.takes_turns()
            && let Some(task) = tasks.find(|&task| system.keeps(task))
        {
            let task = &system.task(task).name;
            let what = format!("{task}, which is not preempted, among members that take turns,");
            return Err(NotCovered::Feature { what });
        }
        let name = || supply.name.clone();
        let Some((on, kind)) = supply.on().zip(supply.server_kind()) else { continue };
        let scheduler = system.supply(on).scheduler;
        if !can_order(scheduler, kind) {
            return Err(NotCovered::Placement { name: name(), kind, scheduler });
        }
    }
    Ok(())
}

/// Whether a scheduler can order servers of that kind among its members.
fn can_order(scheduler: Scheduler, kind: ServerKind) -> bool {
    match kind {
        ServerKind::Slot | ServerKind::Table => scheduler == Scheduler::Slots,
        ServerKind::Share => scheduler.takes_turns(),
        ServerKind::Sporadic
        | ServerKind::RefillQueue
        | ServerKind::PosixSporadic
        | ServerKind::Level => {
            matches!(scheduler, Scheduler::FixedPriority | Scheduler::Linux)
        }
        ServerKind::Periodic
        | ServerKind::Polling
        | ServerKind::Deferrable
        | ServerKind::CbsHard
        | ServerKind::CbsSoft
        | ServerKind::SchedDeadline => {
            matches!(scheduler, Scheduler::FixedPriority | Scheduler::Linux | Scheduler::Edf)
        }
    }
}
