//! The reference of the format for people, in Markdown, from the key tables.

use crate::keys::{FILE, GRID, Key, Kind, Noun, PRIORITIES, Presence};
use crate::limits;
use std::fmt::Write as _;

/// The reference: all tables, keys, words and limits.
///
/// `docs/description.md` is this text, and a test fails when it is not; to write it anew:
/// `VORRANG_WRITE_DOCS=1 cargo test -p vorrang-model --test model generated`.
pub fn reference() -> String {
    let mut page = include_str!("reference.md").to_owned();
    left_open(&mut page);
    page.push_str("\n## The file\n\n");
    keys(&mut page, FILE);
    inner_tables(&mut page, "", FILE);
    for noun in Noun::ALL {
        let (word, doc) = (noun.word(), noun.doc());
        write!(page, "\n## `[{word}.NAME]`\n\n{doc}\n\n").expect(WRITTEN);
        keys(&mut page, noun.keys());
        inner_tables(&mut page, &format!("{word}.NAME."), noun.keys());
    }
    for (title, note, kind) in WORDS {
        write!(page, "\n## {title}\n\n{note}").expect(WRITTEN);
        for (text, doc) in kind.words() {
            writeln!(page, "* `\"{text}\"`: {doc}").expect(WRITTEN);
        }
    }
    limits_of_text(&mut page);
    page
}

/// The sections that explain words, each with what is said before them.
const WORDS: [(&str, &str, Kind); 10] = [
    ("Schedulers", "The last one is for cores only.\n\n", Kind::CoreScheduler),
    ("Kinds of server", "", Kind::ServerKind),
    ("Orders of interrupts", "", Kind::InterruptOrder),
    ("Interrupt time", "", Kind::InterruptTime),
    ("Timer queues", "", Kind::TimerQueue),
    ("Rules of pseudo-VCPUs", "", Kind::PseudoVcpuRule),
    ("Arrivals of packets", "", Kind::Arrival),
    ("Cache models", "", Kind::CacheModel),
    ("Communication", "", Kind::Communication),
    ("Preemption", "", Kind::Preemption),
];

/// What may be written where a value is to be chosen.
fn left_open(page: &mut String) {
    page.push_str("\n## Values left open\n\n");
    page.push_str(include_str!("left_open.md"));
    keys(page, GRID);
    page.push_str("\nOf a priority:\n\n");
    keys(page, PRIORITIES);
}

const WRITTEN: &str = "a string takes everything";

fn inner_tables(page: &mut String, name: &str, table: &[Key]) {
    for key in table {
        if let Kind::Table(inner) | Kind::TableOrNone(inner) = key.kind {
            let name = format!("{name}{}", key.name);
            write!(page, "\n### `[{name}]`\n\n{}\n\n", key.doc).expect(WRITTEN);
            keys(page, inner);
            inner_tables(page, &format!("{name}."), inner);
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
        let open = if key.may_be_open { ", or [open](#values-left-open)" } else { "" };
        let (name, holds, doc) = (key.name, holds(key.kind), key.doc);
        let row = format!("| `{name}` | {holds}{open} | {left_out} | {doc} |");
        writeln!(page, "{row}").expect(WRITTEN);
    }
}

/// What a key holds, in a cell of a table.
fn holds(kind: Kind) -> String {
    match kind {
        Kind::Version => "`1`".into(),
        Kind::Text | Kind::Sentence => "text".into(),
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
        Kind::References(nouns) => {
            let nouns: Vec<_> = nouns.iter().map(|noun| format!("`{}`", noun.word())).collect();
            format!("list of full names: {}", nouns.join(", "))
        }
        Kind::Communication => "[communication](#communication)".into(),
        Kind::Preemption => "[preemption](#preemption)".into(),
        Kind::Files => "list of files".into(),
        Kind::Table(_) => "table".into(),
        Kind::TableOrNone(_) => "table, or `\"none\"`".into(),
        Kind::Number(least, most) => format!("{least} to {most}"),
        Kind::Flag => "`true` or `false`".into(),
        Kind::Part => "part of the whole: `\"9%\"` or `\"0.09\"`".into(),
        Kind::Probability => "probability above zero: `\"99.9%\"` or `\"0.999\"`".into(),
        Kind::Execution => "times with weights: `{ \"5ms\" = 9, \"20ms\" = 1 }`".into(),
        Kind::Windows => "starts with lengths: `{ \"0s\" = \"2ms\", \"5ms\" = \"1ms\" }`".into(),
        Kind::Distances => {
            "list of durations, each longer: `[\"1us\", \"5ms\", \"32: 80ms\"]`".into()
        }
        Kind::InterruptOrder => "[order](#orders-of-interrupts)".into(),
        Kind::InterruptTime => "[what they are charged to](#interrupt-time)".into(),
        Kind::TimerQueue => "[queue](#timer-queues)".into(),
        Kind::PseudoVcpuRule => "[rule](#rules-of-pseudo-vcpus)".into(),
        Kind::Arrival => "[arrival](#arrivals-of-packets)".into(),
        Kind::CacheModel => "[model](#cache-models)".into(),
    }
}

fn limits_of_text(page: &mut String) {
    page.push_str("\n## Limits\n\n");
    let limits = [
        (limits::BYTES, "bytes of text, with what it includes"),
        (limits::INCLUDED, "files included"),
        (limits::ENTITIES, "things declared"),
        (limits::NAME_BYTES, "letters of a name"),
        (limits::SERVER_DEPTH - 1, "servers around a server"),
        (limits::WAKE_UPS, "wake-ups of tasks by tasks, one after the other"),
        (limits::SLOT_PAIRS, "pairs of slots, summed over the cores"),
        (limits::EXECUTION_TIMES, "times of an `execution`"),
    ];
    let points = limits::OPEN_POINTS;
    for (most, what) in limits {
        writeln!(page, "* {most} {what}").expect(WRITTEN);
    }
    writeln!(page, "* {points} durations for an open value").expect(WRITTEN);
    page.push_str("* 1000000s (11.6 days) for a duration\n");
}
