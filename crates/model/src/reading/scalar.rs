//! One value that is not a table.

use super::guess::Beside;
use super::record::Typed;
use super::{duration, execution, field_word, part, windows};
use crate::description::{At, Reference};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, excerpt};
use crate::keys::{Key, Kind, Noun, listed};
use crate::limits;
use crate::system::Priority;
use crate::text::{Node, Value};
use crate::word::{
    ARRIVALS, CACHE_MODELS, COMMUNICATIONS, CORE_SCHEDULERS, INTERRUPT_ORDERS, INTERRUPT_TIMES,
    PREEMPTIONS, PSEUDO_VCPU_RULES, SERVER_KINDS, TIMER_QUEUES, Word, guest_schedulers,
};

/// The value of a key; `None`, and an error, if it is not what the key asks for.
pub(super) fn read(
    key: &Key,
    node: &Node,
    beside: Beside<'_>,
    errors: &mut Errors,
) -> Option<Typed> {
    let is_open = matches!(&node.value, Value::Text(text) if text == "?");
    if is_open && !matches!(key.kind, Kind::Text | Kind::Sentence) {
        errors.push(not_open(key, node));
        return None;
    }
    typed(key, node, beside, errors)
}

fn typed(key: &Key, node: &Node, beside: Beside<'_>, errors: &mut Errors) -> Option<Typed> {
    match (key.kind, &node.value) {
        (Kind::Version, Value::Number(Some(1), _)) => Some(Typed::Version),
        (Kind::Text | Kind::Sentence, Value::Text(text)) => {
            line(key, node, text, errors).map(Typed::Text)
        }
        (Kind::DurationOrNone, Value::Text(text)) if text == "none" => Some(Typed::NoDuration),
        (Kind::PositiveDuration | Kind::Duration | Kind::DurationOrNone, _) => {
            duration::read(key, node, beside, errors).map(Typed::Duration)
        }
        (Kind::Priority, Value::Number(number, _)) => {
            priority(key, node, *number, errors).map(Typed::Priority)
        }
        (Kind::Number(least, most), Value::Number(number, _)) => {
            whole(key, node, *number, least..=most, errors).map(Typed::Number)
        }
        (Kind::Flag, Value::Boolean(flag)) => Some(Typed::Flag(*flag)),
        (Kind::Part, Value::Text(text)) => part::read(key, node, text, errors).map(Typed::Part),
        (Kind::Probability, Value::Text(text)) => {
            part::probability(key, node, text, errors).map(Typed::Probability)
        }
        (Kind::Execution, Value::Table(times)) => {
            execution::read(key, node, times, errors).map(Typed::Execution)
        }
        (Kind::Windows, Value::Table(windows)) => {
            windows::read(key, node, windows, errors).map(Typed::Windows)
        }
        (Kind::CoreScheduler, Value::Text(text)) => {
            word(key, node, text, CORE_SCHEDULERS, errors).map(Typed::Rule)
        }
        (Kind::GuestScheduler, Value::Text(text)) => {
            word(key, node, text, guest_schedulers(), errors).map(Typed::Rule)
        }
        (Kind::ServerKind, Value::Text(text)) => {
            word(key, node, text, SERVER_KINDS, errors).map(Typed::ServerKind)
        }
        (Kind::InterruptOrder, Value::Text(text)) => {
            word(key, node, text, INTERRUPT_ORDERS, errors).map(Typed::InterruptOrder)
        }
        (Kind::InterruptTime, Value::Text(text)) => {
            word(key, node, text, INTERRUPT_TIMES, errors).map(Typed::InterruptTime)
        }
        (Kind::TimerQueue, Value::Text(text)) => {
            word(key, node, text, TIMER_QUEUES, errors).map(Typed::TimerQueue)
        }
        (Kind::PseudoVcpuRule, Value::Text(text)) => {
            word(key, node, text, PSEUDO_VCPU_RULES, errors).map(Typed::PseudoVcpuRule)
        }
        (Kind::Arrival, Value::Text(text)) => {
            word(key, node, text, ARRIVALS, errors).map(Typed::Arrival)
        }
        (Kind::CacheModel, Value::Text(text)) => {
            word(key, node, text, CACHE_MODELS, errors).map(Typed::CacheModel)
        }
        _ => of_several(key, node, errors),
    }
}

/// A name, or several, or how what is named hands on values; several durations, or files.
fn of_several(key: &Key, node: &Node, errors: &mut Errors) -> Option<Typed> {
    match (key.kind, &node.value) {
        (Kind::Communication, Value::Text(text)) => {
            word(key, node, text, COMMUNICATIONS, errors).map(Typed::Communication)
        }
        (Kind::Preemption, Value::Text(text)) => {
            word(key, node, text, PREEMPTIONS, errors).map(Typed::Preemption)
        }
        (Kind::Reference(nouns), Value::Text(text)) => {
            Some(Typed::Reference(Reference { text: text.clone(), nouns, key: key.name }))
        }
        (Kind::Distances, Value::Array(items)) => {
            duration::distances(key, node, items, errors).map(Typed::Distances)
        }
        (Kind::Files, Value::Array(files)) => {
            for file in files {
                is_file(key, file, errors);
            }
            Some(Typed::Files)
        }
        (Kind::References(nouns), Value::Array(items)) => {
            references(key, nouns, items, errors).map(Typed::References)
        }
        _ => {
            errors.push(wrong_type(key, node).suggest(meant(key, &node.value).as_deref()));
            None
        }
    }
}

/// The names of a list; one that is none is reported where it stands.
fn references(
    key: &Key,
    nouns: &'static [Noun],
    items: &[Node],
    errors: &mut Errors,
) -> Option<Vec<At<Reference>>> {
    let mut read = Vec::new();
    for item in items {
        let Value::Text(text) = &item.value else {
            errors.push(wrong_type(key, item));
            continue;
        };
        let value = Reference { text: text.clone(), nouns, key: key.name };
        read.push(At { value, span: item.span.clone() });
    }
    (read.len() == items.len()).then_some(read)
}

/// What a value of the wrong type was probably meant to be.
fn meant(key: &Key, value: &Value) -> Option<String> {
    match (key.kind, value) {
        (Kind::Part | Kind::Probability, Value::Number(_, written)) => {
            Some(format!("{written}%")).filter(|meant| part::is_one(meant))
        }
        _ => field_word::number(key, value),
    }
}

/// Says of a value that is left open which values may be.
fn not_open(key: &Key, node: &Node) -> Diagnostic {
    let message = format!("`{}` cannot be left open here", key.name);
    Diagnostic::new(Code::WrongType, node.span.clone(), message)
        .label(format!("expected {}", key.kind.expected()))
        .help(
            "what may be left open is `on`, `budget`, `period` and `priority` of a server or a vcpu, its \
             `server` as one of several, and `on` and `priority` of a task",
        )
}

/// Says what a key expects and what it got.
pub(crate) fn wrong_type(key: &Key, node: &Node) -> Diagnostic {
    let message = format!("`{}` is {}", key.name, node.value.kind());
    Diagnostic::new(Code::WrongType, node.span.clone(), message)
        .label(format!("expected {}", key.kind.expected()))
}

/// A line of the file that would set the key, for "write …".
pub(super) fn sample(key: &Key) -> String {
    let value = match key.kind {
        Kind::Version => "1".into(),
        Kind::Text | Kind::Sentence => "\"...\"".into(),
        Kind::PositiveDuration | Kind::Duration | Kind::DurationOrNone => "\"5ms\"".into(),
        Kind::Priority => "10".into(),
        Kind::Number(..) => "64".into(),
        Kind::Flag => "true".into(),
        Kind::Part => "\"9%\"".into(),
        Kind::Probability => "\"99.9%\"".into(),
        Kind::Execution => "{ \"5ms\" = 9, \"20ms\" = 1 }".into(),
        Kind::Windows => "{ \"0s\" = \"2ms\", \"5ms\" = \"1ms\" }".into(),
        Kind::Distances => "[\"1us\", \"5ms\"]".into(),
        Kind::Reference(nouns) => format!("\"{}.NAME\"", nouns[0].word()),
        Kind::References(nouns) => {
            format!("[\"{}.A\", \"{}.B\"]", nouns[0].word(), nouns[0].word())
        }
        Kind::Files => "[\"machine.toml\"]".into(),
        Kind::Table(_) | Kind::TableOrNone(_) => "{ ... }".into(),
        _ => return format!("`{} = ...` with {}", key.name, key.kind.expected()),
    };
    format!("`{} = {value}`", key.name)
}

/// Reports a path that is none.
fn is_file(key: &Key, file: &Node, errors: &mut Errors) {
    match &file.value {
        Value::Text(text) => drop(line(key, file, text, errors)),
        _ => errors.push(wrong_type(key, file)),
    }
}

fn line(key: &Key, node: &Node, text: &str, errors: &mut Errors) -> Option<String> {
    let longest = match key.kind {
        Kind::Sentence | Kind::Files => limits::SENTENCE_BYTES,
        _ => limits::NAME_BYTES,
    };
    let message = if text.trim().is_empty() {
        format!("`{}` is empty", key.name)
    } else if text.len() > longest && key.name != "$schema" {
        format!("`{}` has {} bytes, more than {}", key.name, text.len(), longest)
    } else if text.chars().any(char::is_control) {
        format!("`{}` has a control character in it", key.name)
    } else {
        return Some(text.to_owned());
    };
    errors.push(Diagnostic::new(Code::BadText, node.span.clone(), message));
    None
}

pub(crate) fn whole(
    key: &Key,
    node: &Node,
    number: Option<i64>,
    range: std::ops::RangeInclusive<u64>,
    errors: &mut Errors,
) -> Option<u64> {
    let number = number.and_then(|number| u64::try_from(number).ok());
    if let Some(number) = number.filter(|number| range.contains(number)) {
        return Some(number);
    }
    let message = format!("`{}` is out of range", key.name);
    errors.push(Diagnostic::new(Code::OutOfRange, node.span.clone(), message).label(format!(
        "a whole number from {} to {}",
        range.start(),
        range.end()
    )));
    None
}

fn priority(key: &Key, node: &Node, number: Option<i64>, errors: &mut Errors) -> Option<Priority> {
    let priority = number.and_then(|number| u32::try_from(number).ok());
    if let Some(priority) = priority.filter(|priority| *priority <= limits::PRIORITY) {
        return Some(Priority(priority));
    }
    let message = format!("`{}` is out of range", key.name);
    errors.push(
        Diagnostic::new(Code::OutOfRange, node.span.clone(), message)
            .label(format!("a whole number from 0 to {}", limits::PRIORITY))
            .help("larger is more urgent"),
    );
    None
}

fn word<T: Copy>(
    key: &Key,
    node: &Node,
    text: &str,
    words: &'static [Word<T>],
    errors: &mut Errors,
) -> Option<T> {
    if let Some(word) = words.iter().find(|word| word.text == text) {
        return Some(word.value);
    }
    let message = format!("`{}` cannot be \"{}\"", key.name, excerpt(text));
    let diagnostic = Diagnostic::new(Code::UnknownWord, node.span.clone(), message)
        .label(format!("one of {}", listed(words.iter().map(|word| word.text))));
    let diagnostic = match field_word::word(key, text) {
        Some(help) => diagnostic.help(help),
        None => diagnostic.suggest(errors.nearest(text, words.iter().map(|word| word.text))),
    };
    errors.push(diagnostic);
    None
}
