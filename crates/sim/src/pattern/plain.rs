//! The plain history, from which an explicit one differs.

use crate::choice::Arrivals;
use crate::history::History;
use vorrang_model::system::{SupplyId, System};
use vorrang_time::{Duration, Instant};

/// Everything arrives from the start on, as often as allowed.
pub(super) const PLAIN: Arrivals = Arrivals::from(Instant::ZERO);

/// The history of which an explicit text names the differences.
pub(super) fn plain(system: &System) -> History {
    History {
        tasks: vec![PLAIN; system.tasks.len()],
        interrupts: vec![PLAIN; system.interrupts.len()],
        timers: vec![PLAIN; system.timers.len()],
        devices: vec![Some(Instant::ZERO); system.devices.len()],
        ..History::quiet(system)
    }
}

/// The history with the defaults for everything that is neither on the core nor on one that a path connects to it.
pub(super) fn only_on(system: &System, core: SupplyId, history: &History) -> History {
    let cores = system.connected(core);
    let is_apart = |supply: SupplyId| !cores.contains(&system.core_of(supply));
    let mut own = history.clone();
    for (index, phase) in own.phases.iter_mut().enumerate() {
        if is_apart(SupplyId(index)) {
            *phase = Duration::ZERO;
            own.overruns[index] = Duration::ZERO;
        }
    }
    for (index, arrivals) in own.tasks.iter_mut().enumerate() {
        if is_apart(system.tasks[index].on) || system.tasks[index].polls {
            *arrivals = PLAIN;
        } else if system.tasks[index].offset.is_some() {
            // Only its releases are open.
            *arrivals = Arrivals { delay: arrivals.delay, ..PLAIN };
        }
    }
    for index in 0..own.interrupts.len() {
        let interrupt = &system.interrupts[index];
        if is_apart(interrupt.on) || !interrupt.is_external() {
            own.interrupts[index] = PLAIN;
            own.storms[index] = false;
        }
        if is_apart(interrupt.on) || interrupt.timer.is_some() {
            own.pseudo_vcpu_phases[index] = Duration::ZERO;
        }
    }
    for (index, arrivals) in own.timers.iter_mut().enumerate() {
        if is_apart(system.task(system.timers[index].armed_by).on) {
            *arrivals = PLAIN;
        }
    }
    for (index, first) in own.devices.iter_mut().enumerate() {
        if is_apart(system.interrupt(system.devices[index].interrupt).on) {
            *first = Some(Instant::ZERO);
        }
    }
    own
}
