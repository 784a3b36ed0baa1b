//! The one layout of descriptions, as `vorrang fmt` writes it.

use crate::document::Document;
use lsp_types::{DocumentFormattingParams, TextEdit};
use vorrang_model::Format;

/// The whole text anew; nothing where it is not TOML, or has the layout.
pub(crate) fn whole(document: &Document, _: &DocumentFormattingParams) -> Option<Vec<TextEdit>> {
    if document.format() == Format::Json {
        return None;
    }
    let layout = vorrang_fmt::formatted(&document.text).ok()?;
    let whole = document.range(0..document.text.len());
    let is_new = layout != document.text;
    Some(is_new.then(|| TextEdit::new(whole, layout)).into_iter().collect())
}
