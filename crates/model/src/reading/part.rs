//! Parts of a whole: percentages and decimal numbers up to 1, counted in millionths.

use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, excerpt};
use crate::keys::Key;
use crate::text::Node;

/// The whole.
const MILLION: u32 = 1_000_000;

/// The part in millionths; `None`, and an error, if the text is none.
pub(super) fn read(key: &Key, node: &Node, text: &str, errors: &mut Errors) -> Option<u32> {
    let why = match millionths(text) {
        Ok(part) => return Some(part),
        Err(why) => why,
    };
    let message = format!("`{}` cannot be \"{}\"", key.name, excerpt(text));
    errors.push(
        Diagnostic::new(Code::NotAPart, node.span.clone(), message)
            .label(why)
            .help("write \"9%\", or \"0.09\", for nine hundredths"),
    );
    None
}

/// Whether a text is a part of a whole.
pub(super) fn is_one(text: &str) -> bool {
    millionths(text).is_ok()
}

/// Exact, or a reason why not.
fn millionths(text: &str) -> Result<u32, &'static str> {
    let (number, decimals) = match text.strip_suffix('%') {
        Some(number) => (number, 4),
        None => (text, 6),
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
        return Err("parts are counted in millionths, and this one is finer");
    }
    let unit = 10_u32.pow(u32::try_from(decimals).expect("six at most"));
    let whole = match whole.trim_start_matches('0') {
        "" => 0,
        // More digits are more than the whole, whatever they are.
        digits if digits.len() > 3 => return Err(MORE),
        digits => digits.parse().map_err(|_| MALFORMED)?,
    };
    let fraction: u32 = format!("{fraction:0<decimals$}").parse().map_err(|_| MALFORMED)?;
    let part = unit * whole + fraction;
    if part > MILLION { Err(MORE) } else { Ok(part) }
}

const MALFORMED: &str = "expected a percentage, or a decimal number up to 1";
const MORE: &str = "more than the whole";

/// As it is written in a description.
pub(crate) fn percentage(millionths: u32) -> String {
    let (whole, fraction) = (millionths / 10_000, millionths % 10_000);
    let digits = format!("{whole}.{fraction:04}");
    format!("{}%", digits.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn what_is_written_reads_back() {
        for part in [0, 1, 10, 2_000, 90_000, 123_456, 999_999, MILLION] {
            assert_eq!(millionths(&percentage(part)), Ok(part));
        }
        assert_eq!(percentage(90_000), "9%");
    }
}
