//! Joins of which something was left out.

use crate::generate::order_wakes;
use vorrang_model::system::{Activation, System, TaskId};

/// Makes of each join what is left of it: one task that wakes it, none, or those that still descend from one task.
pub(super) fn mend_joins(system: &mut System) {
    while let Some((id, activation)) =
        system.task_ids().find_map(|id| Some((id, other(system, id)?)))
    {
        system.tasks[id.0].activation = activation;
        if activation == Activation::Sporadic {
            system.tasks.iter_mut().for_each(|task| task.wakes.retain(|&woken| woken != id));
        }
    }
    order_wakes(system);
}

/// What a join is instead, where it is none.
fn other(system: &System, id: TaskId) -> Option<Activation> {
    if system.task(id).activation != Activation::Join {
        return None;
    }
    let before = system.predecessors(id);
    match before[..] {
        [] => Some(Activation::Sporadic),
        [by] => Some(Activation::Task(by)),
        [first, ..] => {
            let root = system.root_of(first);
            let differs = before.iter().any(|&by| system.root_of(by) != root);
            differs.then_some(Activation::Sporadic)
        }
    }
}
