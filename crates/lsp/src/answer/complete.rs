//! What may stand at a place: tables, keys, names and words.

use super::hover;
use crate::cursor::{Cursor, assignment, head};
use crate::document::Document;
use crate::place;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionParams, CompletionTextEdit, Documentation,
    MarkupContent, MarkupKind, TextEdit,
};
use std::collections::BTreeSet;
use vorrang_model::Format;
use vorrang_model::keys::{Key, Kind, Noun};

/// One of the things that may stand there.
struct Choice {
    text: String,
    kind: CompletionItemKind,
    doc: String,
}

/// Everything that may stand at the place.
pub(crate) fn at(document: &Document, asked: &CompletionParams) -> Vec<CompletionItem> {
    if document.format() == Format::Json {
        return Vec::new();
    }
    let byte = place::byte(&document.text, asked.text_document_position.position);
    let cursor = Cursor::at(&document.text, byte);
    let choices = if cursor.in_head {
        nouns()
    } else if cursor.in_value {
        cursor.known().map(|key| values(document, &cursor, key)).unwrap_or_default()
    } else {
        let present = present(&document.text, byte);
        let keys = cursor.keys().unwrap_or_default().iter();
        let keys = keys.filter(|key| !present.contains(key.name) && !key.name.starts_with('$'));
        keys.map(of_key).collect()
    };
    let item = |choice: Choice| {
        let is_text = choice.kind == CompletionItemKind::ENUM_MEMBER
            || choice.kind == CompletionItemKind::REFERENCE
            || choice.kind == CompletionItemKind::UNIT;
        let new = if is_text && cursor.in_value && !cursor.is_quoted {
            format!("\"{}\"", choice.text)
        } else {
            choice.text.clone()
        };
        let edit = TextEdit::new(document.range(cursor.word.clone()), new);
        CompletionItem {
            label: choice.text,
            kind: Some(choice.kind),
            documentation: Some(Documentation::MarkupContent(MarkupContent {
                kind: MarkupKind::Markdown,
                value: choice.doc,
            })),
            text_edit: Some(CompletionTextEdit::Edit(edit)),
            ..CompletionItem::default()
        }
    };
    choices.into_iter().map(item).collect()
}

fn nouns() -> Vec<Choice> {
    let choice = |noun: Noun| Choice {
        text: format!("{}.", noun.word()),
        kind: CompletionItemKind::CLASS,
        doc: noun.doc().to_owned(),
    };
    Noun::ALL.into_iter().map(choice).collect()
}

fn of_key(key: &Key) -> Choice {
    Choice {
        text: key.name.to_owned(),
        kind: CompletionItemKind::PROPERTY,
        doc: hover::of_key(key),
    }
}

/// What a key may be.
fn values(document: &Document, cursor: &Cursor, key: &Key) -> Vec<Choice> {
    let word =
        |text: &str, doc: &str, kind| Choice { text: text.to_owned(), kind, doc: doc.to_owned() };
    match key.kind {
        Kind::Reference(nouns) | Kind::References(nouns) => {
            let fits = |name: &&String| {
                let noun = name.split_once('.').and_then(|(noun, _)| Noun::of_word(noun));
                noun.is_some_and(|noun| nouns.contains(&noun))
            };
            let names = document.places.keys().filter(fits);
            names.map(|name| word(name, "", CompletionItemKind::REFERENCE)).collect()
        }
        Kind::Duration | Kind::PositiveDuration | Kind::DurationOrNone => {
            let written = &document.text[cursor.word.clone()];
            let digits = written.trim_end_matches(|c: char| c.is_alphabetic());
            if digits.is_empty() {
                return Vec::new();
            }
            let unit = |unit: &str| word(&format!("{digits}{unit}"), "", CompletionItemKind::UNIT);
            ["ns", "us", "ms", "s"].map(unit).into()
        }
        Kind::Flag => {
            ["true", "false"].map(|text| word(text, "", CompletionItemKind::VALUE)).into()
        }
        kind => {
            let words = kind.words().into_iter();
            words.map(|(text, doc)| word(text, doc, CompletionItemKind::ENUM_MEMBER)).collect()
        }
    }
}

/// The keys that the table around a byte already has, but for that of its own line.
fn present(text: &str, byte: usize) -> BTreeSet<&str> {
    let start = text[..byte].rfind('\n').map_or(0, |at| at + 1);
    let above = text[..start].lines().rev().take_while(|line| head(line).is_none());
    let below = text[byte..].lines().skip(1).take_while(|line| head(line).is_none());
    above.chain(below).filter_map(assignment).map(|(key, _)| key).collect()
}
