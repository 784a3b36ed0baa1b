//! When the jobs of a task are released that no interrupt wakes.
//!
//! **Model.** A job arrives at least a period after the one before and is released up to its jitter
//! later. What the world brings is as stated; what a timer wakes arrives when it expires and is
//! released when the callback ends.
//!
//! **Assumptions.** 1. On a core whose timers are handled at once, a job that a timer wakes counts
//! from its expiry: a busy window there begins when no callback is pending. Elsewhere the window
//! knows nothing of the core's callbacks.

use super::Walk;
use super::machine::Machine;
use crate::load::Load;
use vorrang_model::system::{Activation, SupplyId, System, TaskId};
use vorrang_time::Duration;

/// The jobs of a task of a core, given how late its timers are handled.
pub(super) fn jobs<'s>(system: &'s System, id: TaskId, machine: &Machine<'_>) -> Load<'s> {
    let task = system.task(id);
    let Activation::Timer(timer) = task.activation else { return Load::of_task(task) };
    let is_on_core = system.supply(task.on).server.is_none();
    let counts_from_expiry = is_on_core && !machine.is_shielded();
    let jitter = if counts_from_expiry { Duration::ZERO } else { machine.latency(timer) };
    Load::new(&task.name, task.wcet, system.timer(timer).period, jitter)
}

impl Walk<'_> {
    /// From now on the tasks of a core are released as late as its timers are handled.
    pub(super) fn release(&mut self, core: SupplyId, machine: &Machine<'_>) {
        let system = self.system;
        for id in (0..system.tasks.len()).map(TaskId) {
            if system.core_of(system.task(id).on) == core {
                self.jobs[id.0] = jobs(system, id, machine);
            }
        }
    }
}
