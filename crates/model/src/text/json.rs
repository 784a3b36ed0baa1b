//! JSON as a tree: strictly RFC 8259, and no key twice.
//!
//! Two parsers read it: `serde_json` says whether it is JSON at all (it is the strict one),
//! `jsonc-parser` says where everything stands.

use super::node::{Entry, Node, Value, character_at};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span, excerpt};
use jsonc_parser::ast;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

pub(super) fn parse(text: &str, errors: &mut Errors) -> Option<Node> {
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        errors.push(strict_syntax_error(&error, text));
        return None;
    }
    match parse_to_ast(text, &CollectOptions::default(), &STRICT) {
        Ok(result) => result.value.map(|value| node(value, errors)),
        Err(error) => {
            let span = error.range().start..error.range().end;
            let message = format!("this is not JSON: {}", error.kind());
            errors.push(Diagnostic::new(Code::JsonSyntax, span, message));
            None
        }
    }
}

fn strict_syntax_error(error: &serde_json::Error, text: &str) -> Diagnostic {
    let line_start = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    // Columns count bytes, and may point into a character.
    let at = character_at(text, line_start + error.column().saturating_sub(1));
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let diagnostic =
        Diagnostic::new(Code::JsonSyntax, at..at, format!("this is not JSON: {message}"));
    if message.starts_with("trailing comma") {
        diagnostic.help("remove the comma before the closing bracket")
    } else if text[..at].ends_with('/') || text[at..].starts_with('/') {
        diagnostic.help("JSON has no comments; TOML has")
    } else if text.parse::<::toml::Table>().is_ok() {
        diagnostic.help("this is TOML, which is read from files whose names do not end in `.json`")
    } else {
        diagnostic
    }
}

fn node(value: ast::Value<'_>, errors: &mut Errors) -> Node {
    let (span, value) = match value {
        ast::Value::StringLit(text) => (span(text.range), Value::Text(text.value.into_owned())),
        ast::Value::NumberLit(number) => {
            (span(number.range), Value::Number(number.value.parse().ok(), number.value.into()))
        }
        ast::Value::BooleanLit(boolean) => (span(boolean.range), Value::Boolean(boolean.value)),
        ast::Value::NullKeyword(null) => (span(null.range), Value::Null),
        ast::Value::Array(array) => {
            let values = array.elements.into_iter().map(|value| node(value, errors)).collect();
            (span(array.range), Value::Array(values))
        }
        ast::Value::Object(object) => (span(object.range), table(object, errors)),
    };
    Node { span, value }
}

fn span(range: jsonc_parser::common::Range) -> Span {
    range.start..range.end
}

/// The first of two equal keys counts, as in TOML.
fn table(object: ast::Object<'_>, errors: &mut Errors) -> Value {
    let mut seen = BTreeMap::<String, Span>::new();
    let mut entries = Vec::new();
    for property in object.properties {
        let (key, key_span) = match property.name {
            ast::ObjectPropName::String(text) => (text.value.into_owned(), span(text.range)),
            ast::ObjectPropName::Word(word) => (word.value.to_owned(), span(word.range)),
        };
        if let Some(first) = seen.get(&key) {
            let message = format!("`{}` is there twice", excerpt(&key));
            errors.push(
                Diagnostic::new(Code::Duplicate, key_span, message)
                    .label("the second one")
                    .also(first.clone(), "the first one")
                    .help("a table is opened once, and holds each key once"),
            );
            continue;
        }
        seen.insert(key.clone(), key_span.clone());
        entries.push(Entry { key, span: key_span, node: node(property.value, errors) });
    }
    Value::Table(entries)
}
