//! The schema is a schema, and it agrees with the reader about the corpus.

use serde_json::Value;
use std::path::{Path, PathBuf};
use vorrang_model::{Code, Diagnostic, Format, read, schema};

/// The files of a folder of tests, as values; those that are not TOML or JSON at all left out.
fn values(folder: &str) -> Vec<(PathBuf, Value, Result<(), Vec<Code>>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut values: Vec<_> = files
        .filter_map(|path| {
            let text = std::fs::read_to_string(&path).ok()?;
            let value = match path.extension()?.to_str()? {
                "toml" => of_toml(toml::from_str::<toml::Value>(&text).ok()?),
                "json" => serde_json::from_str(&text).ok()?,
                _ => return None,
            };
            let read = read(&text, Format::of_path(&path));
            let codes = |errors: Vec<Diagnostic>| errors.iter().map(|error| error.code).collect();
            Some((path, value, read.map(|_| ()).map_err(codes)))
        })
        .collect();
    values.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    values
}

fn of_toml(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(number) => number.into(),
        // JSON Schema takes 1.0 for a whole number; TOML, and the reader, do not.
        toml::Value::Float(_) => 0.5.into(),
        toml::Value::Boolean(boolean) => boolean.into(),
        // A date has no twin in JSON; an array is as wrong as it is, wherever it stands.
        toml::Value::Datetime(_) => Value::Array(Vec::new()),
        toml::Value::Array(values) => values.into_iter().map(of_toml).collect(),
        toml::Value::Table(table) => {
            table.into_iter().map(|(key, value)| (key, of_toml(value))).collect()
        }
    }
}

/// Errors that stand in one table alone, and that the schema therefore knows.
const OF_ONE_TABLE: &[Code] = &[
    Code::UnknownKey,
    Code::UnknownTable,
    Code::MissingKey,
    Code::WrongType,
    Code::WrongVersion,
    Code::BadName,
    Code::BareNumber,
    Code::NotADuration,
    Code::UnknownUnit,
    Code::NegativeDuration,
    Code::ZeroDuration,
    Code::UnknownWord,
    Code::OutOfRange,
    Code::NotAReference,
];

#[test]
fn the_schema_accepts_what_is_right() {
    let validator = jsonschema::draft202012::new(&schema()).unwrap();
    let values = values("right");
    assert!(values.len() > 10);
    for (path, value, read) in values {
        assert_eq!(read, Ok(()), "{path:?}");
        if let Err(error) = validator.validate(&value) {
            panic!("{}: {error} at {}", path.display(), error.instance_path());
        }
    }
}

#[test]
fn the_schema_refuses_what_is_wrong_in_one_table() {
    let validator = jsonschema::draft202012::new(&schema()).unwrap();
    let (mut refused, mut accepted) = (0, 0);
    for (path, value, read) in values("wrong") {
        let codes = read.unwrap_err();
        if codes.iter().any(|code| OF_ONE_TABLE.contains(code)) {
            assert!(!validator.is_valid(&value), "{}: {codes:?}", path.display());
            refused += 1;
        } else {
            accepted += usize::from(validator.is_valid(&value));
        }
    }
    assert!(refused > 30 && accepted > 20, "{refused} refused, {accepted} accepted");
}

#[test]
fn the_schema_is_a_schema() {
    jsonschema::draft202012::meta::validate(&schema()).unwrap();
}
