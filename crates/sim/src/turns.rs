//! The turns and the time slices that a description states.

use vorrang_mechanisms::scheduler::TimeSlices;
use vorrang_mechanisms::scheduler::turns::{AnyTurns, RoundRobin, Stride, Vtrr};
use vorrang_model::system::{Member, Scheduler, Supply, System};

/// The turns of a supply, if its members take them.
pub(crate) fn turns(system: &System, supply: &Supply) -> Option<AnyTurns> {
    if !supply.scheduler.takes_turns() {
        return None;
    }
    let share = |&member: &Member| match member {
        Member::Task(id) => system.task(id).share,
        Member::Server(id) => system.supply(id).kind.weight().unwrap_or(1),
    };
    let shares: Vec<u32> = supply.members.iter().map(share).collect();
    let quantum = supply.quantum;
    Some(match supply.scheduler {
        Scheduler::Vtrr => AnyTurns::Vtrr(Vtrr::new(quantum, &shares)),
        Scheduler::Stride => AnyTurns::Stride(Stride::new(quantum, &shares)),
        Scheduler::WeightedRoundRobin => {
            AnyTurns::WeightedRoundRobin(RoundRobin::weighted(quantum, &shares))
        }
        _ => AnyTurns::RoundRobin(RoundRobin::new(quantum, shares.len())),
    })
}

/// The time slices of a supply, if its equals take them; servers that are scheduled by deadline have none, nor tasks
/// that are not preempted.
pub(crate) fn time_slices(system: &System, supply: &Supply) -> Option<TimeSlices> {
    let slice = supply.time_slice?;
    let has_slices = |member: &Member| match *member {
        Member::Task(id) => !system.keeps(id),
        Member::Server(id) => !system.supply(id).is_of_linux(),
    };
    Some(TimeSlices::new(slice, supply.members.iter().map(has_slices)))
}
