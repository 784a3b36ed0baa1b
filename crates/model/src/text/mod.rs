//! The text of a description as a tree of values that know where they stand.
//!
//! **Model.** Both formats become the same tree, so that everything later exists once. Tables
//! keep their entries in the order of the text. What a description never holds (dates) keeps its
//! place and its kind, not its content.
//!
//! **Guaranteed.** No key of a table is there twice, unless that was reported.

mod json;
mod kept;
mod nesting;
mod toml;

pub(crate) use kept::Kept;

use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span};
use crate::{Format, limits};

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
/// As many bytes.
const MARK_AS_SPACES: &str = "   ";

/// The tree of a source; `None`, and an error, if it cannot be read at all.
pub fn parse(source: &[u8], format: Format, errors: &mut Errors) -> Option<Node> {
    parse_since(source, format, None, errors)
}

/// The same, after a text that was read before.
pub(crate) fn parse_since(
    source: &[u8],
    format: Format,
    before: Option<Kept>,
    errors: &mut Errors,
) -> Option<Node> {
    if source.len() > limits::BYTES {
        let message = format!(
            "the file is longer than the {} bytes that a description may have",
            limits::BYTES
        );
        errors.push(Diagnostic::new(Code::FileTooLong, 0..0, message));
        return None;
    }
    let text = match std::str::from_utf8(source) {
        Ok(text) => text,
        Err(error) => {
            let start = error.valid_up_to();
            let end = start + error.error_len().unwrap_or(source.len() - start);
            let message = "the file is not valid UTF-8";
            errors.push(
                Diagnostic::new(Code::NotUtf8, start..end, message)
                    .label("these bytes are no character")
                    .help("save the file as UTF-8"),
            );
            return None;
        }
    };
    // A byte order mark says nothing about UTF-8. Spaces in its place keep every place.
    let marked = text.strip_prefix(BYTE_ORDER_MARK).map(|rest| format!("{MARK_AS_SPACES}{rest}"));
    let text = marked.as_deref().unwrap_or(text);
    if text.trim().is_empty() {
        errors.push(
            Diagnostic::new(Code::Empty, 0..0, "the file is empty")
                .help("a description starts with `version = 1`"),
        );
        return None;
    }
    if let Some(tree) = before.and_then(|before| before.tree_of(text, format)) {
        return Some(tree);
    }
    if let Err(error) = nesting::check(text, format) {
        errors.push(*error);
        return None;
    }
    match format {
        Format::Toml => toml::parse(text, errors),
        Format::Json => json::parse(text, errors),
    }
}

/// Where the character starts that holds this byte; the end for what lies behind it.
fn character_at(text: &str, byte: usize) -> usize {
    let byte = byte.min(text.len());
    (0..=byte).rev().find(|start| text.is_char_boundary(*start)).unwrap_or(0)
}
