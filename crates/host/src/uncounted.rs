//! What the dispatcher takes of its processor and a description does not state.
//!
//! **Model.** A decision is a call of the scheduler (`scheduler-call`), and a look at threads that sleep is an interrupt
//! of the processor with the period of the looks. Bounds count both if the description states them; what they take
//! on a machine, the report of a run says.

use crate::rule::WakeUps;
use crate::scope::Scope;
use vorrang_model::System;
use vorrang_time::Duration;

/// Everything that the dispatcher of this description takes and no bound counts, a sentence each.
pub fn uncounted(system: &System, scope: &Scope, look: Duration) -> Vec<String> {
    let mut found = Vec::new();
    if system.costs.scheduler_call.is_zero() {
        found.push(
            "decisions take no time in it: state `scheduler-call` in [costs]; a run says what a decision takes".to_owned(),
        );
    }
    let looks = scope.servers.iter().any(|one| one.wake_ups == WakeUps::AtOnce);
    let is_stated = system.interrupts.iter().any(|interrupt| {
        interrupt.delivery.is_none()
            && interrupt.timer.is_none()
            && interrupt.min_interarrival <= look
    });
    if looks && !is_stated {
        found.push(format!(
            "looks at threads that sleep take no time in it: state them as an interrupt of the core, with \
             `min-interarrival = \"{look}\"` and as `isr` what a decision takes"
        ));
    }
    found
}
