//! Where a name is declared, and where it is used.

use crate::cursor::{Cursor, head};
use crate::document::Document;
use crate::place;
use lsp_types::{GotoDefinitionParams, Location, Position, ReferenceParams};

/// Where the name under the pointer is declared.
pub(crate) fn at(document: &Document, asked: &GotoDefinitionParams) -> Option<Location> {
    let name = name(document, asked.text_document_position_params.position)?;
    let declared = document.declared(&name)?;
    Some(Location::new(document.uri.clone(), document.range(declared)))
}

/// Where the name under the pointer is used, and declared where that is asked for.
pub(crate) fn references(document: &Document, asked: &ReferenceParams) -> Option<Vec<Location>> {
    let name = name(document, asked.text_document_position.position)?;
    let quoted = format!("\"{name}\"");
    let uses = document.text.match_indices(&quoted).map(|(at, _)| at + 1..at + 1 + name.len());
    let declared = document.declared(&name).filter(|_| asked.context.include_declaration);
    let all = declared.into_iter().chain(uses);
    Some(all.map(|own| Location::new(document.uri.clone(), document.range(own))).collect())
}

/// The full name at a place, in the head of its table or wherever it is referred to.
fn name(document: &Document, position: Position) -> Option<String> {
    let byte = place::byte(&document.text, position);
    let cursor = Cursor::at(&document.text, byte);
    let word = document.text[cursor.word].to_owned();
    let line = document.text[..byte].rfind('\n').map_or(0, |at| at + 1);
    let of_head = || Some(head(&document.text[line..])?.get(..2)?.join("."));
    [Some(word), of_head()].into_iter().flatten().find(|name| document.places.contains_key(name))
}
