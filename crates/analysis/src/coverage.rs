//! What on a core no analysis covers.

use vorrang_model::system::{Member, Scheduler, ServerKind, SupplyId, System};

/// The first thing on a core, by name, that makes every requirement there undecided.
pub(crate) fn not_covered(system: &System, core: SupplyId) -> Option<String> {
    let unsupported = system.unsupported.iter().find(|u| u.core.is_none_or(|c| c == core));
    if let Some(unsupported) = unsupported {
        return Some(unsupported.what.clone());
    }
    (0..system.supplies.len())
        .map(SupplyId)
        .filter(|&id| system.core_of(id) == core)
        .find_map(|id| not_covered_at(system, id))
}

/// Something about one supply or the way its servers are scheduled.
fn not_covered_at(system: &System, id: SupplyId) -> Option<String> {
    let supply = system.supply(id);
    if supply.scheduler.takes_turns() || supply.scheduler == Scheduler::Linux {
        return Some(format!("the {:?} scheduler of {}", supply.scheduler, supply.name));
    }
    supply.members.iter().find_map(|&member| {
        let name = system.member_name(member);
        match member {
            Member::Task(task) => match supply.scheduler {
                Scheduler::Slots => {
                    Some(format!("{name}, a task directly on the slots of {}", supply.name))
                }
                Scheduler::Edf if system.task(task).deadline.is_none() => {
                    Some(format!("{name}, a task without deadline under EDF"))
                }
                _ => None,
            },
            Member::Server(server) => {
                let kind = system.supply(server).server.as_ref()?.kind;
                let covered = match supply.scheduler {
                    Scheduler::FixedPriority => {
                        matches!(
                            kind,
                            ServerKind::Periodic | ServerKind::Deferrable | ServerKind::Sporadic
                        )
                    }
                    Scheduler::Edf => {
                        matches!(
                            kind,
                            ServerKind::Periodic | ServerKind::Deferrable | ServerKind::CbsHard
                        )
                    }
                    Scheduler::Slots => kind == ServerKind::Slot,
                    _ => false,
                };
                (!covered).then(|| format!("{name}, a server of kind {kind:?} on {}", supply.name))
            }
        }
    })
}
