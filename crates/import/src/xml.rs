//! Documents of XML with the lines of their elements.

use crate::refused::Refused;
use roxmltree::{Document, Error, Node, ParsingOptions};

/// A document of XML; a reference to a definition of its own is refused, since it could grow without limit.
pub(crate) fn document(text: &str) -> Result<Document<'_>, Refused> {
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|why| {
        let row = match why {
            // It has no place of its own.
            Error::UnexpectedEndOfStream => text.lines().count().max(1),
            _ => usize::try_from(why.pos().row).unwrap_or(0),
        };
        Refused::at(row, format!("this is no XML: {why}"))
    })
}

/// The line where an element begins.
pub(crate) fn line(node: Node) -> usize {
    let position = node.document().text_pos_at(node.range().start);
    usize::try_from(position.row).unwrap_or(0)
}
