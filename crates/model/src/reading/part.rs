//! Parts of a whole: percentages and decimal numbers up to 1, counted in millionths or finer.

use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, excerpt};
use crate::keys::Key;
use crate::system::Probability;
use crate::text::Node;

/// Decimal places of a part, and of a probability.
const PLACES: usize = 6;
const PLACES_OF_PROBABILITY: usize = 12;

/// The part in millionths; `None`, and an error, if the text is none.
pub(super) fn read(key: &Key, node: &Node, text: &str, errors: &mut Errors) -> Option<u32> {
    match millionths(text) {
        Ok(part) => Some(part),
        Err(why) => {
            let help = "write \"9%\", or \"0.09\", for nine hundredths";
            refuse(key, node, text, why, help, errors);
            None
        }
    }
}

/// The probability; `None`, and an error, if the text is none, or zero.
pub(super) fn probability(
    key: &Key,
    node: &Node,
    text: &str,
    errors: &mut Errors,
) -> Option<Probability> {
    let why = match units(text, PLACES_OF_PROBABILITY) {
        Ok(0) => "every job has at least this probability",
        Ok(per_trillion) => return Some(Probability { per_trillion }),
        Err(FINER) => "probabilities are counted in units of 10^-12, and this one is finer",
        Err(why) => why,
    };
    refuse(key, node, text, why, "write \"99.9%\", or \"0.999\"", errors);
    None
}

fn refuse(key: &Key, node: &Node, text: &str, why: &str, help: &str, errors: &mut Errors) {
    let message = format!("`{}` cannot be \"{}\"", key.name, excerpt(text));
    errors.push(Diagnostic::new(Code::NotAPart, node.span.clone(), message).label(why).help(help));
}

/// Whether a text is a part of a whole.
pub(super) fn is_one(text: &str) -> bool {
    millionths(text).is_ok()
}

/// Exact, or a reason why not.
fn millionths(text: &str) -> Result<u32, &'static str> {
    units(text, PLACES).map(|part| u32::try_from(part).expect("a million at most"))
}

/// In units of so many decimal places; exact, or a reason why not.
fn units(text: &str, places: usize) -> Result<u64, &'static str> {
    let (number, decimals) = match text.strip_suffix('%') {
        Some(number) => (number, places - 2),
        None => (text, places),
    };
    let (whole, fraction) = match number.split_once('.') {
        Some((_, "")) => return Err(MALFORMED),
        Some(both) => both,
        None => (number, ""),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_digits(whole) || !is_digits(fraction) {
        return Err(MALFORMED);
    }
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > decimals {
        return Err(FINER);
    }
    let unit = 10_u64.pow(u32::try_from(decimals).expect("twelve at most"));
    let whole = match whole.trim_start_matches('0') {
        "" => 0,
        // More digits are more than the whole, whatever they are.
        digits if digits.len() > 3 => return Err(MORE),
        digits => digits.parse().map_err(|_| MALFORMED)?,
    };
    let fraction: u64 = format!("{fraction:0<decimals$}").parse().map_err(|_| MALFORMED)?;
    let part = unit * whole + fraction;
    if part > unit_of(places) { Err(MORE) } else { Ok(part) }
}

/// The whole in units of so many decimal places.
fn unit_of(places: usize) -> u64 {
    10_u64.pow(u32::try_from(places).expect("twelve at most"))
}

const FINER: &str = "parts are counted in millionths, and this one is finer";

const MALFORMED: &str = "expected a percentage, or a decimal number up to 1";
const MORE: &str = "more than the whole";

/// As it is written in a description.
pub fn percentage(millionths: u32) -> String {
    let (whole, fraction) = (millionths / 10_000, millionths % 10_000);
    let digits = format!("{whole}.{fraction:04}");
    format!("{}%", digits.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLION: u32 = 1_000_000;

    #[test]
    fn parts_are_exact() {
        for (text, part) in [
            ("9%", 90_000),
            ("0.09", 90_000),
            ("0.2%", 2_000),
            ("100%", MILLION),
            ("1", MILLION),
            ("1.000000000", MILLION),
            ("0.0001%", 1),
            ("0.000001", 1),
            ("007%", 70_000),
            ("0", 0),
        ] {
            assert_eq!(millionths(text), Ok(part), "{text}");
        }
    }

    #[test]
    fn what_is_no_part_is_refused() {
        for text in ["", "%", ".5", "5.", "-1%", "+1%", "1e-3", "9 %", " 9%", "9%%", "0,5", "x"] {
            assert_eq!(millionths(text), Err(MALFORMED), "{text}");
        }
        for text in ["100.0001%", "1.000001", "2", "101%", "99999999999999999999%"] {
            assert_eq!(millionths(text), Err(MORE), "{text}");
        }
        for text in ["0.00001%", "0.0000001"] {
            assert!(millionths(text).is_err_and(|why| why.contains("finer")), "{text}");
        }
    }

    #[test]
    fn probabilities_are_finer() {
        let read = |text: &str| units(text, PLACES_OF_PROBABILITY);
        assert_eq!(read("99.9%"), Ok(999_000_000_000));
        assert_eq!(read("0.999999999999"), Ok(999_999_999_999));
        assert_eq!(read("99.9999999999%"), Ok(999_999_999_999));
        assert_eq!(read("0.9999999999999"), Err(FINER));
        assert_eq!(read("1.000000000001"), Err(MORE));
        for per_trillion in [1, 999_000_000_000, 999_999_999_999, unit_of(12)] {
            let text = Probability { per_trillion }.to_string();
            assert_eq!(read(&text), Ok(per_trillion), "{text}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for part in [0, 1, 10, 2_000, 90_000, 123_456, 999_999, MILLION] {
            assert_eq!(millionths(&percentage(part)), Ok(part));
        }
        assert_eq!(percentage(90_000), "9%");
    }
}
