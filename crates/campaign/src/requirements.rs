//! The requirements of a drawn system.

use vorrang_model::system::{InterruptId, Requirement, RequirementKind, System, TaskId};

/// The deadlines of the tasks, then one handling time for each interrupt.
pub(crate) fn state_requirements(system: &mut System) {
    system.requirements.clear();
    for (number, task) in system.tasks.iter().enumerate() {
        let kind = RequirementKind::Deadline(TaskId(number));
        let name = task.name.clone();
        system.requirements.extend(task.deadline.map(|limit| Requirement {
            name,
            kind,
            limit,
            probability: None,
        }));
    }
    let stated = system.interrupts.iter().enumerate();
    for (number, interrupt) in stated.filter(|(_, interrupt)| interrupt.timer.is_none()) {
        system.requirements.push(Requirement {
            name: format!("require.r{number}"),
            kind: RequirementKind::HandledWithin(InterruptId(number)),
            limit: interrupt.min_interarrival * 2,
            probability: None,
        });
    }
}
