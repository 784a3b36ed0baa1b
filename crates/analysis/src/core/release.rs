//! When the jobs of a task are released that no interrupt wakes.
//!
//! **Model.** A job arrives at least a period after the one before and is released up to its jitter
//! later. What the world brings is as stated; what a timer wakes arrives when it expires and is
//! released when the callback ends; a packet is read when it has been polled (`bounds/packets.rs`).
//!
//! **Assumptions.** 1. On a core whose timers are handled at once, a job that a timer wakes counts
//! from its expiry: a busy window there begins when no callback is pending. Elsewhere the window
//! knows nothing of the core's callbacks.
//!
//! Theory: docs/theory/timers.md, docs/theory/polling-server.md.

use crate::demand::Load;
use crate::ground::LONGEST_WINDOW;
use crate::ground::Reason;
use crate::ground::Source;
use crate::overhead::Timers;
use crate::request::Card;
use core::iter::successors;
use vorrang_model::system::{Activation, Interrupt, SupplyId, System, Task, TaskId, TimerId};
use vorrang_time::Duration;

/// How late packets are for their receiver, or why nothing bounds that.
pub(crate) type Delay = Result<Duration, Reason>;

/// The jobs of a task of a core, given how late its timers are handled.
pub(crate) fn jobs<'s>(
    system: &'s System,
    id: TaskId,
    timers: &Timers<'_>,
    delays: &[Delay],
) -> Load<'s> {
    let task = system.task(id);
    if let Some(card) = Card::read_by(system, id) {
        let delay = delays[card.id.0].as_ref().map_or(LONGEST_WINDOW, |delay| *delay);
        return card.reading(id, task.wcet, delay);
    }
    let Activation::Timer(timer) = task.activation else { return Load::of_task(id, task) };
    let is_on_core = system.supply(task.on).is_core();
    let counts_from_expiry = is_on_core && !timers.is_shielded();
    let jitter = if counts_from_expiry { Duration::ZERO } else { timers.latency(timer) };
    Load::new(Source::Task(id), task.wcet, system.timer(timer).period, jitter)
}

/// The ends of a timer's callbacks, given how late it is handled.
pub(crate) fn expiries<'s>(system: &'s System, id: TimerId, timers: &Timers<'_>) -> Load<'s> {
    let timer = system.timer(id);
    Load::new(Source::Timer(id), Duration::ZERO, timer.period, timers.latency(id))
}

/// How long before a window in which something of a polling server is ready a poll may have found
/// nothing: one unit, for what arrives at the instant of a poll is seen; but no time at all if a
/// timer wakes a task in it, or is delivered to a guest in it, for a callback that takes no time may
/// come after the poll.
pub(crate) fn since_poll(system: &System, server: SupplyId) -> Duration {
    let parent = |id: &SupplyId| system.supply(*id).on();
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
