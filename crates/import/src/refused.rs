//! Why a text is none of the formats.

use std::fmt;

/// Why a text cannot be read, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Counted from 1; 0 where it is about the whole text.
    pub line: usize,
    /// The reason.
    pub why: String,
}

impl Refused {
    /// A text that is no UTF-8 from a byte on.
    pub fn not_utf8(byte: usize) -> Self {
        Self::whole(format!("it is no text: from byte {byte} on it is no UTF-8"))
    }

    pub(crate) fn at(line: usize, why: impl Into<String>) -> Self {
        Self { line, why: why.into() }
    }

    pub(crate) fn whole(why: impl Into<String>) -> Self {
        Self::at(0, why)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        f.write_str(&self.why)
    }
}

impl std::error::Error for Refused {}
