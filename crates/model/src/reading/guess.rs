//! The duration that was probably meant by a text that is none.
//!
//! **Model.** A text with a unit of another spelling is that unit; a rate is its period. A number without a unit gets one that
//! fits what stands in the same table: no work lasts longer than the distance at which it comes, other times are no more than
//! ten times as long, and a table without such a distance has one unit. Where no unit fits, nothing is guessed.

use crate::text::{Entry, Value};
use vorrang_time::Duration;

/// What stands in the same table.
pub(crate) type Beside<'a> = &'a [&'a Entry];

/// Keys that say at which distance something comes.
const DISTANCES: [&str; 3] = ["period", "min-interarrival", "interval"];

/// Keys of work, of which there is no more than fits into that distance.
const WORK: [&str; 4] = ["wcet", "bcet", "budget", "isr"];

/// By how much other times, such as a deadline, may be longer than that distance.
const LONGER: u64 = 10;

/// The longest text that is looked at.
const LONGEST: usize = 40;

/// The same duration as the format writes it, if it can be guessed.
pub(super) fn meant(key: &str, text: &str, beside: Beside<'_>) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    let text = text.trim().to_lowercase().replace(',', ".").replace(['_', ' '], "");
    let (number, unit) = split(&text);
    let number = plain(number)?;
    if let Some(per_second) = rate(unit) {
        return if DISTANCES.contains(&key) { period(&number, per_second) } else { None };
    }
    let unit = match unit {
        "" => fitting(key, &number, beside)?,
        _ => spelt(unit)?,
    };
    in_unit(&number, unit).map(|_| format!("{number}{unit}"))
}

/// A number, perhaps with an exponent, and what follows.
fn split(text: &str) -> (&str, &str) {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let mut end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    if let Some(exponent) = text[end..].strip_prefix('e') {
        let sign = usize::from(exponent.starts_with(['+', '-']));
        let length = digits(&exponent[sign..]);
        if length > 0 {
            end += 1 + sign + length;
        }
    }
    text.split_at(end)
}

/// The same number without an exponent, a leading dot, or a dot at the end.
fn plain(number: &str) -> Option<String> {
    let (mantissa, exponent) = number.split_once('e').unwrap_or((number, "0"));
    let exponent = exponent.parse::<i32>().ok().filter(|own| own.unsigned_abs() <= 18)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if fraction.contains('.') || whole.len() + fraction.len() == 0 {
        return None;
    }
    let mut digits = format!("{whole}{fraction}");
    let mut dot = i32::try_from(whole.len()).ok()? + exponent;
    if dot < 1 {
        digits.insert_str(0, &"0".repeat(usize::try_from(1 - dot).ok()?));
        dot = 1;
    }
    let dot = usize::try_from(dot).ok()?;
    let digits = format!("{digits:0<dot$}");
    let (whole, fraction) = digits.split_at(dot);
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let fraction = fraction.trim_end_matches('0');
    Some(if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") })
}

/// Other spellings of the units.
fn spelt(unit: &str) -> Option<&'static str> {
    Some(match unit {
        "ns" | "nsec" | "nsecs" | "nanos" | "nanosecond" | "nanoseconds" => "ns",
        "us" | "µs" | "μs" | "u" | "usec" | "usecs" | "micros" | "microsecond" | "microseconds" => {
            "us"
        }
        "ms" | "msec" | "msecs" | "millis" | "millisecond" | "milliseconds" => "ms",
        "s" | "sec" | "secs" | "second" | "seconds" => "s",
        "m" | "min" | "mins" | "minute" | "minutes" => "min",
        "h" | "hr" | "hrs" | "hour" | "hours" => "h",
        _ => return None,
    })
}

/// How often in a second one of a unit of rates is.
fn rate(unit: &str) -> Option<u64> {
    match unit {
        "hz" | "/s" => Some(1),
        "khz" => Some(1_000),
        "mhz" => Some(1_000_000),
        _ => None,
    }
}

/// The period of a whole number of times, rounded down: more often is the harder case.
fn period(number: &str, per_second: u64) -> Option<String> {
    let rate = number.parse::<u64>().ok()?.checked_mul(per_second)?;
    let period = 1_000_000_000_u64.checked_div(rate).filter(|period| *period > 0)?;
    Some(Duration::from_ns(period).to_string())
}

fn in_unit(number: &str, unit: &str) -> Option<Duration> {
    format!("{number}{unit}").parse().ok()
}

/// The unit of a number without one.
fn fitting(key: &str, number: &str, beside: Beside<'_>) -> Option<&'static str> {
    let others = || beside.iter().copied().filter(|other| other.key != key);
    let is_distance = DISTANCES.contains(&key);
    let keys: &[&str] = if is_distance { &WORK } else { &DISTANCES };
    let longer = if is_distance || WORK.contains(&key) { 1 } else { LONGER };
    let against: Vec<&Entry> =
        others().filter(|other| keys.contains(&other.key.as_str())).collect();
    let fits = |unit: &&str| {
        let Some(own) = in_unit(number, unit) else { return false };
        let is_within =
            |work: Duration, distance: Duration| work.as_ns() / longer <= distance.as_ns();
        against
            .iter()
            .filter_map(|other| value(other, unit))
            .all(|other| if is_distance { is_within(other, own) } else { is_within(own, other) })
    };
    if is_distance {
        let is_stated = against.iter().any(|other| unit_of(other).is_some());
        return if is_stated { ["ns", "us", "ms", "s"] } else { ["ms"; 4] }.into_iter().find(fits);
    }
    if !against.is_empty() {
        return ["ms", "us", "ns"].into_iter().find(fits);
    }
    let mut units: Vec<&str> = others().filter_map(unit_of).collect();
    units.sort_unstable();
    units.dedup();
    match units[..] {
        [] => Some("ms"),
        [unit] => spelt(unit).filter(fits),
        _ => None,
    }
}

/// A duration beside it, where a number without a unit has this one.
fn value(other: &Entry, unit: &str) -> Option<Duration> {
    match &other.node.value {
        Value::Text(text) => text.parse().ok().filter(|time: &Duration| !time.is_zero()),
        Value::Number(_, written) => in_unit(&plain(split(written).0)?, unit),
        _ => None,
    }
}

/// The unit of a duration.
fn unit_of(other: &Entry) -> Option<&str> {
    let Value::Text(text) = &other.node.value else { return None };
    text.parse::<Duration>().ok()?;
    Some(split(text).1).filter(|unit| !unit.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Node;

    fn guessed(key: &str, text: &str, beside: &[(&str, Value)]) -> Option<String> {
        let entry = |(key, value): &(&str, Value)| Entry {
            key: (*key).to_owned(),
            span: 0..0,
            node: Node { span: 0..0, value: value.clone() },
        };
        let entries: Vec<Entry> = beside.iter().map(entry).collect();
        meant(key, text, &entries.iter().collect::<Vec<_>>())
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    fn number(number: i64) -> Value {
        Value::Number(Some(number), number.to_string())
    }

    #[test]
    fn numbers_lose_their_exponents() {
        for (number, meant) in [
            ("1e3", "1000"),
            ("1.5e3", "1500"),
            ("1e+3", "1000"),
            ("25e-1", "2.5"),
            ("1e-3", "0.001"),
            (".5", "0.5"),
            ("5.", "5"),
            ("007", "7"),
            ("0", "0"),
            ("1.50", "1.5"),
        ] {
            assert_eq!(plain(number).as_deref(), Some(meant), "{number}");
        }
        assert_eq!(plain("1.2.3"), None);
        assert_eq!(plain(""), None);
        assert_eq!(plain("1e99"), None);
    }

    #[test]
    fn rates_are_periods_and_no_other_durations() {
        for (rate, period) in [("50Hz", "20ms"), ("1 kHz", "1ms"), ("60 hz", "16.666666ms")] {
            assert_eq!(guessed("period", rate, &[]).as_deref(), Some(period), "{rate}");
        }
        assert_eq!(guessed("wcet", "50Hz", &[]), None);
        assert_eq!(guessed("period", "0Hz", &[]), None);
    }

    #[test]
    fn a_number_gets_a_unit_that_fits_what_stands_beside_it() {
        let period = |time: &str| [("period", text(time))];
        assert_eq!(guessed("wcet", "1000", &period("20ms")).as_deref(), Some("1000us"));
        assert_eq!(guessed("wcet", "5", &period("20ms")).as_deref(), Some("5ms"));
        assert_eq!(guessed("wcet", "1000", &period("20us")).as_deref(), Some("1000ns"));
        assert_eq!(guessed("wcet", "1000", &period("20ns")), None);
        let wcet = |time: &str| [("wcet", text(time))];
        assert_eq!(guessed("period", "500", &wcet("100us")).as_deref(), Some("500us"));
        assert_eq!(guessed("period", "20000", &wcet("100us")).as_deref(), Some("20000us"));
        assert_eq!(guessed("period", "20", &wcet("100us")).as_deref(), Some("20ms"));
        let on = ("on", text("core.0"));
        assert_eq!(guessed("period", "20", &[on]).as_deref(), Some("20ms"));
        // Neither has a unit: one for both, or none.
        assert_eq!(guessed("wcet", "1", &[("period", number(20))]).as_deref(), Some("1ms"));
        assert_eq!(guessed("period", "20", &[("wcet", number(1))]).as_deref(), Some("20ms"));
        assert_eq!(guessed("wcet", "1000", &[("period", number(20))]), None);
        assert_eq!(guessed("period", "20", &[("wcet", number(1000))]), None);
        // A deadline may be longer than the period, and a priority is no time.
        assert_eq!(guessed("deadline", "1500", &period("1ms")).as_deref(), Some("1500us"));
        let deadline = [("deadline", text("1500us")), ("priority", number(40))];
        assert_eq!(guessed("period", "1", &deadline).as_deref(), Some("1ms"));
        // No distance beside it: the one unit that is there.
        let cost = |time: &str| [("context-switch", text(time))];
        assert_eq!(guessed("scheduler-call", "8", &cost("2us")).as_deref(), Some("8us"));
        assert_eq!(guessed("scheduler-call", "8", &[]).as_deref(), Some("8ms"));
    }
}
