//! When the jobs of a task are released that no interrupt wakes.
//!
//! **Model.** A job arrives at least a period after the one before and is released up to its jitter
//! later. What the world brings is as stated; what a timer wakes arrives when it expires and is
//! released when the callback ends; a packet is read when it has been polled (`packets.rs`).
//!
//! **Assumptions.** 1. On a core whose timers are handled at once, a job that a timer wakes counts
//! from its expiry: a busy window there begins when no callback is pending. Elsewhere the window
//! knows nothing of the core's callbacks.

use super::Walk;
use super::machine::Machine;
use super::packets::Delay;
use crate::device::Card;
use crate::effort::LONGEST_WINDOW;
use crate::interrupt::Requests;
use crate::load::Load;
use core::iter::successors;
use vorrang_model::system::{
    Activation, Interrupt, InterruptId, SupplyId, System, Task, TaskId, TimerId,
};
use vorrang_time::Duration;

/// The jobs of a task of a core, given how late its timers are handled.
pub(super) fn jobs<'s>(
    system: &'s System,
    id: TaskId,
    machine: &Machine<'_>,
    delays: &[Delay],
) -> Load<'s> {
    let task = system.task(id);
    if let Some(card) = Card::read_by(system, id) {
        let delay = delays[card.id.0].as_ref().map_or(LONGEST_WINDOW, |delay| *delay);
        return card.reading(&task.name, task.wcet, delay);
    }
    let Activation::Timer(timer) = task.activation else { return Load::of_task(task) };
    let is_on_core = system.supply(task.on).server.is_none();
    let counts_from_expiry = is_on_core && !machine.is_shielded();
    let jitter = if counts_from_expiry { Duration::ZERO } else { machine.latency(timer) };
    Load::new(&task.name, task.wcet, system.timer(timer).period, jitter)
}

/// The ends of a timer's callbacks, given how late it is handled.
pub(super) fn expiries<'s>(system: &'s System, id: TimerId, machine: &Machine<'_>) -> Load<'s> {
    let timer = system.timer(id);
    Load::new(&timer.name, Duration::ZERO, timer.period, machine.latency(id))
}

/// How long before a window in which something of a polling server is ready a poll may have found
/// nothing: one unit, for what arrives at the instant of a poll is seen; but no time at all if a
/// timer wakes a task in it, or is delivered to a guest in it, for a callback that takes no time may
/// come after the poll.
pub(super) fn since_poll(system: &System, server: SupplyId) -> Duration {
    let parent = |id: &SupplyId| system.supply(*id).server.as_ref().map(|server| server.on);
    let is_woken_inside = |task: &Task| {
        matches!(task.activation, Activation::Timer(_))
            && successors(Some(task.on), parent).any(|supply| supply == server)
    };
    let is_delivered_inside = |interrupt: &Interrupt| {
        let vcpu = interrupt.delivery.as_ref().map(|delivery| delivery.vcpu);
        interrupt.timer.is_some() && successors(vcpu, parent).any(|supply| supply == server)
    };
    let is_late = system.tasks.iter().any(is_woken_inside)
        || system.interrupts.iter().any(is_delivered_inside);
    if is_late { Duration::ZERO } else { Duration::RESOLUTION }
}

impl Walk<'_> {
    /// From now on the tasks of a core are released as late as its timers are handled.
    pub(super) fn release(&mut self, core: SupplyId, machine: &Machine<'_>) {
        let system = self.system;
        for id in (0..system.tasks.len()).map(TaskId) {
            if system.core_of(system.task(id).on) == core {
                self.jobs[id.0] = jobs(system, id, machine, &self.delays);
            }
        }
        self.deliver_timers(core, machine);
    }

    /// Guests take the timers of their tasks when the callback ends, which stands for the routine of the core.
    fn deliver_timers(&mut self, core: SupplyId, machine: &Machine<'_>) {
        for id in self.system.interrupts_of(core) {
            let Some(timer) = self.system.interrupt(id).timer else { continue };
            let ends = Requests::always(expiries(self.system, timer, machine));
            let stages = &mut self.stages[id.0];
            (stages.at_core, stages.after_core) = (Some(ends), Some(Ok(ends)));
        }
    }

    /// When the jobs of a task are released that an interrupt wakes.
    pub(super) fn explain_release(&mut self, task: TaskId, id: InterruptId, own: &Load<'_>) {
        if self.is_target(task) {
            let interrupt = &self.system.interrupt(id).name;
            self.lines.push(format!(
                "{}: arrives with {interrupt}, at least {} apart, released up to {} later",
                own.name, own.period, own.jitter
            ));
        }
    }
}
