//! From the tree to the description: every table against its keys.

mod body;
mod duration;
mod execution;
mod field_word;
mod guess;
mod kernel;
mod open;
mod part;
mod profile;
mod record;
mod scalar;
mod windows;

pub(crate) use duration::read as read_duration;
pub(crate) use open::take_open;
pub use part::percentage;
pub(crate) use profile::read_profile;
pub(crate) use record::unknown_key;
pub(crate) use scalar::{whole, wrong_type};

use crate::description::{Declared, Description};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, excerpt};
use crate::keys::{FILE, Noun};
use crate::limits;
use crate::system::Costs;
use crate::text::{Entry, Node, Value};
use record::Record;
use std::collections::BTreeSet;

/// The description of a tree; `None` if errors make everything in it meaningless (they are
/// reported then).
pub(crate) fn read_description(tree: &Node, errors: &mut Errors) -> Option<Description> {
    let Value::Table(entries) = &tree.value else {
        let message = format!("a description is a table, not {}", tree.value.kind());
        errors.push(Diagnostic::new(Code::WrongType, tree.span.clone(), message));
        return None;
    };
    let (tables, keys): (Vec<&Entry>, Vec<&Entry>) =
        entries.iter().partition(|entry| Noun::of_word(&entry.key).is_some());
    is_known_version(&keys, errors)?;
    let declarations = declarations(&tables, errors);
    are_not_too_many(&declarations, errors)?;
    let file = Record::read_file(&tree.span, FILE, &Noun::ALL.map(Noun::word), &keys, errors);
    let profile = file.text("profile").get().cloned();
    let mentions_cores = tables.iter().any(|entry| {
        let is_empty = matches!(&entry.node.value, Value::Table(cores) if cores.is_empty());
        entry.key == Noun::Core.word() && !is_empty
    });
    let (costs, stated_costs) = costs_of(&file);
    let mut description =
        Description { profile, costs, stated_costs, mentions_cores, ..Description::default() };
    for (noun, entry) in declarations {
        declare(&mut description, noun, entry, errors);
    }
    Some(description)
}

/// Whether no other version is named; that has other keys, and what this one says about them would
/// mislead.
fn is_known_version(keys: &[&Entry], errors: &mut Errors) -> Option<()> {
    let other = keys.iter().find(|entry| {
        entry.key == "version" && matches!(entry.node.value, Value::Number(Some(n), _) if n != 1)
    });
    let Some(version) = other else { return Some(()) };
    errors.push(
        Diagnostic::new(
            Code::WrongVersion,
            version.node.span.clone(),
            "this version of the format is not known",
        )
        .label("only version 1 is")
        .help("write `version = 1`"),
    );
    None
}

/// The costs, and the names of those that are stated.
fn costs_of(file: &Record) -> (Costs, BTreeSet<&'static str>) {
    let record = file.table("costs");
    record.map(|record| (body::costs(&record), record.stated().collect())).unwrap_or_default()
}

/// Whether no more is declared than may be.
fn are_not_too_many(declarations: &[(Noun, &Entry)], errors: &mut Errors) -> Option<()> {
    let Some((_, first)) = declarations.get(limits::ENTITIES) else { return Some(()) };
    let message = format!(
        "the description declares {} things, more than the {} that it may declare",
        declarations.len(),
        limits::ENTITIES
    );
    let span = first.span.clone();
    errors.push(Diagnostic::new(Code::TooMany, span, message).label("the first one too many"));
    None
}

/// Everything that is declared, in the order of the text.
fn declarations<'a>(tables: &[&'a Entry], errors: &mut Errors) -> Vec<(Noun, &'a Entry)> {
    let mut declarations = Vec::new();
    for entry in tables {
        let noun = Noun::of_word(&entry.key).expect("chosen by it");
        if let Value::Table(named) = &entry.node.value {
            declarations.extend(named.iter().map(|entry| (noun, entry)));
        } else {
            let kind = entry.node.value.kind();
            let message = format!("`{}` is {kind} where a table of tables is expected", entry.key);
            errors.push(Diagnostic::new(Code::WrongType, entry.span.clone(), message).help(
                format!("each {} has a name of its own: [{}.NAME]", noun.word(), noun.word()),
            ));
        }
    }
    declarations.sort_by_key(|(_, entry)| entry.span.start);
    declarations
}

fn declare(description: &mut Description, noun: Noun, entry: &Entry, errors: &mut Errors) {
    let full_name = format!("{}.{}", noun.word(), entry.key);
    // A name that is none is shortened for messages, and references to it are not looked up.
    let name = if is_name(entry, errors) {
        full_name
    } else {
        let shown = excerpt(&full_name);
        description.refused.insert(full_name);
        shown
    };
    let Value::Table(entries) = &entry.node.value else {
        let (noun, kind) = (noun.word(), entry.node.value.kind());
        let message = format!("`{name}` is {kind} where a table is expected");
        errors.push(
            Diagnostic::new(Code::WrongType, entry.span.clone(), message)
                .help(format!("each {noun} has a name of its own: [{noun}.NAME]")),
        );
        description.refused.insert(name);
        return;
    };
    let record = Record::read(&name, &entry.span, noun.keys(), entries, errors);
    let span = entry.span.clone();
    match noun {
        Noun::Core | Noun::Vcpu | Noun::Server => {
            let body = body::supply(noun, &record);
            description.supplies.push(Declared { noun, name, span, body });
        }
        Noun::Task => {
            description.tasks.push(Declared { noun, name, span, body: body::task(&record) });
        }
        Noun::Interrupt => {
            let body = body::interrupt(&record);
            description.interrupts.push(Declared { noun, name, span, body });
        }
        Noun::Timer => {
            description.timers.push(Declared { noun, name, span, body: body::timer(&record) });
        }
        Noun::Device => {
            description.devices.push(Declared { noun, name, span, body: body::device(&record) });
        }
        Noun::Cache => {
            description.caches.push(Declared { noun, name, span, body: body::cache(&record) });
        }
        Noun::Require => {
            let body = body::requirement(&record);
            description.requirements.push(Declared { noun, name, span, body });
        }
        Noun::Chain => {
            description.chains.push(Declared { noun, name, span, body: body::chain(&record) });
        }
    }
}

fn is_name(entry: &Entry, errors: &mut Errors) -> bool {
    let name = &entry.key;
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let message = if name.is_empty() {
        "a name is empty".into()
    } else if name.len() > limits::NAME_BYTES {
        format!("a name has {} bytes, more than {}", name.len(), limits::NAME_BYTES)
    } else if !name.chars().all(allowed) {
        format!("\"{}\" is not a name", excerpt(name))
    } else {
        return true;
    };
    errors.push(
        Diagnostic::new(Code::BadName, entry.span.clone(), message)
            .help("a name consists of the letters A to Z and a to z, digits, `-` and `_`"),
    );
    false
}
