//! The vectors of an interrupt in its guest, as a description has them: `"64"`, or `"34-90"`.

use std::ops::RangeInclusive;

/// Vectors, the first and the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vectors(RangeInclusive<u8>);

impl Vectors {
    /// Reads them; `None`: it is neither a number nor two, of 16 to 255 (those below are the processor's own).
    pub fn read(text: &str) -> Option<Self> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last) = (first.parse().ok()?, last.parse().ok()?);
        (16 <= first && first <= last).then_some(Self(first..=last))
    }

    /// Whether this is one of them.
    pub fn contain(&self, vector: u8) -> bool {
        self.0.contains(&vector)
    }

    /// Whether one is in both.
    pub fn meet(&self, other: &Self) -> bool {
        self.0.start() <= other.0.end() && other.0.start() <= self.0.end()
    }

    /// As a condition on the field of a tracepoint.
    pub fn filter(&self) -> String {
        format!("vec >= {} && vec <= {}", self.0.start(), self.0.end())
    }
}

impl std::fmt::Display for Vectors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (first, last) = (self.0.start(), self.0.end());
        if first == last { write!(f, "{first}") } else { write!(f, "{first}-{last}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_or_two() {
        assert_eq!(Vectors::read("64"), Some(Vectors(64..=64)));
        assert_eq!(Vectors::read("34-90"), Some(Vectors(34..=90)));
        for wrong in ["", "-", "15", "90-34", "34-", "256", "0x40", "34-90-91"] {
            assert_eq!(Vectors::read(wrong), None, "{wrong}");
        }
        let meet = |one, other| Vectors::read(one).unwrap().meet(&Vectors::read(other).unwrap());
        assert!(meet("34-90", "90") && meet("64", "34-90") && !meet("34-63", "64-90"));
    }
}
