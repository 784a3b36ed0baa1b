//! Durations, several of them in order, and what people write instead of them.

use super::guess::{Beside, meant};
use super::scalar::wrong_type;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, excerpt};
use crate::keys::{Key, Kind};
use crate::limits;
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

/// The distances in order; `None`, and errors, if any of them is wrong.
pub(super) fn distances(
    key: &Key,
    node: &Node,
    items: &[Node],
    errors: &mut Errors,
) -> Option<Vec<Duration>> {
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
    let read: Vec<_> = items.iter().map(|item| read(key, item, &[], errors)).collect();
    let mut grows = true;
    for (pair, of) in read.windows(2).zip(items.windows(2)) {
        let (&[Some(nearer), Some(further)], [first, second]) = (pair, of) else { continue };
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
