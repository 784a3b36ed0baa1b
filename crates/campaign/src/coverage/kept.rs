//! Tasks that are not preempted.

use super::Coverage;
use vorrang_model::system::{Activation, Member, System};

impl Coverage {
    /// Counts what is beside them.
    pub(super) fn kept(&mut self, system: &System) {
        for id in system.task_ids().filter(|&id| system.keeps(id)) {
            let (task, supply) = (system.task(id), system.supply(system.task(id).on));
            let costs = system.costs;
            let core = system.core_of(task.on);
            let holds_up = |&member: &Member| {
                !system.held_up(member).is_zero() && !system.section(member).is_zero()
            };
            let beside = [
                (true, "at all"),
                (task.cache.is_some(), "with a cache"),
                (!supply.is_core(), "in a server"),
                (task.activation != Activation::Sporadic, "that something wakes"),
                (!task.jitter.is_zero(), "with jitter"),
                (!costs.scheduler_call.is_zero(), "beside calls of the scheduler"),
                (!costs.context_switch.is_zero(), "beside switches"),
                (!system.supply(core).sections.is_zero(), "beside sections of the kernel"),
                (supply.members.iter().any(holds_up), "beside a stated section"),
            ];
            for (_, name) in beside.into_iter().filter(|(is_so, _)| *is_so) {
                self.count("not preempted", name);
            }
        }
    }
}
