//! Chains, and what they ask of their tasks.

use super::activation::Activations;
use super::checked::stated;
use super::name::Names;
use super::polls;
use super::presence::KeyOf;
use crate::description::{self, At, Declared, Description, Field, Reference};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::system::{Chain, Communication, Distances, TaskId};
use vorrang_time::Duration;

/// All chains in the order of declaration; those that are wrong are left out.
pub(super) fn chains(
    description: &Description,
    names: &Names<'_>,
    activations: &Activations,
    errors: &mut Errors,
) -> Vec<Chain> {
    for (index, task) in description.tasks.iter().enumerate() {
        distances(task, index, activations, errors);
        logical(task, errors);
    }
    let one = |declared| chain(description, declared, names, errors);
    description.chains.iter().filter_map(one).collect()
}

/// Whether the longest distance of two arrivals is not below the least.
fn distances(
    task: &Declared<description::Task>,
    index: usize,
    activations: &Activations,
    errors: &mut Errors,
) {
    let apart = activations.distances[index].as_ref().map(Distances::widest);
    let (Some(latest), Some(least)) =
        (task.body.latest_interarrival.get(), apart.or(activations.period[index]))
    else {
        return;
    };
    if latest.value >= least {
        return;
    }
    let message =
        format!("the longest time between two arrivals of {} is below the least", task.name);
    let diagnostic = Diagnostic::new(Code::LatestUnderPeriod, latest.span.clone(), message)
        .label(format!("at most {}", latest.value));
    errors.push(match task.body.period.get() {
        Some(period) => diagnostic.also(period.span.clone(), format!("at least {least}")),
        None => diagnostic.help(format!("what wakes it comes at least {least} apart")),
    });
}

/// The longest time between two arrivals of a task with this least one.
pub(super) fn latest(task: &description::Task, period: Duration) -> Option<Duration> {
    if task.offset.is_absent() { stated(&task.latest_interarrival) } else { Some(period) }
}

/// Whether a task that writes at its deadline has one.
fn logical(task: &Declared<description::Task>, errors: &mut Errors) {
    let (Some(communication), Some(deadline)) =
        (task.body.communication.get(), task.body.deadline.get())
    else {
        return;
    };
    if communication.value == Communication::Let && deadline.value.is_none() {
        let message = format!("{} writes at its deadline and has none", task.name);
        errors.push(
            Diagnostic::new(Code::LetWithoutDeadline, communication.span.clone(), message)
                .label("writes at the deadline")
                .also(deadline.span.clone(), "there is none"),
        );
    }
}

fn chain(
    description: &Description,
    declared: &Declared<description::Chain>,
    names: &Names<'_>,
    errors: &mut Errors,
) -> Option<Chain> {
    let description::Chain { path, reaction, age } = &declared.body;
    if reaction.is_absent() {
        let help = "a chain requires something: write `reaction = \"50ms\"` or `age = \"50ms\"`";
        let key = KeyOf { name: &declared.name, span: &declared.span, key: "reaction" };
        key.needed(age, help, errors);
    }
    let path = path.get()?;
    if path.value.is_empty() {
        let message = format!("`path` of {} is empty", declared.name);
        let diagnostic = Diagnostic::new(Code::BadPath, path.span.clone(), message);
        errors.push(diagnostic.label("no task").help("name the tasks from first to last"));
    }
    let mut tasks = Vec::new();
    for reference in &path.value {
        let found = names.find(&Field::Is(reference.clone()), errors);
        let Some(task) = found.map(|target| TaskId(target.index)) else { continue };
        let declared_task = &description.tasks[task.0];
        if declared_task.body.polls() {
            errors.push(polls::no_jobs(
                declared_task,
                &reference.span,
                "writes at no end of a job",
            ));
        }
        if tasks.contains(&task) {
            errors.push(twice(&declared.name, reference));
        }
        tasks.push(task);
    }
    let limit = |field: &Field<_>| field.get().map(|at| at.value);
    Some(Chain {
        name: declared.name.clone(),
        path: tasks,
        reaction: limit(reaction),
        age: limit(age),
    })
}

fn twice(chain: &str, reference: &At<Reference>) -> Diagnostic {
    let message = format!("{} is on the path of {chain} twice", reference.value.text);
    Diagnostic::new(Code::BadPath, reference.span.clone(), message).label("was there before")
}
