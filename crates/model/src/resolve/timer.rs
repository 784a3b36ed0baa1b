//! Timers: only a guest takes an expiry with a routine of its own.

use super::link::Links;
use super::presence::KeyOf;
use super::tree::Tree;
use crate::description::Description;
use crate::diagnostic::collect::Errors;

pub(super) fn check(description: &Description, links: &Links, tree: &Tree, errors: &mut Errors) {
    for (declared, task) in description.timers.iter().zip(&links.timers) {
        let Some(task) = *task else { continue };
        let Some(on) = tree.task_parent[task].filter(|&on| tree.core[on].is_some()) else {
            continue;
        };
        if tree.guest_of(on).is_none() {
            let task = &description.tasks[task].name;
            let why = format!("{task} runs on the host, whose timer interrupt calls back");
            let key = KeyOf { name: &declared.name, span: &declared.span, key: "isr" };
            key.pointless(&declared.body.isr, &why, errors);
        }
    }
}
