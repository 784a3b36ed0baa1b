//! Paths of wake-ups and kicks that no analysis covers and no history follows.

use crate::system::{Activation, InterruptId, System, Task, Unsupported};

/// Tasks that other tasks wake, behind a source that may bring several at once or hold some back; kicks of interrupts
/// that may storm.
pub(super) fn uncovered_wakes(system: &System) -> impl Iterator<Item = Unsupported> {
    let behind = system.task_ids().filter(|&id| is_woken(system.task(id))).filter_map(|id| {
        let task = system.task(id);
        let source = match system.source_of(id) {
            Activation::Device(_) => "packets",
            Activation::Interrupt(by) => source_of_many(system, by)?,
            _ => return None,
        };
        let what = format!("{}, woken at the end of a path from {source}", task.name);
        Some(Unsupported { what, core: Some(system.core_of(task.on)) })
    });
    behind.chain(stormy_kicks(system))
}

/// Kicks of interrupts that may come more often than they say.
fn stormy_kicks(system: &System) -> impl Iterator<Item = Unsupported> {
    system.interrupts.iter().filter_map(|kick| {
        let source = system.interrupt(kick.raised_by?);
        source.storm?;
        let what = format!("{}, which reaches another core and may storm", source.name);
        Some(Unsupported { what, core: Some(kick.on) })
    })
}

fn is_woken(task: &Task) -> bool {
    task.activation.is_by_tasks()
}

fn source_of_many(system: &System, id: InterruptId) -> Option<&'static str> {
    if system.devices.iter().any(|device| device.interrupt == id) {
        Some("packets")
    } else if system.is_paid(id) {
        Some("an interrupt with a pseudo-VCPU")
    } else {
        system.interrupt(system.origin_of(id)).storm.map(|_| "an interrupt that may storm")
    }
}
