//! Values that are left open: taken out of the tree, and something that may stand there put in.
//!
//! **Model.** Everything else is then read and checked as if nothing were open, with every place as
//! it was. What is put in conflicts with as little as possible: the least budget, the longest period,
//! the first of several words.

use super::record::{Record, Typed};
use super::scalar;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span};
use crate::keys::{GRID, Key, Kind, Noun, PRIORITIES};
use crate::limits;
use crate::open::{Allowed, OpenKey, OpenValue};
use crate::system::Priority;
use crate::text::{Entry, Node, Value};
use vorrang_time::Duration;

/// Takes them out, in the order of the text; those that are wrong are reported.
pub(crate) fn take_open(tree: &mut Node, errors: &mut Errors) -> Vec<OpenValue> {
    let Value::Table(tables) = &mut tree.value else { return Vec::new() };
    let cores: Vec<String> =
        tables.iter().filter(|table| table.key == "core").fold(Vec::new(), |mut names, table| {
            if let Value::Table(named) = &table.node.value {
                names.extend(named.iter().map(|core| format!("core.{}", core.key)));
            }
            names
        });
    let mut found = Vec::new();
    for table in tables {
        let Some(noun) = Noun::of_word(&table.key) else { continue };
        let Value::Table(named) = &mut table.node.value else { continue };
        for Entry { key: name, node, .. } in named {
            let of = format!("{}.{name}", noun.word());
            take_from(&of, noun.keys(), node, &cores, &mut found, errors);
        }
    }
    found.sort_by_key(|value| value.span.start);
    found
}

/// The same of a table with these keys, and of the tables in it.
fn take_from(
    of: &str,
    keys: &[Key],
    node: &mut Node,
    cores: &[String],
    found: &mut Vec<OpenValue>,
    errors: &mut Errors,
) {
    let Value::Table(fields) = &mut node.value else { return };
    for field in fields {
        let Some(key) = keys.iter().find(|key| key.name == field.key) else { continue };
        if let Kind::Table(inner) = key.kind {
            let of = format!("{of}.{}", key.name);
            take_from(&of, inner, &mut field.node, cores, found, errors);
        } else if key.may_be_open && is_open(key, &field.node) {
            let value = open_value(of.to_owned(), key, field, cores, errors);
            field.node.value = placeholder(key, value.as_ref(), cores);
            found.extend(value);
        }
    }
}

fn is_open(key: &Key, node: &Node) -> bool {
    match &node.value {
        Value::Text(text) => text == "?",
        Value::Array(_) => true,
        Value::Table(_) => matches!(key.kind, Kind::PositiveDuration | Kind::Priority),
        _ => false,
    }
}

fn open_value(
    of: String,
    key: &Key,
    field: &Entry,
    cores: &[String],
    errors: &mut Errors,
) -> Option<OpenValue> {
    let span = field.node.span.clone();
    let which = OpenKey::of_name(key.name);
    let mut kinds_at = Vec::new();
    let allowed = match (&field.node.value, which) {
        (Value::Array(values), _) => {
            if which == OpenKey::Kind {
                kinds_at = values.iter().map(|node| node.span.clone()).collect();
            }
            one_of(key, &span, values, errors)?
        }
        (Value::Table(entries), OpenKey::Priority) => {
            range(&format!("{of}.{}", key.name), field, entries, errors)?
        }
        (Value::Table(entries), _) => grid(&format!("{of}.{}", key.name), field, entries, errors)?,
        (_, OpenKey::Kind) => {
            let message = format!("`{}` of {of} is open, but not among which kinds", key.name);
            errors.push(
                Diagnostic::new(Code::OpenBounds, span, message)
                    .label("any kind")
                    .help("state them: `server = [\"deferrable\", \"sporadic\"]`"),
            );
            return None;
        }
        (_, OpenKey::On) => {
            Allowed::Supplies(cores.iter().map(|core| (core.clone(), span.clone())).collect())
        }
        _ => Allowed::Any,
    };
    let least = Duration::RESOLUTION;
    Some(OpenValue { of, key: which, span, allowed, kinds_at, least })
}

/// The values of an array, each as it would be read by itself.
fn one_of(key: &Key, span: &Span, values: &[Node], errors: &mut Errors) -> Option<Allowed> {
    if values.is_empty() {
        let message = format!("`{}` has nothing to choose from", key.name);
        errors.push(
            Diagnostic::new(Code::OpenBounds, span.clone(), message)
                .label("empty")
                .help("list the values that it may have"),
        );
        return None;
    }
    let (mut times, mut kinds, mut supplies) = (Vec::new(), Vec::new(), Vec::new());
    let mut priorities = Vec::new();
    let mut right = true;
    for node in values {
        match scalar::read(key, node, &[], errors) {
            Some(Typed::Duration(time)) => times.push(time),
            Some(Typed::ServerKind(kind)) => kinds.push(kind),
            Some(Typed::Priority(priority)) => priorities.push(priority),
            Some(Typed::Reference(reference)) => {
                supplies.push((reference.text, node.span.clone()));
            }
            _ => right = false,
        }
    }
    times.sort_unstable();
    times.dedup();
    priorities.sort_unstable();
    priorities.dedup();
    right.then_some(match key.kind {
        Kind::ServerKind => Allowed::Kinds(kinds),
        Kind::Reference(_) => Allowed::Supplies(supplies),
        Kind::Priority => Allowed::Priorities(priorities),
        _ => Allowed::Times(times),
    })
}

/// The table `{ from, to, step }`.
fn grid(name: &str, field: &Entry, entries: &[Entry], errors: &mut Errors) -> Option<Allowed> {
    let record = Record::read(name, &field.span, GRID, entries, errors);
    let [from, to, step] = ["from", "to", "step"].map(|key| record.duration(key).get().cloned());
    let (from, to, step) = (from?, to?, step?);
    if from.value > to.value {
        let shown = [from.value, to.value].map(|time| time.to_string());
        errors.push(wrong_way_round(name, (from.span, to.span), &shown));
        return None;
    }
    let points = to.value.saturating_sub(from.value).div_floor(step.value) + 1;
    if points > limits::OPEN_POINTS {
        let message = format!(
            "{name} is one of {points} durations, more than the {} that may be considered",
            limits::OPEN_POINTS
        );
        errors.push(
            Diagnostic::new(Code::OpenPoints, step.span, message)
                .label("this step is too short")
                .help("state a longer `step`, or bounds that are closer"),
        );
        return None;
    }
    Some(Allowed::Grid { from: from.value, to: to.value, step: step.value })
}

/// The table `{ from, to }` of priorities.
fn range(name: &str, field: &Entry, entries: &[Entry], errors: &mut Errors) -> Option<Allowed> {
    let record = Record::read(name, &field.span, PRIORITIES, entries, errors);
    let [from, to] = ["from", "to"].map(|key| record.priority(key).get().cloned());
    let (from, to) = (from?, to?);
    if from.value > to.value {
        let shown = [from.value, to.value].map(|priority| priority.0.to_string());
        errors.push(wrong_way_round(name, (from.span, to.span), &shown));
        return None;
    }
    let points = u64::from(to.value.0 - from.value.0) + 1;
    if points > limits::OPEN_POINTS {
        let message = format!(
            "{name} is one of {points} priorities, more than the {} that may be considered",
            limits::OPEN_POINTS
        );
        errors.push(
            Diagnostic::new(Code::OpenPoints, to.span, message)
                .help("state bounds that are closer"),
        );
        return None;
    }
    Some(Allowed::Priorities((from.value.0..=to.value.0).map(Priority).collect()))
}

fn wrong_way_round(name: &str, (from, to): (Span, Span), shown: &[String; 2]) -> Diagnostic {
    let message = format!("{name} has its bounds the wrong way round");
    Diagnostic::new(Code::OpenBounds, from, message)
        .label(format!("from {}", shown[0]))
        .also(to, format!("to {}", shown[1]))
        .help(format!("write `from` {} and `to` {}", shown[1], shown[0]))
}

/// What stands there meanwhile.
fn placeholder(key: &Key, value: Option<&OpenValue>, cores: &[String]) -> Value {
    let text = match (OpenKey::of_name(key.name), value.map(|value| &value.allowed)) {
        (OpenKey::Priority, Some(Allowed::Priorities(all))) => {
            return Value::Number(Some(all[0].0.into()), all[0].0.to_string());
        }
        (OpenKey::Priority, _) => return Value::Number(Some(1), "1".into()),
        (OpenKey::Budget, Some(Allowed::Grid { from, .. })) => from.to_string(),
        (OpenKey::Budget, Some(Allowed::Times(times))) => times[0].to_string(),
        (OpenKey::Budget, _) => Duration::RESOLUTION.to_string(),
        (OpenKey::Period, Some(Allowed::Grid { to, .. })) => to.to_string(),
        (OpenKey::Period, Some(Allowed::Times(times))) => times[times.len() - 1].to_string(),
        (OpenKey::Period, _) => Duration::MAX_STATED.to_string(),
        (OpenKey::Kind, Some(Allowed::Kinds(kinds))) => kinds[0].word().into(),
        (OpenKey::Kind, _) => "deferrable".into(),
        (OpenKey::On, Some(Allowed::Supplies(names))) if !names.is_empty() => names[0].0.clone(),
        (OpenKey::On, _) => cores.first().cloned().unwrap_or_else(|| "core.0".into()),
    };
    Value::Text(text)
}
