//! From the tree to the description: every table against its keys.

mod body;
mod duration;
mod execution;
mod part;
mod record;
mod scalar;

pub(crate) use part::percentage;

use crate::description::{Declared, Description};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, excerpt};
use crate::keys::{FILE, Noun};
use crate::limits;
use crate::text::{Entry, Node, Value};
use record::Record;

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
    let other_version = keys.iter().find(|entry| {
        entry.key == "version" && matches!(entry.node.value, Value::Number(Some(n), _) if n != 1)
    });
    if let Some(version) = other_version {
        // Another version has other keys: what this one says about them would mislead.
        errors.push(
            Diagnostic::new(
                Code::WrongVersion,
                version.node.span.clone(),
                "this version of the format is not known",
            )
            .label("only version 1 is")
            .help("write `version = 1`"),
        );
        return None;
    }
    let declarations = declarations(&tables, errors);
    if declarations.len() > limits::ENTITIES {
        let message = format!(
            "the description declares {} things, more than the {} that it may declare",
            declarations.len(),
            limits::ENTITIES
        );
        let span = declarations[limits::ENTITIES].1.span.clone();
        errors.push(Diagnostic::new(Code::TooMany, span, message).label("the first one too many"));
        return None;
    }
    let file = Record::read_file(&tree.span, FILE, &keys, errors);
    let profile = file.text("profile").get().map(|at| at.value.clone());
    let mentions_cores = tables.iter().any(|entry| {
        let is_empty = matches!(&entry.node.value, Value::Table(cores) if cores.is_empty());
        entry.key == Noun::Core.word() && !is_empty
    });
    let costs = file.table("costs").map(|record| body::costs(&record)).unwrap_or_default();
    let mut description = Description { profile, costs, mentions_cores, ..Description::default() };
    for (noun, entry) in declarations {
        declare(&mut description, noun, entry, errors);
    }
    Some(description)
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
