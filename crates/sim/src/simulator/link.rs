//! Where each core finds what it wakes on the others.

use super::one_core::OneCore;
use crate::job::{OnCore, Place};
use vorrang_model::system::{InterruptId, SupplyId, System, TaskId};

/// Tells each task where those are that it wakes, and each interrupt where its kick is.
pub(super) fn link(system: &System, cores: &mut [OneCore<'_>]) {
    for core in 0..cores.len() {
        for task in 0..cores[core].tree.tasks.len() {
            let wakes = &system.task(cores[core].tree.tasks[task].id).wakes;
            let wakes = wakes.iter().map(|&woken| of_task(system, cores, woken)).collect();
            cores[core].tree.tasks[task].wakes = wakes;
        }
        for interrupt in 0..cores[core].tree.interrupts.len() {
            let kick = system.kick_of(cores[core].tree.interrupts[interrupt].id);
            let kick = kick.map(|kick| of_interrupt(system, cores, kick));
            cores[core].tree.interrupts[interrupt].kick = kick;
        }
    }
}

fn of_task(system: &System, cores: &[OneCore<'_>], id: TaskId) -> Place {
    let core = of_core(cores, system.core_of(system.task(id).on));
    Place { core, on_core: OnCore::Task(cores[core].tree.task(id)) }
}

fn of_interrupt(system: &System, cores: &[OneCore<'_>], id: InterruptId) -> Place {
    let core = of_core(cores, system.interrupt(id).on);
    let place = cores[core].tree.interrupts.iter().position(|state| state.id == id);
    Place { core, on_core: OnCore::Interrupt(place.expect("its core takes it")) }
}

fn of_core(cores: &[OneCore<'_>], id: SupplyId) -> usize {
    let place = cores.iter().position(|core| core.core() == id);
    place.expect("paths connect the cores")
}
