//! Where each core finds what it wakes on the others.

use super::one_core::OneCore;
use crate::job::{OnCore, Place};
use vorrang_model::system::{Activation, InterruptId, SupplyId, System, TaskId};

/// Tells each task where those are that it wakes, and each interrupt where its kick is.
pub(super) fn link(system: &System, cores: &mut [OneCore<'_>]) {
    for core in 0..cores.len() {
        for task in 0..cores[core].tree.tasks.len() {
            let id = cores[core].tree.tasks[task].id;
            let wakes = system.task(id).wakes.iter();
            let wakes = wakes.map(|&woken| of_task(system, cores, id, woken)).collect();
            let is_join = system.task(id).activation == Activation::Join;
            let own = &mut cores[core].tree.tasks[task];
            own.wakes = wakes;
            if is_join {
                own.ahead = vec![0; system.predecessors(id).len()];
            }
        }
        for interrupt in 0..cores[core].tree.interrupts.len() {
            let kick = system.kick_of(cores[core].tree.interrupts[interrupt].id);
            let kick = kick.map(|kick| of_interrupt(system, cores, kick));
            cores[core].tree.interrupts[interrupt].kick = kick;
        }
    }
}

fn of_task(system: &System, cores: &[OneCore<'_>], by: TaskId, id: TaskId) -> Place {
    let core = of_core(cores, system.core_of(system.task(id).on));
    let task = cores[core].tree.task(id);
    if system.task(id).activation != Activation::Join {
        return Place { core, on_core: OnCore::Task(task) };
    }
    let place = system.predecessors(id).iter().position(|&own| own == by);
    Place { core, on_core: OnCore::Joined(task, place.expect("it names it")) }
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
