//! What stands under the pointer: a key, a word, or something declared with its verdict.

use super::hints;
use crate::cursor::Cursor;
use crate::document::Document;
use crate::place;
use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};
use std::fmt::Write as _;
use vorrang_model::keys::{Key, Noun, Presence};

/// What is said of the place.
pub(crate) fn at(document: &Document, asked: &HoverParams) -> Option<Hover> {
    let position = asked.text_document_position_params.position;
    let byte = place::byte(&document.text, position);
    let cursor = Cursor::at(&document.text, byte);
    let word = &document.text[cursor.word.clone()];
    let text = declared(document, &cursor, word)
        .or_else(|| of_word(&cursor, word))
        .or_else(|| cursor.known().map(of_key))?;
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: text });
    Some(Hover { contents, range: Some(document.range(cursor.word)) })
}

/// Something that is declared, in a head or referred to.
fn declared(document: &Document, cursor: &Cursor, word: &str) -> Option<String> {
    let name = if cursor.in_head { cursor.table.get(..2)?.join(".") } else { word.to_owned() };
    document.places.get(&name)?;
    let noun = Noun::of_word(name.split_once('.')?.0)?;
    let mut text = format!("**{name}**: {}\n", noun.doc());
    for line in hints::of(document, &name) {
        write!(text, "\n* {line}").expect("a string takes everything");
    }
    Some(text)
}

/// One of the words that a key can be set to.
fn of_word(cursor: &Cursor, word: &str) -> Option<String> {
    let words = cursor.known().filter(|_| cursor.in_value)?.kind.words();
    let (text, doc) = words.into_iter().find(|(text, _)| *text == word)?;
    Some(format!("**\"{text}\"**: {doc}"))
}

/// A key: what it is, what it holds, and what it is where it is left out.
pub(crate) fn of_key(key: &Key) -> String {
    let presence = match key.presence {
        Presence::Required => "It must be there.".to_owned(),
        Presence::Optional => String::new(),
        Presence::Default(default) => format!("Left out, it is `{default}`."),
    };
    let open = if key.may_be_open { " It may be left open, as `\"?\"`." } else { "" };
    let text =
        format!("**{}**: {}\n\nIt is {}. {presence}{open}", key.name, key.doc, key.kind.expected());
    text.trim_end().to_owned()
}
