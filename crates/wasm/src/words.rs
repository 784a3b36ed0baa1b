//! What may be written where, for an editor: from the tables that read descriptions.

use serde_json::{Map, Value, json};
use vorrang_model::keys::{FILE, Key, Kind, Noun, Presence};

/// The keys of the file and of each table, and what each table is.
pub fn all() -> Value {
    let tables = Noun::ALL.map(|noun| {
        let table = json!({ "doc": noun.doc(), "keys": keys(noun.keys()) });
        (noun.word().to_owned(), table)
    });
    json!({ "file": keys(FILE), "tables": Value::Object(Map::from_iter(tables)) })
}

fn keys(all: &[Key]) -> Vec<Value> {
    all.iter().map(key).collect()
}

fn key(key: &Key) -> Value {
    let Key { name, kind, presence, doc, .. } = key;
    let words = kind.words().into_iter().map(|(word, doc)| json!({ "word": word, "doc": doc }));
    let references = match kind {
        Kind::Reference(nouns) => nouns.iter().map(|noun| noun.word()).collect(),
        _ => Vec::new(),
    };
    let inner = match kind {
        Kind::Table(inner) | Kind::TableOrNone(inner) => keys(inner),
        _ => Vec::new(),
    };
    json!({
        "name": name,
        "doc": doc,
        "expected": kind.expected(),
        "required": matches!(presence, Presence::Required),
        "quoted": !matches!(kind, Kind::Version | Kind::Priority | Kind::Number(..) | Kind::Flag),
        "words": words.collect::<Vec<_>>(),
        "references": references,
        "keys": inner,
    })
}
