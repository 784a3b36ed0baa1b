//! Durations as text: a decimal number and a unit, exact or refused.

use crate::Duration;
use core::fmt;
use core::str::FromStr;

/// Why a text is not a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseDurationError {
    /// Nothing but white space.
    Empty,
    /// It starts with a minus sign.
    Negative,
    /// No digits where the number should stand.
    NotANumber,
    /// A number without a unit.
    NoUnit,
    /// The unit is none of ns, us, µs, ms, s, min, h.
    UnknownUnit,
    /// It is not a whole number of nanoseconds.
    Inexact,
    /// It is longer than [`Duration::MAX_STATED`].
    TooLong,
}

impl fmt::Display for ParseDurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "the duration is empty",
            Self::Negative => "a duration cannot be negative",
            Self::NotANumber => "a duration starts with a decimal number",
            Self::NoUnit => "the unit is missing",
            Self::UnknownUnit => "the unit is not one of ns, us, ms, s, min, h",
            Self::Inexact => "not a whole number of nanoseconds",
            Self::TooLong => "longer than 1000000s, the longest duration a description may state",
        })
    }
}

impl core::error::Error for ParseDurationError {}

fn unit_in_ns(unit: &str) -> Option<u128> {
    Some(match unit {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "min" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// `<digits>[.<digits>][ ]<unit>`, exact: `"1.5ms"` is 1 500 000 ns, `"0.5ns"` is refused.
impl FromStr for Duration {
    type Err = ParseDurationError;

    fn from_str(text: &str) -> Result<Self, ParseDurationError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(ParseDurationError::Empty);
        }
        if text.starts_with('-') {
            return Err(ParseDurationError::Negative);
        }
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = (&text[..end], text[end..].trim_start());
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty()
            || fraction.contains('.')
            || (number.contains('.') && fraction.is_empty())
        {
            return Err(ParseDurationError::NotANumber);
        }
        if unit.is_empty() {
            return Err(ParseDurationError::NoUnit);
        }
        let unit = unit_in_ns(unit).ok_or(ParseDurationError::UnknownUnit)?;
        exact_ns(whole, fraction, unit)
    }
}

/// `whole.fraction` times `unit`, in nanoseconds.
fn exact_ns(whole: &str, fraction: &str, unit: u128) -> Result<Duration, ParseDurationError> {
    // More digits than these cannot be within the limit (whole) or exact (fraction): the limit
    // has 16 digits in nanoseconds, an hour 13.
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    if whole.len() > 16 {
        return Err(ParseDurationError::TooLong);
    }
    if fraction.len() > 13 {
        return Err(ParseDurationError::Inexact);
    }
    let digits =
        |text: &str| text.bytes().fold(0_u128, |n, digit| n * 10 + u128::from(digit - b'0'));
    let scale = 10_u128.pow(u32::try_from(fraction.len()).expect("at most 13"));
    let scaled = digits(fraction) * unit;
    if !scaled.is_multiple_of(scale) {
        return Err(ParseDurationError::Inexact);
    }
    let ns = digits(whole) * unit + scaled / scale;
    match u64::try_from(ns) {
        Ok(ns) if ns <= Duration::MAX_STATED.as_ns() => Ok(Duration::from_ns(ns)),
        _ => Err(ParseDurationError::TooLong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_texts_are_read() {
        for (text, ns) in [
            ("0s", 0),
            ("1ns", 1),
            ("1.5us", 1_500),
            ("1.5 µs", 1_500),
            ("20.64us", 20_640),
            ("0.000001s", 1_000),
            ("2min", 120_000_000_000),
            ("1.0000000000000000000s", 1_000_000_000),
            ("000000000000000000001ms", 1_000_000),
            ("1000000s", 1_000_000_000_000_000),
        ] {
            assert_eq!(text.parse(), Ok(Duration::from_ns(ns)), "{text}");
        }
    }

    #[test]
    fn everything_else_is_refused_with_its_reason() {
        use ParseDurationError::*;
        for (text, error) in [
            ("", Empty),
            ("  ", Empty),
            ("-1ms", Negative),
            ("ms", NotANumber),
            (".5ms", NotANumber),
            ("5.ms", NotANumber),
            ("1.2.3ms", NotANumber),
            ("10", NoUnit),
            ("10 m", UnknownUnit),
            ("1e3ms", UnknownUnit),
            ("0.5ns", Inexact),
            ("1.0000001us", Inexact),
            ("1000001s", TooLong),
            ("99999999999999999999999999999999999h", TooLong),
        ] {
            assert_eq!(text.parse::<Duration>(), Err(error), "{text}");
        }
    }

    #[test]
    fn what_is_printed_reads_back() {
        for ns in [0, 1, 999, 1_000, 1_001, 1_500_000, 3_000_000_000] {
            let duration = Duration::from_ns(ns);
            assert_eq!(alloc::format!("{duration}").parse(), Ok(duration));
        }
    }

    #[test]
    #[should_panic(expected = "duration overflow")]
    fn operators_check_overflow() {
        let _ = Duration::MAX + Duration::RESOLUTION;
    }
}
