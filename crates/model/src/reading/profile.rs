//! From the tree to the profile of a machine.

use super::record::Record;
use super::{are_not_too_many, costs_of, declarations, declare, is_known_version, kernel};
use crate::description::Description;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::keys::{Noun, PROFILE};
use crate::profile::Profile;
use crate::text::{Entry, Node, Value};

/// Tables that say what a profile was measured from; not looked at.
const MEASURED: [&str; 2] = ["conditions", "measured"];

/// The table of a kernel.
const KERNEL: &str = "kernel";

/// The profile of a tree; `None` if errors make everything in it meaningless.
pub(crate) fn read_profile(tree: &Node, errors: &mut Errors) -> Option<Profile> {
    let Value::Table(entries) = &tree.value else {
        let message = format!("a profile is a table, not {}", tree.value.kind());
        errors.push(Diagnostic::new(Code::WrongType, tree.span.clone(), message));
        return None;
    };
    let is_cache = |entry: &&Entry| entry.key == Noun::Cache.word();
    let read = entries.iter().filter(|entry| !MEASURED.contains(&entry.key.as_str()));
    let (kernels, read): (Vec<&Entry>, Vec<&Entry>) = read.partition(|entry| entry.key == KERNEL);
    let (tables, keys): (Vec<&Entry>, Vec<&Entry>) = read.into_iter().partition(is_cache);
    is_known_version(&keys, errors)?;
    let declarations = declarations(&tables, errors);
    are_not_too_many(&declarations, errors)?;
    let known = [Noun::Cache.word(), KERNEL, MEASURED[0], MEASURED[1]];
    let file = Record::read_file(&tree.span, PROFILE, &known, &keys, errors);
    let (costs, stated_costs) = costs_of(&file);
    let kernel = kernels.first().and_then(|entry| kernel::read(entry, errors));
    let mut description = Description::default();
    for (noun, entry) in declarations {
        declare(&mut description, noun, entry, errors);
    }
    Some(Profile { costs, stated_costs, kernel, caches: description.caches })
}
