//! Arrivals in bursts.

use super::Coverage;
use vorrang_model::system::{Scheduler, System};

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
                (!task.jitter.is_zero(), "with jitter"),
                (supply.scheduler == Scheduler::Edf, "under edf"),
                (supply.scheduler.takes_turns(), "in turns"),
                (!supply.is_core(), "in a server"),
                (!system.costs.scheduler_call.is_zero(), "beside calls of the scheduler"),
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
        }
    }
}
