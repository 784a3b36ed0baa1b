//! What must hold: the deadlines of the tasks, then what is required besides.

use super::activation::Activations;
use super::name::Names;
use super::polls;
use crate::description::{Description, Field};
use crate::diagnostic::collect::Errors;
use crate::keys::Noun;
use crate::system::{InterruptId, Requirement, RequirementKind, TaskId};

/// All requirements in the order of declaration; those that are wrong are left out.
pub(super) fn requirements(
    description: &Description,
    names: &Names<'_>,
    activations: &Activations,
    errors: &mut Errors,
) -> Vec<Requirement> {
    let mut requirements = Vec::new();
    for (index, declared) in description.tasks.iter().enumerate() {
        let deadline = match &declared.body.deadline {
            Field::Absent if declared.body.polls() => None,
            Field::Absent => activations.period[index],
            field => field.get().and_then(|at| at.value),
        };
        if let Some(limit) = deadline {
            let kind = RequirementKind::Deadline(TaskId(index));
            let name = declared.name.clone();
            requirements.push(Requirement { name, kind, limit, probability: None });
        }
    }
    for declared in &description.requirements {
        let target = names.find(&declared.body.of, errors);
        let (Some(target), Some(limit)) = (target, declared.body.handled_within.get()) else {
            continue;
        };
        let task = (target.noun == Noun::Task).then(|| &description.tasks[target.index]);
        let polling = task.filter(|task| task.body.polls());
        if let Some((task, of)) = polling.zip(declared.body.of.get()) {
            errors.push(polls::no_jobs(task, &of.span, "is to be done within a time"));
        }
        let kind = match target.noun {
            Noun::Task => RequirementKind::Deadline(TaskId(target.index)),
            _ => RequirementKind::HandledWithin(InterruptId(target.index)),
        };
        let (name, limit) = (declared.name.clone(), limit.value);
        let probability = declared.body.probability.get().map(|at| at.value);
        requirements.push(Requirement { name, kind, limit, probability });
    }
    requirements
}
