//! TOML as a tree.

use super::{Entry, Node, Value};
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
            errors.push(diagnostic(&first, text));
            return None;
        }
    };
    let mut whole = true;
    for error in &found {
        let diagnostic = diagnostic(error, text);
        whole &= diagnostic.code == Code::Duplicate;
        errors.push(diagnostic);
    }
    whole.then(|| Node { span: 0..text.len(), value: table(root.into_inner()) })
}

fn diagnostic(error: &Error, text: &str) -> Diagnostic {
    let span = error.span().unwrap_or(text.len()..text.len());
    let message = error.message();
    if message.starts_with("duplicate key") {
        let key = crate::diagnostic::excerpt(text.get(span.clone()).unwrap_or_default());
        Diagnostic::new(Code::Duplicate, span, format!("`{key}` is there twice"))
            .label("the second one")
            .help("a table is opened once, and holds each key once")
    } else {
        Diagnostic::new(Code::TomlSyntax, span, format!("this is not TOML: {message}"))
    }
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
        DeValue::Boolean(_) => Value::Boolean,
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(_) => Value::Array,
        DeValue::Table(entries) => table(entries),
    };
    Node { span, value }
}
