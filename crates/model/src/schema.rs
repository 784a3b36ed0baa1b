//! The JSON Schema (draft 2020-12) of a description, generated from the key tables.
//!
//! It says what can be said about each table by itself: keys, types, words, the form of names and
//! durations. What needs two tables (that a target is there, that a budget fits) is checked by
//! `read` only, so a description that the schema accepts may still be wrong; one that it refuses
//! always is.

use crate::keys::{FILE, GRID, Key, Kind, Noun, PRIORITIES, Presence};
use crate::limits;
use serde_json::{Map, Value, json};

/// A name as it stands behind the dot of a full name.
const NAME: &str = "[A-Za-z0-9_-]+";
/// A decimal number and a unit.
const DURATION: &str = r"^\s*[0-9]+(\.[0-9]+)?\s*(ns|us|µs|μs|ms|s|min|h)\s*$";
/// The same with a digit above zero in it.
const ABOVE_ZERO: &str = r"[1-9]";
/// A duration, perhaps with how many arrivals later that is.
const DISTANCE: &str = r"^\s*([0-9]+\s*:\s*)?[0-9]+(\.[0-9]+)?\s*(ns|us|µs|μs|ms|s|min|h)\s*$";
/// The same with a digit above zero in its time.
const TIME_ABOVE_ZERO: &str = r"^([^:]*:)?[^:]*[1-9][^:]*$";
/// A decimal number, perhaps of hundredths.
const PART: &str = r"^[0-9]+(\.[0-9]+)?%?$";

/// The schema of version 1 of the format.
///
/// `docs/vorrang.schema.json` is this value, and a test fails when it is not; to write it anew:
/// `VORRANG_WRITE_DOCS=1 cargo test -p vorrang-model --test model generated`.
pub fn schema() -> Value {
    let mut schema = table(FILE);
    let nouns = Noun::ALL.into_iter().map(|noun| (noun.word().to_owned(), named_tables(noun)));
    let properties = schema["properties"].as_object_mut().expect("a table has properties");
    properties.extend(nouns);
    let mut whole = Map::new();
    whole.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
    whole.insert("title".into(), "Vorrang system description, version 1".into());
    whole.append(schema.as_object_mut().expect("a table is an object"));
    Value::Object(whole)
}

/// All things of one kind by their names.
fn named_tables(noun: Noun) -> Value {
    json!({
        "description": noun.doc(),
        "type": "object",
        "propertyNames": { "pattern": format!("^{NAME}$"), "maxLength": limits::NAME_BYTES },
        "additionalProperties": table(noun.keys()),
    })
}

fn table(keys: &[Key]) -> Value {
    let properties: Map<String, Value> =
        keys.iter().map(|key| (key.name.to_owned(), property(key))).collect();
    let required: Vec<&str> = keys
        .iter()
        .filter(|key| matches!(key.presence, Presence::Required))
        .map(|key| key.name)
        .collect();
    let mut table = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        table["required"] = required.into();
    }
    table
}

fn property(key: &Key) -> Value {
    let mut property = json!({ "description": key.doc });
    let object = property.as_object_mut().expect("made as one");
    let closed = constraints(key.kind);
    let mut constraints = if key.may_be_open { or_open(key.kind, closed) } else { closed };
    object.append(constraints.as_object_mut().expect("made as one"));
    if let Presence::Default(default) = key.presence {
        object.insert("default".into(), default.into());
    }
    property
}

/// The same, or left open.
fn or_open(kind: Kind, closed: Value) -> Value {
    let several = json!({ "type": "array", "minItems": 1, "items": closed });
    json!({ "anyOf": match kind {
        Kind::Priority => vec![json!({ "const": "?" }), closed, several, table(PRIORITIES)],
        Kind::PositiveDuration => vec![json!({ "const": "?" }), closed, several, table(GRID)],
        Kind::ServerKind => vec![closed, several],
        _ => vec![json!({ "const": "?" }), closed, several],
    } })
}

fn constraints(kind: Kind) -> Value {
    match kind {
        Kind::Version => json!({ "const": 1 }),
        Kind::Text | Kind::Sentence => json!({ "type": "string", "minLength": 1 }),
        Kind::Duration => json!({ "type": "string", "pattern": DURATION }),
        Kind::PositiveDuration => positive_duration(),
        Kind::DurationOrNone => json!({ "anyOf": [{ "const": "none" }, positive_duration()] }),
        Kind::Priority => {
            json!({ "type": "integer", "minimum": 0, "maximum": limits::PRIORITY })
        }
        Kind::Number(least, most) => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Part => json!({ "type": "string", "pattern": PART }),
        Kind::Probability => {
            json!({ "type": "string", "pattern": PART, "allOf": [{ "pattern": ABOVE_ZERO }] })
        }
        Kind::Execution => json!({
            "type": "object",
            "minProperties": 1,
            "maxProperties": limits::EXECUTION_TIMES,
            "propertyNames": { "pattern": DURATION, "allOf": [{ "pattern": ABOVE_ZERO }] },
            "additionalProperties": { "type": "integer", "minimum": 1, "maximum": limits::WEIGHT },
        }),
        Kind::Windows => json!({
            "type": "object",
            "minProperties": 1,
            "maxProperties": limits::WINDOWS,
            "propertyNames": { "pattern": DURATION },
            "additionalProperties": positive_duration(),
        }),
        Kind::Distances => json!({
            "type": "array",
            "minItems": 1,
            "maxItems": limits::DISTANCES,
            "items": { "type": "string", "pattern": DISTANCE, "allOf": [{ "pattern": TIME_ABOVE_ZERO }] },
        }),
        Kind::Reference(nouns) => reference(nouns),
        Kind::References(nouns) => {
            json!({ "type": "array", "minItems": 1, "uniqueItems": true, "items": reference(nouns) })
        }
        Kind::Files => {
            json!({ "type": "array", "items": { "type": "string", "minLength": 1 } })
        }
        Kind::Table(keys) => table(keys),
        Kind::TableOrNone(keys) => json!({ "anyOf": [{ "const": "none" }, table(keys)] }),
        _ => words(kind),
    }
}

fn reference(nouns: &[Noun]) -> Value {
    let nouns: Vec<_> = nouns.iter().map(|noun| noun.word()).collect();
    let pattern = format!(r"^({})\.{NAME}$", nouns.join("|"));
    json!({ "type": "string", "pattern": pattern })
}

fn positive_duration() -> Value {
    json!({ "type": "string", "pattern": DURATION, "allOf": [{ "pattern": ABOVE_ZERO }] })
}

fn words(kind: Kind) -> Value {
    let words = kind.words().into_iter();
    let words = words.map(|(text, doc)| json!({ "const": text, "description": doc }));
    json!({ "oneOf": words.collect::<Vec<_>>() })
}
