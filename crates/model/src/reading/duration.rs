//! Durations, several of them in order, and what people write instead of them.

use super::guess::{Beside, meant};
use super::scalar::wrong_type;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, excerpt};
use crate::keys::{Key, Kind};
use crate::limits;
use crate::system::Distance;
use crate::text::{Node, Value};
use vorrang_time::{Duration, ParseDurationError};

/// The duration of a key; `None`, and an error, if it is not one that may stand there.
pub(crate) fn read(
    key: &Key,
    node: &Node,
    beside: Beside<'_>,
    errors: &mut Errors,
) -> Option<Duration> {
    let diagnostic = match &node.value {
        Value::Text(text) => match text.parse::<Duration>() {
            Ok(Duration::ZERO) if !matches!(key.kind, Kind::Duration) => zero(key, node),
            Ok(duration) => return Some(duration),
            // Whatever its unit would be.
            Err(ParseDurationError::NoUnit) if is_nothing(key, text) => zero(key, node),
            Err(error) => malformed(key, node, (text, error), beside),
        },
        Value::Number(_, written) => bare_number(key, node, written, beside),
        _ => wrong_type(key, node),
    };
    errors.push(diagnostic);
    None
}

/// The distances in order, each with how many arrivals later it is; `None`, and errors, if any of them is wrong.
pub(super) fn distances(
    key: &Key,
    node: &Node,
    items: &[Node],
    errors: &mut Errors,
) -> Option<Vec<Distance>> {
    let bad =
        |node: &Node, message| Diagnostic::new(Code::BadDistances, node.span.clone(), message);
    if items.is_empty() {
        errors.push(bad(node, format!("`{}` holds no distance", key.name)));
        return None;
    }
    if items.len() > limits::DISTANCES {
        let (count, most) = (items.len(), limits::DISTANCES);
        let message = format!("`{}` holds {count} distances, more than {most}", key.name);
        errors.push(Diagnostic::new(Code::TooMany, node.span.clone(), message));
        return None;
    }
    let mut read = Vec::new();
    for item in items {
        let before =
            read.last().map_or(Some(0), |own: &Option<Distance>| Some(own.as_ref()?.steps));
        read.push(distance(key, item, before, errors));
    }
    let mut grows = true;
    for (pair, of) in read.windows(2).zip(items.windows(2)) {
        let (&[Some(nearer), Some(further)], [first, second]) = (pair, of) else { continue };
        let (nearer, further) = (nearer.least, further.least);
        if further <= nearer {
            grows = false;
            let message = format!("`{}` does not grow", key.name);
            errors.push(
                bad(second, message)
                    .label(format!("{further} to an arrival that comes later"))
                    .also(first.span.clone(), format!("{nearer} to the one before"))
                    .help("write the time from one arrival to the next, to the one after that, and so on"),
            );
        }
    }
    if grows { read.into_iter().collect() } else { None }
}

/// One of them, `"5ms"` or `"32: 5ms"`, behind one that is so many arrivals later.
fn distance(
    key: &Key,
    item: &Node,
    before: Option<usize>,
    errors: &mut Errors,
) -> Option<Distance> {
    let counted = match &item.value {
        Value::Text(text) => text.split_once(':'),
        _ => None,
    };
    let Some((count, time)) = counted else {
        let least = read(key, item, &[], errors)?;
        return Some(Distance { steps: before? + 1, least });
    };
    let time = Node { span: item.span.clone(), value: Value::Text(time.trim().to_owned()) };
    let least = read(key, &time, &[], errors);
    let steps = count.trim().parse().ok().filter(|steps| (1..=limits::DISTANCE).contains(steps));
    let is_later = |steps: &usize| match before {
        Some(0) => *steps == 1,
        Some(before) => *steps > before,
        None => true,
    };
    let Some(steps) = steps.filter(is_later) else {
        let message = format!("`{}` counts arrivals in another order", key.name);
        let most = limits::DISTANCE;
        errors.push(
            Diagnostic::new(Code::BadDistances, item.span.clone(), message)
                .label(format!("{} is no arrival after the one before, up to {most}", excerpt(count.trim())))
                .help("write \"32: 5ms\" for five milliseconds to the 32nd arrival after each one; the first is to the next one"),
        );
        return None;
    };
    Some(Distance { steps, least: least? })
}

/// Whether it is zero where that may not stand.
fn is_nothing(key: &Key, text: &str) -> bool {
    let is_zero =
        meant(key.name, text, &[]).and_then(|meant| meant.parse().ok()) == Some(Duration::ZERO);
    is_zero && !matches!(key.kind, Kind::Duration)
}

fn zero(key: &Key, node: &Node) -> Diagnostic {
    let message = format!("`{}` is zero", key.name);
    Diagnostic::new(Code::ZeroDuration, node.span.clone(), message).label("must be above zero")
}

fn bare_number(key: &Key, node: &Node, written: &str, beside: Beside<'_>) -> Diagnostic {
    let message = format!("`{}` is a number without a unit", key.name);
    let diagnostic = Diagnostic::new(Code::BareNumber, node.span.clone(), message)
        .label("a duration is written as a string with its unit");
    match meant(key.name, written, beside) {
        Some(meant) => diagnostic.suggest(Some(&meant)),
        None => diagnostic.help("write \"5ms\" for five milliseconds"),
    }
}

fn malformed(
    key: &Key,
    node: &Node,
    (text, error): (&str, ParseDurationError),
    beside: Beside<'_>,
) -> Diagnostic {
    let code = match error {
        ParseDurationError::Empty | ParseDurationError::NotANumber => Code::NotADuration,
        ParseDurationError::NoUnit => Code::BareNumber,
        ParseDurationError::UnknownUnit => Code::UnknownUnit,
        ParseDurationError::Negative => Code::NegativeDuration,
        ParseDurationError::Inexact => Code::InexactDuration,
        ParseDurationError::TooLong => Code::DurationTooLong,
    };
    let message = format!("`{}` cannot be \"{}\"", key.name, excerpt(text));
    let diagnostic = Diagnostic::new(code, node.span.clone(), message).label(error.to_string());
    let is_none = matches!(key.kind, Kind::DurationOrNone) && text.eq_ignore_ascii_case("none");
    match error {
        _ if is_none => diagnostic.suggest(Some("none")),
        ParseDurationError::Inexact => diagnostic
            .help("time is counted in whole nanoseconds; round it to the side that is safe"),
        ParseDurationError::Negative | ParseDurationError::TooLong => diagnostic,
        _ => match meant(key.name, text, beside) {
            Some(meant) => diagnostic.suggest(Some(&meant)),
            None => diagnostic.help("write \"5ms\" for five milliseconds"),
        },
    }
}
