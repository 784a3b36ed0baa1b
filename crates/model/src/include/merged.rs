//! What several files say, as one table.

use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span, excerpt};
use crate::text::{Entry, Value};

/// That a name is declared in two files.
pub(super) fn twice(name: &str, second: &Span, first: &Span) -> Diagnostic {
    let message = format!("{} is declared in two files", excerpt(name));
    Diagnostic::new(Code::Duplicate, second.clone(), message)
        .label("the second one")
        .also(first.clone(), "the first one")
        .help("what a file includes it does not state again")
}

/// Puts an entry of another file behind those of the description. Costs are one table.
pub(super) fn put(entries: &mut Vec<Entry>, mut entry: Entry, errors: &mut Errors) {
    let first = entries.iter_mut().find(|own| own.key == entry.key);
    match (entry.key.as_str(), first) {
        ("costs", Some(first)) => match (&mut first.node.value, entry.node.value) {
            (Value::Table(all), Value::Table(costs)) => {
                for cost in costs {
                    match all.iter().find(|own| own.key == cost.key) {
                        Some(own) => {
                            let name = format!("costs.{}", cost.key);
                            errors.push(twice(&name, &cost.span, &own.span));
                        }
                        None => all.push(cost),
                    }
                }
            }
            (_, value) => {
                entry.node.value = value;
                entries.push(entry);
            }
        },
        ("profile", Some(first)) => errors.push(twice("profile", &entry.span, &first.span)),
        _ => entries.push(entry),
    }
}
