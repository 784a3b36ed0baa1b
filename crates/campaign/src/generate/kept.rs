//! Tasks that are not preempted: systems that are drawn already, in which priority decides.

use crate::random::Random;
use vorrang_model::system::{Preemption, Scheduler, System};

/// The stream of these, away from those of systems and of bursts.
const STREAM: u64 = 1 << 41;

/// Half of the tasks of supplies by priority.
pub(super) fn keep(seed: u64, index: u64, system: &mut System) {
    let mut random = Random::new(seed, STREAM + index);
    for id in system.task_ids() {
        let scheduler = system.supply(system.task(id).on).scheduler;
        let by_priority = matches!(scheduler, Scheduler::FixedPriority | Scheduler::Linux);
        if by_priority && !system.is_other(id) && random.chance(1, 2) {
            system.tasks[id.0].preemption = Preemption::None;
        }
    }
}
