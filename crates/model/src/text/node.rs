//! Values of either format, and where they stand.

use crate::diagnostic::Span;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// From its first byte to before the last.
    pub span: Span,
    /// What it is.
    pub value: Value,
}

/// A value of either format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A string.
    Text(String),
    /// An integer, if it is one that fits; and what was written.
    Number(Option<i64>, String),
    /// `true` or `false`.
    Boolean(bool),
    /// A date or a time.
    Date,
    /// `null` of JSON.
    Null,
    /// Several values.
    Array(Vec<Node>),
    /// Keys with their values, in the order of the text.
    Table(Vec<Entry>),
}

impl Value {
    /// What it is, as a noun phrase.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Number(..) => "a number",
            Self::Boolean(_) => "a boolean",
            Self::Date => "a date or time",
            Self::Null => "null",
            Self::Array(_) => "an array",
            Self::Table(_) => "a table",
        }
    }
}

/// One key of a table with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub key: String,
    /// Where the name stands.
    pub span: Span,
    /// Its value.
    pub node: Node,
}

/// Some editors begin a file with it.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Where the character starts that holds this byte; the end for what lies behind it.
pub(super) fn character_at(text: &str, byte: usize) -> usize {
    let byte = byte.min(text.len());
    (0..=byte).rev().find(|start| text.is_char_boundary(*start)).unwrap_or(0)
}
