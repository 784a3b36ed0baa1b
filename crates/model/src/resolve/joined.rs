//! What a task comes after: several tasks of one source, each of which has jobs that end.

use super::link::Links;
use super::path::Root;
use super::polls;
use crate::description::{At, Description, Reference};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use std::collections::BTreeMap;

/// The references of `after`, each with the task that it found.
pub(super) fn listed<'a>(
    description: &'a Description,
    links: &'a Links,
    task: usize,
) -> impl Iterator<Item = (&'a At<Reference>, usize)> {
    let stated = description.tasks[task].body.after.get().map_or(&[][..], |list| &list.value);
    links.after[task].iter().map(move |&(place, first)| (&stated[place], first))
}

/// Tasks that are listed twice, and those that poll.
pub(super) fn check(description: &Description, links: &Links, errors: &mut Errors) {
    for (task, declared) in description.tasks.iter().enumerate() {
        let mut before: BTreeMap<usize, &At<Reference>> = BTreeMap::new();
        for (at, first) in listed(description, links, task) {
            if description.tasks[first].body.polls() {
                let label = "is complete at no time";
                errors.push(polls::no_jobs(&description.tasks[first], &at.span, label));
            }
            if let Some(there) = before.insert(first, at) {
                let message = format!("{} comes after {} twice", declared.name, at.value.text);
                let twice = Diagnostic::new(Code::WokenTwice, at.span.clone(), message);
                errors.push(twice.label("listed again").also(there.span.clone(), "listed"));
            }
        }
    }
}

/// The first task of `after` that does not descend from the same task as the one before it; `None`: what is wrong is
/// said of a task before.
pub(super) fn differ(
    description: &Description,
    links: &Links,
    task: usize,
    roots: &[Root],
) -> Option<Diagnostic> {
    let name = |root: usize| &description.tasks[root].name;
    let mut rooted =
        listed(description, links, task).filter_map(|(at, first)| match roots[first] {
            Root::Task(root) => Some((at, root)),
            Root::None | Root::Several => None,
        });
    let (first, root) = rooted.next()?;
    let (other, source) = rooted.find(|&(_, own)| own != root)?;
    let message = format!("{} comes after tasks of two sources", name(task));
    Some(
        Diagnostic::new(Code::TwoSources, other.span.clone(), message)
            .label(format!("descends from {}", name(source)))
            .also(first.span.clone(), format!("descends from {}", name(root)))
            .help(
                "which job belongs to which is known where all descend from one task, over `wakes` or `after`; values of \
                 different sources go through registers: write a `[chain.NAME]`",
            ),
    )
}
