//! Durations, and what people write instead of them.

use super::scalar::wrong_type;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, excerpt};
use crate::keys::{Key, Kind};
use crate::text::{Node, Value};
use vorrang_time::{Duration, ParseDurationError};

/// The duration of a key; `None`, and an error, if it is not one that may stand there.
pub(crate) fn read(key: &Key, node: &Node, errors: &mut Errors) -> Option<Duration> {
    let diagnostic = match &node.value {
        Value::Text(text) => match text.parse::<Duration>() {
            Ok(Duration::ZERO) if !matches!(key.kind, Kind::Duration) => zero(key, node),
            Ok(duration) => return Some(duration),
            // Whatever its unit would be.
            Err(ParseDurationError::NoUnit) if is_nothing(key, text) => zero(key, node),
            Err(error) => malformed(key, node, text, error),
        },
        Value::Number(_, written) => bare_number(key, node, written),
        _ => wrong_type(key, node),
    };
    errors.push(diagnostic);
    None
}

/// Whether it is zero where that may not stand.
fn is_nothing(key: &Key, text: &str) -> bool {
    let is_zero = meant(text).and_then(|meant| meant.parse().ok()) == Some(Duration::ZERO);
    is_zero && !matches!(key.kind, Kind::Duration)
}

fn zero(key: &Key, node: &Node) -> Diagnostic {
    let message = format!("`{}` is zero", key.name);
    Diagnostic::new(Code::ZeroDuration, node.span.clone(), message).label("must be above zero")
}

fn bare_number(key: &Key, node: &Node, written: &str) -> Diagnostic {
    let message = format!("`{}` is a number without a unit", key.name);
    let diagnostic = Diagnostic::new(Code::BareNumber, node.span.clone(), message)
        .label("a duration is written as a string with its unit");
    match meant(written) {
        Some(meant) => diagnostic.suggest(Some(&meant)),
        None => diagnostic.help("write \"5ms\" for five milliseconds"),
    }
}

fn malformed(key: &Key, node: &Node, text: &str, error: ParseDurationError) -> Diagnostic {
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
        _ => match meant(text) {
            Some(meant) => diagnostic.suggest(Some(&meant)),
            None => diagnostic.help("write \"5ms\" for five milliseconds"),
        },
    }
}

/// The same duration as the format writes it, if it can be guessed: other spellings of the units,
/// a decimal comma, digits in groups, a leading dot.
fn meant(text: &str) -> Option<String> {
    const LONGEST: usize = 40;
    if text.len() > LONGEST {
        return None;
    }
    let text = text.trim().to_lowercase().replace(',', ".").replace(['_', ' '], "");
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = match unit {
        "ns" | "nsec" | "nsecs" | "nanos" | "nanosecond" | "nanoseconds" => "ns",
        "us" | "µs" | "μs" | "u" | "usec" | "usecs" | "micros" | "microsecond" | "microseconds" => {
            "us"
        }
        "" | "ms" | "msec" | "msecs" | "millis" | "millisecond" | "milliseconds" => "ms",
        "s" | "sec" | "secs" | "second" | "seconds" => "s",
        "m" | "min" | "mins" | "minute" | "minutes" => "min",
        "h" | "hr" | "hrs" | "hour" | "hours" => "h",
        _ => return None,
    };
    let zero = if number.starts_with('.') { "0" } else { "" };
    let meant = format!("{zero}{number}{unit}");
    meant.parse::<Duration>().is_ok().then_some(meant)
}
