//! Who has a cache: what the core switches between, seen from the host.

use super::checked::value;
use super::presence::KeyOf;
use super::tree::Tree;
use crate::description::{self, Description};
use crate::diagnostic::collect::Errors;
use crate::system::Cache;

/// Virtual processors of the host, and its tasks; what runs inside a guest has that of the
/// virtual processor.
pub(super) fn check(description: &Description, tree: &Tree, errors: &mut Errors) {
    for (index, supply) in description.supplies.iter().enumerate() {
        let Some(server) = &supply.body.server else { continue };
        let around = tree.parent[index].and_then(|parent| tree.guest_of(parent));
        let key = KeyOf { name: &supply.name, span: &supply.span, key: "cache" };
        if let Some(around) = around {
            key.pointless(&server.cache, &why(description, around), errors);
        }
    }
    for (task, parent) in description.tasks.iter().zip(&tree.task_parent) {
        let around = parent.and_then(|parent| tree.guest_of(parent));
        let key = KeyOf { name: &task.name, span: &task.span, key: "cache" };
        if let Some(around) = around {
            key.pointless(&task.body.cache, &why(description, around), errors);
        }
    }
}

fn why(description: &Description, around: usize) -> String {
    format!("what runs on {} has the cache of that", description.supplies[around].name)
}

/// That of a table.
pub(super) fn cache(declared: &description::Declared<description::Cache>) -> Cache {
    Cache {
        name: declared.name.clone(),
        model: value(&declared.body.model),
        useful_ppm: value(&declared.body.useful),
        sustained: value(&declared.body.sustained),
    }
}
