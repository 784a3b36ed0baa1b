//! Tasks that poll for ever: systems that are drawn already, of which one best-effort task or another has no end.

use crate::random::Random;
use vorrang_model::system::{Activation, Preemption, RequirementKind, Scheduler, System, Task};
use vorrang_time::Duration;

/// The stream of these, away from those of systems, of bursts and of tasks that are not preempted.
const STREAM: u64 = 1 << 42;

/// One in three of the tasks that nothing wakes, that wake nothing, and that no deadline orders.
pub(super) fn poll(seed: u64, index: u64, system: &mut System) {
    let mut random = Random::new(seed, STREAM + index);
    for id in system.task_ids() {
        let Task { on, activation, wakes, .. } = system.task(id);
        let is_free =
            *activation == Activation::Sporadic && wakes.is_empty() && !system.is_other(id);
        let by_deadline = system.supply(*on).scheduler == Scheduler::Edf;
        let times = system.timers.iter().any(|timer| timer.armed_by == id);
        let read = system.chains.iter().any(|chain| chain.path.contains(&id));
        if !is_free || by_deadline || times || read || !random.chance(1, 3) {
            continue;
        }
        let task = &mut system.tasks[id.0];
        *task = Task {
            wcet: Task::ENDLESS,
            bcet: Task::ENDLESS,
            min_interarrival: Task::ENDLESS,
            polls: true,
            deadline: None,
            distances: None,
            latest_interarrival: None,
            jitter: Duration::ZERO,
            blocking: Duration::ZERO,
            preemption: Preemption::Full,
            execution: Vec::new(),
            ..task.clone()
        };
        system.requirements.retain(|of| of.kind != RequirementKind::Deadline(id));
    }
}
