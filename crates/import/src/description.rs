//! A description as text.
//!
//! **Model.** Names of others hold anything: what no name of a description may hold becomes `-`, and names are numbered
//! where two become the same. Comments are on one line, whatever they hold.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use vorrang_model::limits;
use vorrang_model::system::Selector;
use vorrang_quote::visible;

/// A table.
pub(crate) struct Table {
    /// `vcpu`, `server` or `task`.
    pub(crate) noun: &'static str,
    /// As others call it.
    pub(crate) name: String,
    /// What is known of it besides, a line each.
    pub(crate) comments: Vec<String>,
    /// Keys with their values as they are written.
    pub(crate) keys: Vec<(&'static str, Value)>,
}

/// The value of a key.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// A word, or the text of others.
    Text(String),
    /// A number.
    Number(u64),
    /// It is open.
    Open,
    /// Another table, by its place in the list.
    Table(usize),
    /// Several of them.
    Tables(Vec<usize>),
    /// A core.
    Core(u32),
    /// Nanoseconds.
    Time(u64),
    /// Several lengths, in nanoseconds.
    Times(Vec<u64>),
    /// Starts with lengths, in nanoseconds.
    Windows(Vec<(u64, u64)>),
    /// `true`.
    Yes,
}

impl Value {
    /// The text, if no description can hold it: one with control characters, an empty or a long one, or one that
    /// names no thread.
    fn cannot_be_stated(&self, key: &str) -> Option<&str> {
        let Self::Text(text) = self else { return None };
        let fits = !text.trim().is_empty()
            && text.len() <= limits::NAME_BYTES
            && !text.contains(char::is_control)
            && (key != "thread" || Selector::read(text).is_ok());
        (!fits).then_some(text)
    }

    pub(crate) fn word(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// A core.
pub(crate) struct Core {
    pub(crate) scheduler: &'static str,
    /// Its number on the machine, where that is known to be one.
    pub(crate) cpu: Option<u32>,
    /// The release of its Linux.
    pub(crate) release: Option<String>,
}

#[derive(Default)]
pub(crate) struct Description {
    /// Lines before everything.
    pub(crate) head: Vec<String>,
    pub(crate) cores: BTreeMap<u32, Core>,
    pub(crate) tables: Vec<Table>,
    /// Lines behind everything.
    pub(crate) tail: Vec<String>,
}

impl Description {
    /// The place of a new table.
    pub(crate) fn add(&mut self, table: Table) -> usize {
        self.tables.push(table);
        self.tables.len() - 1
    }

    pub(crate) fn text(&self) -> String {
        let (names, mut threads) = (self.names(), BTreeSet::new());
        let mut out = String::new();
        comments(&mut out, &self.head);
        out.push_str("\nversion = 1\n");
        for (number, core) in &self.cores {
            let _ = write!(out, "\n[core.{number}]\nscheduler = \"{}\"\n", core.scheduler);
            if let Some(release) = &core.release {
                let _ = writeln!(out, "kernel-release = {}", quoted(release));
            }
            if let Some(cpu) = core.cpu {
                let _ = writeln!(out, "cpu = {cpu}");
            }
        }
        for (table, name) in self.tables.iter().zip(&names) {
            out.push('\n');
            comments(&mut out, &table.comments);
            let _ = writeln!(out, "[{name}]");
            for (key, value) in &table.keys {
                if let Some(text) = value.cannot_be_stated(key) {
                    comments(&mut out, &[format!("No description can hold this {key}: {text}")]);
                    continue;
                }
                if let (&"thread", Value::Text(text)) = (key, value)
                    && !Selector::read(text).is_ok_and(|selector| threads.insert(selector))
                {
                    comments(&mut out, &[format!("Another table has this thread: {text}")]);
                    continue;
                }
                let _ = writeln!(out, "{key} = {}", written(value, &names));
            }
        }
        if !self.tail.is_empty() {
            out.push('\n');
            comments(&mut out, &self.tail);
        }
        out
    }

    /// The full name of each table.
    fn names(&self) -> Vec<String> {
        let mut taken = BTreeSet::new();
        let mut unique = |table: &Table| {
            let plain = plain(&table.name);
            let numbered = (2_u32..).map(|number| format!("{plain}-{number}"));
            let mut candidates = std::iter::once(plain.clone()).chain(numbered);
            let full = |name: String| format!("{}.{name}", table.noun);
            candidates
                .by_ref()
                .map(full)
                .find(|name| taken.insert(name.clone()))
                .expect("numbers do not end")
        };
        self.tables.iter().map(&mut unique).collect()
    }
}

/// What a description may call something.
fn plain(name: &str) -> String {
    /// Room for a number behind it.
    const KEPT: usize = limits::NAME_BYTES - 12;
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let chars = name.chars().map(|c| if allowed(c) { c } else { '-' });
    let text: String = chars.take(KEPT).collect();
    let text = text.trim_matches('-');
    if text.is_empty() { "unnamed".to_owned() } else { text.to_owned() }
}

/// Characters of a comment; more is a list that is too long to read.
const SHOWN: usize = 400;

fn comments(out: &mut String, lines: &[String]) {
    for line in lines {
        let line: String = line.chars().take(SHOWN).collect();
        let _ = writeln!(out, "# {}", visible(&line));
    }
}

fn written(value: &Value, names: &[String]) -> String {
    match value {
        Value::Text(text) => quoted(text),
        Value::Number(number) => number.to_string(),
        Value::Open => "\"?\"".to_owned(),
        Value::Table(place) => format!("\"{}\"", names[*place]),
        Value::Tables(places) => {
            let names: Vec<String> =
                places.iter().map(|place| format!("\"{}\"", names[*place])).collect();
            format!("[{}]", names.join(", "))
        }
        Value::Core(number) => format!("\"core.{number}\""),
        Value::Yes => "true".to_owned(),
        Value::Time(ns) => format!("\"{}\"", time(*ns)),
        Value::Times(all) => {
            let all: Vec<String> = all.iter().map(|ns| format!("\"{}\"", time(*ns))).collect();
            format!("[{}]", all.join(", "))
        }
        Value::Windows(all) => {
            let one = |(start, length): &(u64, u64)| {
                format!("\"{}\" = \"{}\"", time(*start), time(*length))
            };
            format!("{{ {} }}", all.iter().map(one).collect::<Vec<_>>().join(", "))
        }
    }
}

/// A length of time, exactly.
pub(crate) fn time(ns: u64) -> String {
    match ns {
        0 => "0s".to_owned(),
        _ if ns.is_multiple_of(1_000_000) => format!("{}ms", ns / 1_000_000),
        _ if ns.is_multiple_of(1_000) => format!("{}us", ns / 1_000),
        _ => format!("{ns}ns"),
    }
}

/// A string of TOML, with everything escaped that could end it.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_descriptions_and_differ() {
        let table = |name: &str| Table {
            noun: "task",
            name: name.to_owned(),
            comments: vec!["one\ntwo".to_owned()],
            keys: vec![("thread", Value::Text("a\"b\\c\u{7f}\n".to_owned()))],
        };
        let mut description = Description::default();
        for name in ["a b", "a-b", "", "äöü", "a/b"] {
            description.add(table(name));
        }
        assert_eq!(
            description.names(),
            ["task.a-b", "task.a-b-2", "task.unnamed", "task.unnamed-2", "task.a-b-3"]
        );
        let text = description.text();
        assert!(text.contains("# one\\ntwo\n"), "{text}");
        assert!(text.contains("\n# No description can hold this thread: a\"b\\\\c"), "{text}");
    }

    #[test]
    fn times_are_exact() {
        for (ns, text) in [(0, "0s"), (2_000_000, "2ms"), (1_500, "1500ns"), (250_000, "250us")] {
            assert_eq!(time(ns), text);
        }
    }
}
