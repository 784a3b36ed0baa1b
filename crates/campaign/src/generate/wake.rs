//! Tasks that an interrupt, a timer or a network card activates.

use super::Draft;
use vorrang_model::system::{Activation, InterruptId, SupplyId, TaskId};
use vorrang_time::Duration;

impl Draft {
    /// Tasks on a core that nothing activates yet.
    pub(super) fn sporadic_tasks(&self, core: SupplyId) -> Vec<TaskId> {
        let tasks = self.system.task_ids();
        let free = |id: &TaskId| {
            let task = self.system.task(*id);
            task.activation == Activation::Sporadic && self.system.core_of(task.on) == core
        };
        tasks.filter(free).collect()
    }

    /// From now on the task is activated by that, at most at this rate.
    pub(super) fn activate(&mut self, id: TaskId, by: Activation, period: Duration) {
        let task = &mut self.system.tasks[id.0];
        task.activation = by;
        task.min_interarrival = period;
        task.jitter = Duration::ZERO;
        // An unintended overload tests nothing.
        task.wcet = task.wcet.min(period);
    }

    /// Interrupts of the core that wake tasks outside virtual processors.
    pub(super) fn wake_ups(&mut self, core: SupplyId) {
        let interrupts: Vec<InterruptId> = self.system.interrupts_on(core).collect();
        for id in interrupts {
            let interrupt = self.system.interrupt(id);
            let taken = interrupt.wakes.is_some() || interrupt.delivery.is_some();
            if taken || !self.random.chance(1, 2) {
                continue;
            }
            let mut tasks = self.sporadic_tasks(core);
            tasks.retain(|&task| !self.is_in_guest(self.system.task(task).on));
            if !tasks.is_empty() {
                let task = self.random.one_of(&tasks);
                let period = self.system.interrupt(id).min_interarrival;
                self.system.interrupts[id.0].wakes = Some(task);
                self.activate(task, Activation::Interrupt(id), period);
            }
        }
    }
}
