//! What of a core the theorems do not know.

use crate::Uncertified;
use vorrang_model::System;
use vorrang_model::system::{Costs, InterruptTime, SupplyId};

/// Nothing happens on the core that the theorems do not know.
pub(super) fn core_is_covered(system: &System, id: SupplyId) -> Result<(), Uncertified> {
    let core = system.supply(id);
    let within = |supply: &SupplyId| system.core_of(*supply) == id;
    let cold =
        system.supply_ids().filter(within).any(|supply| system.supply(supply).cache.is_some())
            || system.tasks.iter().any(|task| within(&task.on) && task.cache.is_some());
    let interrupts = || system.interrupts_of(id).map(|interrupt| system.interrupt(interrupt));
    let refused: [(bool, &str, &'static str); 9] = [
        (!system.unsupported.is_empty(), "a feature that is not represented", "not-bounded"),
        (system.costs != Costs::default(), "costs of the machine", "scheduler-costs"),
        (cold, "cold caches", "cold-caches"),
        (system.timers_on(id).next().is_some(), "timers", "timers"),
        (system.devices_on(id).next().is_some(), "network cards", "network-card"),
        (interrupts().any(|of| of.delivery.is_some()), "interrupts of guests", "delivered-routine"),
        (interrupts().any(|of| of.storm.is_some()), "storms", "storms"),
        (core.sections.as_ns() > 0 || core.overrun.as_ns() > 0, "sections of a kernel", "sections"),
        (core.interrupt_time != InterruptTime::Apart, "charged interrupts", "charged-interrupts"),
    ];
    match refused.into_iter().find(|(is_so, ..)| *is_so) {
        Some((_, what, page)) => Err(Uncertified::not_mechanised(what, page)),
        None => Ok(()),
    }
}
