//! Costs of the dispatcher that a description does not state.
//!
//! **Model.** A decision is a call of the scheduler (`scheduler-call`), and a sample of sleeping threads is an
//! interrupt of the processor with the period of the samples. Bounds count both if the description states them;
//! the report of a run has their costs on a machine.

use crate::reserved::Reserved;
use crate::rule::WakeUps;
use crate::scope::Scope;
use vorrang_model::System;
use vorrang_model::system::Selector;
use vorrang_time::Duration;

/// All costs of the dispatcher of a core that no bound counts, a sentence each.
pub fn uncounted(system: &System, scope: &Scope, look: Duration) -> Vec<String> {
    let mut found = Vec::new();
    if system.costs.scheduler_call.is_zero() {
        found.push(
            "decisions take no time in it: state `scheduler-call` in [costs]; the report of a run has the time of a decision".to_owned(),
        );
    }
    let of_kernel =
        |one: &&Reserved| matches!(one.selector, Some(Selector::Irq(_) | Selector::Napi(..)));
    found.extend(scope.servers.iter().filter(of_kernel).map(|one| {
        format!(
            "{}: its thread may be parked in the middle of a delivery, with a lock that others wait for; these end it with their own \
             priority, once for each budget that is used up",
            one.name
        )
    }));
    if !scope.tasks.is_empty() && system.costs.context_switch.is_zero() {
        found.push(format!(
            "the kernel itself switches to {}, which takes no time in it: state `context-switch` in [costs]",
            scope.tasks[0].name
        ));
    }
    let looks = scope.servers.iter().any(|one| one.wake_ups == WakeUps::AtOnce);
    let is_stated = system.interrupts.iter().any(|interrupt| {
        interrupt.on == scope.core
            && interrupt.delivery.is_none()
            && interrupt.is_external()
            && interrupt.min_interarrival <= look
    });
    if looks && !is_stated {
        found.push(format!(
            "looks at threads that sleep take no time in it: state them as an interrupt of {}, with \
             `min-interarrival = \"{look}\"` and as `isr` the time of a decision",
            system.supply(scope.core).name
        ));
    }
    found
}
