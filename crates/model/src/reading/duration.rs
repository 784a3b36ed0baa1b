//! Durations, and what people write instead of them.

use super::scalar::wrong_type;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, excerpt};
use crate::keys::{Key, Kind};
use crate::text::{Node, Value};
use vorrang_time::{Duration, ParseDurationError};

/// The duration of a key; `None`, and an error, if it is not one that may stand there.
pub(super) fn read(key: &Key, node: &Node, errors: &mut Errors) -> Option<Duration> {
    let diagnostic = match &node.value {
        Value::Text(text) => match text.parse::<Duration>() {
            Ok(Duration::ZERO) if !matches!(key.kind, Kind::Duration) => zero(key, node),
            Ok(duration) => return Some(duration),
            Err(error) => malformed(key, node, text, error),
        },
        Value::Number(_, written) => bare_number(key, node, written),
        _ => wrong_type(key, node),
    };
    errors.push(diagnostic);
    None
}

fn zero(key: &Key, node: &Node) -> Diagnostic {
    let message = format!("`{}` is zero", key.name);
    Diagnostic::new(Code::ZeroDuration, node.span.clone(), message).label("must be above zero")
}

fn bare_number(key: &Key, node: &Node, written: &str) -> Diagnostic {
    let message = format!("`{}` is a number without a unit", key.name);
    let diagnostic = Diagnostic::new(Code::BareNumber, node.span.clone(), message)
        .label("a duration is written as a string with its unit");
    let plain = written.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if plain && written.len() <= 20 {
        diagnostic.help(format!("did you mean \"{written}ms\"?"))
    } else {
        diagnostic.help("write \"5ms\" for five milliseconds")
    }
}

fn malformed(key: &Key, node: &Node, text: &str, error: ParseDurationError) -> Diagnostic {
    let (code, help) = match error {
        ParseDurationError::Empty | ParseDurationError::NotANumber => {
            (Code::NotADuration, Some("write \"5ms\" for five milliseconds".to_owned()))
        }
        ParseDurationError::NoUnit => {
            (Code::BareNumber, Some(format!("did you mean \"{}ms\"?", excerpt(text.trim()))))
        }
        ParseDurationError::UnknownUnit => {
            (Code::UnknownUnit, usual_unit(text).map(|text| format!("did you mean \"{text}\"?")))
        }
        ParseDurationError::Negative => (Code::NegativeDuration, None),
        ParseDurationError::Inexact => (
            Code::InexactDuration,
            Some("time is counted in whole nanoseconds; round it to the side that is safe".into()),
        ),
        ParseDurationError::TooLong => (Code::DurationTooLong, None),
    };
    let message = format!("`{}` cannot be \"{}\"", key.name, excerpt(text));
    let diagnostic = Diagnostic::new(code, node.span.clone(), message).label(error.to_string());
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// The same duration with the unit that was probably meant, if that is a duration.
fn usual_unit(text: &str) -> Option<String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(end);
    let unit = match unit.trim().to_lowercase().as_str() {
        "ns" | "nsec" | "nsecs" | "nanosecond" | "nanoseconds" => "ns",
        "us" | "u" | "usec" | "usecs" | "mus" | "micros" | "microsecond" | "microseconds" => "us",
        "ms" | "msec" | "msecs" | "millis" | "millisecond" | "milliseconds" => "ms",
        "s" | "sec" | "secs" | "second" | "seconds" => "s",
        "m" | "min" | "mins" | "minute" | "minutes" => "min",
        "h" | "hr" | "hrs" | "hour" | "hours" => "h",
        _ => return None,
    };
    let meant = format!("{number}{unit}");
    meant.parse::<Duration>().is_ok().then_some(meant)
}
