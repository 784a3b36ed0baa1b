//! Paths of wake-ups that no analysis covers and no history follows.

use crate::system::{Activation, Interrupt, SupplyId, System, Task, Unsupported};

/// Tasks that other tasks wake, behind a source that may bring several at once or hold some back, or beside a
/// requirement of a probability.
pub(super) fn uncovered_wakes(system: &System) -> impl Iterator<Item = Unsupported> {
    let behind = system.task_ids().filter(|&id| is_woken(system.task(id))).filter_map(|id| {
        let task = system.task(id);
        let source = match system.source_of(id) {
            Activation::Device(_) => "packets",
            Activation::Interrupt(by) => source_of_many(system, system.interrupt(by), by.0)?,
            _ => return None,
        };
        let what = format!("{}, woken at the end of a path from {source}", task.name);
        Some(Unsupported { what, core: Some(system.core_of(task.on)) })
    });
    behind.chain(beside_chance(system))
}

fn is_woken(task: &Task) -> bool {
    matches!(task.activation, Activation::Task(_))
}

fn source_of_many(system: &System, interrupt: &Interrupt, id: usize) -> Option<&'static str> {
    let delivery = interrupt.delivery.as_ref();
    if system.devices.iter().any(|device| device.interrupt.0 == id) {
        Some("packets")
    } else if delivery.is_some_and(|own| own.pseudo_vcpu.is_some()) {
        Some("an interrupt with a pseudo-VCPU")
    } else {
        interrupt.storm.map(|_| "an interrupt that may storm")
    }
}

/// How often a woken task comes depends on how long others take: times are not independent.
fn beside_chance(system: &System) -> impl Iterator<Item = Unsupported> {
    let cores = system.requirements.iter().filter(|required| required.probability.is_some());
    let mut cores: Vec<SupplyId> =
        cores.map(|required| system.core_of_requirement(required)).collect();
    cores.sort_unstable();
    cores.dedup();
    let is_of = |task: &&Task, core| {
        system.core_of(task.on) == core && (is_woken(task) || !task.wakes.is_empty())
    };
    cores.into_iter().filter_map(move |core| {
        let task = system.tasks.iter().find(|task| is_of(task, core))?;
        let what = format!("a probability beside {}, which wakes or is woken", task.name);
        Some(Unsupported { what, core: Some(core) })
    })
}
