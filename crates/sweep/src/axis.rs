//! Axes of a study: values that differ from point to point.

use vorrang_model::tree::{Node, Value};
use vorrang_time::Duration;

/// What the values of an axis are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Millionths.
    Ppm,
    /// Nanoseconds.
    Ns,
    /// Nothing: a number.
    Number,
    /// Words of a list.
    Word,
}

/// One axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Table and key: `tasks.utilisation`.
    pub name: String,
    /// What its values are.
    pub unit: Unit,
    /// As they are written.
    pub words: Vec<String>,
    /// As they are counted; empty if they are words.
    pub numbers: Vec<i64>,
}

impl Axis {
    /// Its name as a column: `tasks_utilisation_ppm`.
    pub fn column(&self) -> String {
        let suffix = match self.unit {
            Unit::Ppm => "_ppm",
            Unit::Ns => "_ns",
            Unit::Number | Unit::Word => "",
        };
        self.name.replace(['.', '-'], "_") + suffix
    }

    /// Of values that were read without errors.
    pub(crate) fn of(name: String, values: &[Node]) -> Self {
        let words: Vec<String> = values.iter().map(written).collect();
        let all = |read: fn(&str) -> Option<i64>| -> Option<Vec<i64>> {
            words.iter().map(|word| read(word)).collect()
        };
        let (unit, numbers) = [
            (Unit::Ppm, all(|word| ppm(word).and_then(|part| i64::try_from(part).ok()))),
            (Unit::Ns, all(|word| i64::try_from(word.parse::<Duration>().ok()?.as_ns()).ok())),
            (Unit::Number, all(|word| word.parse().ok())),
        ]
        .into_iter()
        .find_map(|(unit, numbers)| Some((unit, numbers?)))
        .unwrap_or((Unit::Word, Vec::new()));
        Self { name, unit, words, numbers }
    }
}

fn written(node: &Node) -> String {
    match &node.value {
        Value::Text(text) | Value::Number(_, text) => text.clone(),
        Value::Boolean(flag) => flag.to_string(),
        _ => String::new(),
    }
}

/// Most of a percentage: ten times the whole.
const MOST_PPM: u64 = 10_000_000;

/// A percentage such as `12.5%` in millionths, exact.
pub(crate) fn ppm(text: &str) -> Option<u64> {
    let number = text.strip_suffix('%')?;
    let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit());
    if !is_digits(whole) || !is_digits(decimals) || whole.len() > 4 || decimals.len() > 4 {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    let decimals: u64 = format!("{decimals:0<4}").parse().ok()?;
    Some(whole * 10_000 + decimals).filter(|part| *part <= MOST_PPM)
}

/// Millionths as a percentage.
pub(crate) fn percent(ppm: u64) -> String {
    let text = format!("{}.{:04}", ppm / 10_000, ppm % 10_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned() + "%"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_exact() {
        assert_eq!(ppm("12.5%"), Some(125_000));
        assert_eq!(ppm("0.0001%"), Some(1));
        assert_eq!(ppm("1000%"), Some(10_000_000));
        for wrong in ["1001%", "0.00001%", "5", ".5%", "5.%", "-1%", "+1%", "99999%"] {
            assert_eq!(ppm(wrong), None, "{wrong}");
        }
        for part in [0, 1, 125_000, 1_000_000] {
            assert_eq!(ppm(&percent(part)), Some(part));
        }
    }
}
