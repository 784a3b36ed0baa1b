//! TOML as a tree.

use super::node::{Entry, Node, Value, character_at};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span};
use crate::limits;
use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue, Error};

/// The tree of a text. After duplicates the tree is whole enough to look for further errors.
pub(super) fn parse(text: &str, errors: &mut Errors) -> Option<Node> {
    let (root, found) = match DeTable::parse(text) {
        Ok(root) => (root, Vec::new()),
        Err(_) if text.len() <= limits::RECOVERY_BYTES => DeTable::parse_recoverable(text),
        Err(first) => {
            let span = span_of(&first, text);
            errors.push(if is_duplicate(&first) {
                duplicate(text, span)
            } else if is_json(text) {
                syntax_error(&first, span).help(NAMED_JSON)
            } else {
                syntax_error(&first, span)
            });
            return None;
        }
    };
    if let Some(first) = found.first().filter(|_| is_json(text)) {
        errors.push(syntax_error(first, span_of(first, text)).help(NAMED_JSON));
        return None;
    }
    let whole = found.iter().all(is_duplicate);
    let mut second_table = 0..0;
    for error in &found {
        let span = span_of(error, text);
        if errors.is_full() || !is_duplicate(error) {
            errors.push(syntax_error(error, span));
            continue;
        }
        // What stands in a table that is there twice is not reported once more.
        if second_table.contains(&span.start) {
            continue;
        }
        if line_of(text, span.start).1.starts_with('[') {
            let end = text[span.start..].find("\n[").map_or(text.len(), |end| span.start + end);
            second_table = span.start..end;
        }
        errors.push(duplicate(text, span));
    }
    whole.then(|| Node { span: 0..text.len(), value: table(root.into_inner()) })
}

/// What is said of JSON.
const NAMED_JSON: &str =
    "this looks like JSON, which is read from files whose names end in `.json`";

/// Whether it begins as an object does; no TOML does.
fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

fn span_of(error: &Error, text: &str) -> Span {
    let span = error.span().unwrap_or(text.len()..text.len());
    character_at(text, span.start)..character_at(text, span.end)
}

fn is_duplicate(error: &Error) -> bool {
    error.message().starts_with("duplicate key")
}

fn syntax_error(error: &Error, span: Span) -> Diagnostic {
    Diagnostic::new(Code::TomlSyntax, span, format!("this is not TOML: {}", error.message()))
}

fn duplicate(text: &str, span: Span) -> Diagnostic {
    let key = text.get(span.clone()).unwrap_or_default();
    let message = format!("`{}` is there twice", crate::diagnostic::excerpt(key));
    let first = first_of(text, &span, key);
    let diagnostic = Diagnostic::new(Code::Duplicate, span, message)
        .label("the second one")
        .help("a table is opened once, and holds each key once");
    match first {
        Some(first) => diagnostic.also(first, "the first one"),
        None => diagnostic,
    }
}

/// Where the line of a byte starts, and the line from there on.
fn line_of(text: &str, byte: usize) -> (usize, &str) {
    let start = text[..byte].rfind('\n').map_or(0, |end| end + 1);
    (start, &text[start..])
}

/// Where the first of two equal keys or headers stands, if it is written the same: the parser only
/// says where the second one is.
fn first_of(text: &str, second: &Span, key: &str) -> Option<Span> {
    let (line_start, line) = line_of(text, second.start);
    let head = &line[..second.end.checked_sub(line_start)?];
    let (from, wanted) = if line.starts_with('[') {
        (0, format!("{head}]"))
    } else {
        // Keys are looked for in their own table.
        (text[..line_start].rfind("\n[").unwrap_or(0), head.to_owned())
    };
    let mut at = from;
    for line in text[from..line_start].split_inclusive('\n') {
        let ends = |rest: &str| rest.starts_with([' ', '\t', '=', '.', ']']) || rest.is_empty();
        if line.strip_prefix(&wanted).is_some_and(|rest| wanted.ends_with(']') || ends(rest)) {
            let end = at + head.len();
            return Some(end - key.len()..end);
        }
        at += line.len();
    }
    None
}

fn table(entries: DeTable<'_>) -> Value {
    let mut entries: Vec<Entry> = entries
        .into_iter()
        .map(|(key, value)| Entry {
            span: key.span(),
            key: key.into_inner().into_owned(),
            node: node(value),
        })
        .collect();
    entries.sort_by_key(|entry| entry.span.start);
    Value::Table(entries)
}

fn node(value: Spanned<DeValue<'_>>) -> Node {
    let span: Span = value.span();
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(number) => {
            let value = i64::from_str_radix(number.as_str(), number.radix()).ok();
            Value::Number(value, number.to_string())
        }
        DeValue::Float(number) => Value::Number(None, number.to_string()),
        DeValue::Boolean(value) => Value::Boolean(value),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(values) => Value::Array(values.into_iter().map(node).collect()),
        DeValue::Table(entries) => table(entries),
    };
    Node { span, value }
}
