//! Tasks that arrive by the clock.

use super::Coverage;
use vorrang_model::system::{Communication, Scheduler, System};

impl Coverage {
    /// Counts what is beside them.
    pub(super) fn offsets(&mut self, system: &System) {
        for id in system.task_ids().filter(|&id| system.task(id).offset.is_some()) {
            let (task, supply) = (system.task(id), system.supply(system.task(id).on));
            let beside = [
                (true, "of tasks"),
                (!task.jitter.is_zero(), "with jitter"),
                (task.communication == Communication::Let, "with logical execution time"),
                (!task.wakes.is_empty(), "of a source of wake-ups"),
                (supply.scheduler == Scheduler::Edf, "under edf"),
                (supply.scheduler.takes_turns(), "in turns"),
                (!supply.is_core(), "in a server"),
            ];
            for (_, name) in beside.into_iter().filter(|(is_so, _)| *is_so) {
                self.count("offset", name);
            }
        }
    }
}
