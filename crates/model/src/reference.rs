//! The reference of the format for people, in Markdown, from the key tables.

use crate::keys::{FILE, Key, Kind, Noun, Presence};
use crate::limits;
use crate::word::{CORE_SCHEDULERS, SERVER_KINDS, Word};
use std::fmt::Write as _;

/// The reference: all tables, keys, words and limits.
///
/// `docs/description.md` is this text, and a test fails when it is not; to write it anew:
/// `VORRANG_WRITE_DOCS=1 cargo test -p vorrang-model --test generated`.
pub fn reference() -> String {
    let mut page = include_str!("reference.md").to_owned();
    page.push_str("\n## The file\n\n");
    keys(&mut page, FILE);
    for noun in Noun::ALL {
        let (word, doc) = (noun.word(), noun.doc());
        write!(page, "\n## `[{word}.NAME]`\n\n{doc}\n\n").expect(WRITTEN);
        keys(&mut page, noun.keys());
        inner_tables(&mut page, &format!("{word}.NAME"), noun.keys());
    }
    page.push_str("\n## Schedulers\n\nThe last one is for cores only.\n\n");
    words(&mut page, CORE_SCHEDULERS);
    page.push_str("\n## Kinds of server\n\n");
    words(&mut page, SERVER_KINDS);
    limits_of_text(&mut page);
    page
}

const WRITTEN: &str = "a string takes everything";

fn inner_tables(page: &mut String, name: &str, table: &[Key]) {
    for key in table {
        if let Kind::Table(inner) = key.kind {
            let name = format!("{name}.{}", key.name);
            write!(page, "\n### `[{name}]`\n\n{}\n\n", key.doc).expect(WRITTEN);
            keys(page, inner);
            inner_tables(page, &name, inner);
        }
    }
}

fn keys(page: &mut String, keys: &[Key]) {
    page.push_str("| key | holds | if left out | |\n|---|---|---|---|\n");
    for key in keys {
        let left_out = match key.presence {
            Presence::Required => "an error".to_owned(),
            Presence::Optional => String::new(),
            Presence::Default(default) => format!("`\"{default}\"`"),
        };
        let row = format!("| `{}` | {} | {left_out} | {} |", key.name, holds(key.kind), key.doc);
        writeln!(page, "{row}").expect(WRITTEN);
    }
}

/// What a key holds, in a cell of a table.
fn holds(kind: Kind) -> String {
    match kind {
        Kind::Version => "`1`".into(),
        Kind::Text => "text".into(),
        Kind::PositiveDuration => "duration above zero".into(),
        Kind::Duration => "duration".into(),
        Kind::DurationOrNone => "duration above zero, or `\"none\"`".into(),
        Kind::Priority => format!("0 to {}", limits::PRIORITY),
        Kind::CoreScheduler | Kind::GuestScheduler => "[scheduler](#schedulers)".into(),
        Kind::ServerKind => "[kind](#kinds-of-server)".into(),
        Kind::Reference(nouns) => {
            let nouns: Vec<_> = nouns.iter().map(|noun| format!("`{}`", noun.word())).collect();
            format!("full name: {}", nouns.join(", "))
        }
        Kind::Table(_) => "table".into(),
    }
}

fn words<T>(page: &mut String, words: &[Word<T>]) {
    for word in words {
        writeln!(page, "* `\"{}\"`: {}", word.text, word.doc).expect(WRITTEN);
    }
}

fn limits_of_text(page: &mut String) {
    page.push_str("\n## Limits\n\n");
    let limits = [
        (limits::BYTES, "bytes of text"),
        (limits::ENTITIES, "things declared"),
        (limits::NAME_BYTES, "letters of a name"),
        (limits::SERVER_DEPTH - 1, "servers around a server"),
        (limits::SLOT_PAIRS, "pairs of slots, summed over the cores"),
    ];
    for (most, what) in limits {
        writeln!(page, "* {most} {what}").expect(WRITTEN);
    }
    page.push_str("* 1000000s (11.6 days) for a duration\n");
}
