//! What stands for the things of a description on the machine.

use super::presence::KeyOf;
use super::tree::Tree;
use crate::description::{Description, Field};
use crate::diagnostic::collect::Errors;
use crate::system::Host;
use std::collections::BTreeMap;

/// What runs inside a virtual processor is no thread of the machine.
pub(super) fn check(description: &Description, tree: &Tree, errors: &mut Errors) {
    let why = |around: usize| {
        format!("what runs on {} is inside that thread", description.supplies[around].name)
    };
    for (index, supply) in description.supplies.iter().enumerate() {
        let Some(server) = &supply.body.server else { continue };
        let key = KeyOf { name: &supply.name, span: &supply.span, key: "thread" };
        if let Some(around) = tree.parent[index].and_then(|parent| tree.guest_of(parent)) {
            key.pointless(&server.thread, &why(around), errors);
        }
    }
    for (task, parent) in description.tasks.iter().zip(&tree.task_parent) {
        let key = KeyOf { name: &task.name, span: &task.span, key: "thread" };
        if let Some(around) = parent.and_then(|parent| tree.guest_of(parent)) {
            key.pointless(&task.body.thread, &why(around), errors);
        }
    }
}

/// What stands for what in a description without errors.
pub(super) fn host(description: &Description) -> Host {
    let cpus = description.supplies.iter().map(|supply| (&supply.name, &supply.body.cpu));
    let servers = description
        .supplies
        .iter()
        .filter_map(|supply| Some((&supply.name, &supply.body.server.as_ref()?.thread)));
    let tasks = description.tasks.iter().map(|task| (&task.name, &task.body.thread));
    let interrupts =
        description.interrupts.iter().map(|declared| (&declared.name, &declared.body.irq));
    let vectors = description
        .interrupts
        .iter()
        .filter_map(|declared| Some((&declared.name, &declared.body.delivery.as_ref()?.vector)));
    let learnt_tasks = description.tasks.iter().map(|task| (&task.name, &task.body.learnt));
    let learnt_interrupts =
        description.interrupts.iter().map(|declared| (&declared.name, &declared.body.learnt));
    let number = |cpu: u64| u32::try_from(cpu).expect("an error was reported for everything else");
    Host {
        cpus: stated(cpus).map(|(name, cpu)| (name, number(cpu))).collect(),
        threads: stated(servers.chain(tasks)).collect(),
        interrupts: stated(interrupts).collect::<BTreeMap<_, _>>(),
        vectors: stated(vectors).collect(),
        learnt: stated(learnt_tasks.chain(learnt_interrupts)).collect(),
    }
}

fn stated<'a, T: Clone + 'a>(
    fields: impl Iterator<Item = (&'a String, &'a Field<T>)>,
) -> impl Iterator<Item = (String, T)> {
    fields.filter_map(|(name, field)| Some((name.clone(), field.get()?.value.clone())))
}
