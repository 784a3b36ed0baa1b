//! Arrivals in bursts.

use super::Coverage;
use vorrang_model::system::{Distances, Scheduler, System};

impl Coverage {
    /// Counts what has distances of several arrivals.
    pub(super) fn bursts(&mut self, system: &System) {
        let mut tasks = system.tasks.iter().filter(|task| task.distances.is_some()).peekable();
        if tasks.peek().is_some() {
            self.count("burst", "of tasks");
        }
        for task in tasks {
            let supply = system.supply(task.on);
            let beside = [
                (task.distances.as_ref().is_some_and(is_of_later), "of tasks, by later arrivals"),
                (!task.jitter.is_zero(), "with jitter"),
                (supply.scheduler == Scheduler::Edf, "under edf"),
                (supply.scheduler.takes_turns(), "in turns"),
                (!supply.is_core(), "in a server"),
                (!system.costs.scheduler_call.is_zero(), "beside calls of the scheduler"),
                (!system.caches.is_empty(), "beside cold caches"),
                (!system.devices.is_empty(), "beside network cards"),
            ];
            for (_, name) in beside.into_iter().filter(|(is_so, _)| *is_so) {
                self.count("burst", name);
            }
        }
        for interrupt in system.interrupts.iter().filter(|own| own.distances.is_some()) {
            self.count("burst", "of interrupts");
            if interrupt.delivery.is_some() {
                self.count("burst", "of interrupts of guests");
            }
            if interrupt.distances.as_ref().is_some_and(is_of_later) {
                self.count("burst", "of interrupts, by later arrivals");
            }
        }
    }
}

/// Whether some are left out.
fn is_of_later(distances: &Distances) -> bool {
    distances.farthest() > distances.stated().len()
}
