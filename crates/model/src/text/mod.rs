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
mod node;
mod toml;

pub(crate) use kept::Kept;
pub use node::{Entry, Node, Value};

use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::{Format, limits};
pub(crate) use node::BYTE_ORDER_MARK;

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
