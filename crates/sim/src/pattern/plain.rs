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

/// The history with the defaults for everything that is not on the core.
pub(super) fn only_on(system: &System, core: SupplyId, history: &History) -> History {
    let mut own = history.clone();
    for (index, phase) in own.phases.iter_mut().enumerate() {
        if system.core_of(SupplyId(index)) != core {
            *phase = Duration::ZERO;
            own.overruns[index] = Duration::ZERO;
        }
    }
    for (index, arrivals) in own.tasks.iter_mut().enumerate() {
        if system.core_of(system.tasks[index].on) != core {
            *arrivals = PLAIN;
        }
    }
    for index in 0..own.interrupts.len() {
        if system.interrupts[index].on != core || system.interrupts[index].timer.is_some() {
            own.interrupts[index] = PLAIN;
            own.storms[index] = false;
            own.pseudo_vcpu_phases[index] = Duration::ZERO;
        }
    }
    for (index, arrivals) in own.timers.iter_mut().enumerate() {
        if system.core_of(system.task(system.timers[index].armed_by).on) != core {
            *arrivals = PLAIN;
        }
    }
    for (index, first) in own.devices.iter_mut().enumerate() {
        if system.interrupt(system.devices[index].interrupt).on != core {
            *first = Some(Instant::ZERO);
        }
    }
    own
}
