//! What was learnt, in the text of a description.
//!
//! **Model.** A value that was learnt has a comment behind it, which begins with the value itself. So an edit is seen: a
//! value that is not the one of its comment, or has none, belongs to who wrote it and stays. Comments of tables that were
//! learnt begin with `# learnt`; all others stay.
//!
//! **Not covered.** Arrivals are those of the last trace; of execution times, routines and sections the longest stays.

use crate::facts::Facts;
use crate::said::short;
use crate::table::{Entry, Style, Table, Value};
use crate::tables::tables;
use crate::wanted::Learnt;
use std::fmt::Write as _;
use std::str::FromStr as _;
use toml_edit::{Array, DocumentMut, Formatted, Item, Table as Written, Value as Toml};
use vorrang_quote::visible;
use vorrang_time::Duration;

const OF_TABLE: &str = "# learnt: ";
const OF_VALUE: &str = "# learnt ";
/// Keys of which the longer one is the more careful.
const LONGEST: [&str; 3] = ["wcet", "isr", "blocking"];
/// Keys of arrivals, which go together.
const ARRIVALS: [&str; 4] = ["period", "min-interarrival", "min-distances", "jitter"];

/// A new description.
pub fn written(learnt: &Learnt, facts: &Facts, style: &Style, from: &str) -> String {
    let mut document = DocumentMut::new();
    for table in tables(learnt, facts, style) {
        put(&mut document, &table);
    }
    let mut head = format!(
        "# What {} did, as `vorrang learn` saw it in {}: {} events. State what each task needs (`deadline`).\n",
        visible(from),
        short(learnt.end - learnt.begin),
        learnt.events
    );
    for setting in &facts.settings {
        let _ = writeln!(head, "# The kernel was started with {}.", visible(setting));
    }
    if let Some(tick) = &facts.tick {
        let _ = writeln!(head, "# The kernel was built with {}.", visible(tick));
    }
    format!("{head}\nversion = 1\n{document}")
}

/// A description with what was learnt in its place, and what was changed.
///
/// # Errors
/// It is no TOML.
pub fn updated(
    text: &str,
    learnt: &Learnt,
    facts: &Facts,
    style: &Style,
) -> Result<(String, Vec<String>), String> {
    let mut document: DocumentMut =
        text.parse().map_err(|why: toml_edit::TomlError| why.to_string())?;
    let mut changes = Vec::new();
    for table in tables(learnt, facts, style) {
        let name = found(&document, &table).unwrap_or_else(|| table.name.clone());
        if !is_there(&document, &table, &name) {
            put(&mut document, &table);
            changes.push(format!("{}.{}: new", table.noun, table.name));
            continue;
        }
        let known = document.get_mut(table.noun).and_then(|all| all.get_mut(&name));
        if let Some(known) = known.and_then(Item::as_table_mut) {
            update(known, &table, &name, &mut changes);
        }
    }
    Ok((document.to_string(), changes))
}

fn is_there(document: &DocumentMut, table: &Table, name: &str) -> bool {
    document.get(table.noun).is_some_and(|all| all.get(name).is_some() || !all.is_table())
}

/// The name of a table that is the same thing: by its thread or interrupt, or for a task of a reservation by that.
fn found(document: &DocumentMut, table: &Table) -> Option<String> {
    let text =
        |key: &str| table.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value);
    let tables = |noun: &str| document.get(noun).and_then(Item::as_table_like);
    let is = |item: &Item, key: &str| match text(key) {
        Some(Value::Text(wanted)) => item.get(key).and_then(Item::as_str) == Some(wanted),
        _ => false,
    };
    let keys: &[&str] = match table.noun {
        "interrupt" => &["irq", "on"],
        "core" => return None,
        _ => &["thread"],
    };
    let mut own = tables(table.noun)?.iter();
    let direct = own.find(|(_, item)| keys.iter().all(|key| is(item, key)));
    direct.map(|(name, _)| name.to_owned())
}

fn put(document: &mut DocumentMut, table: &Table) {
    let all = document.entry(table.noun).or_insert_with(|| {
        let mut parent = Written::new();
        parent.set_implicit(true);
        Item::Table(parent)
    });
    let Some(all) = all.as_table_mut() else { return };
    let mut written = Written::new();
    let mut notes = String::from(
        "
",
    );
    for note in &table.notes {
        let _ = writeln!(notes, "{OF_TABLE}{}", visible(note));
    }
    written.decor_mut().set_prefix(notes);
    for entry in &table.entries {
        written.insert(entry.key, Item::Value(value(entry)));
    }
    all.insert(&table.name, Item::Table(written));
}

fn value(entry: &Entry) -> Toml {
    let mut value = match &entry.value {
        Value::Text(text) => Toml::String(Formatted::new(text.clone())),
        Value::Number(number) => Toml::from(i64::try_from(*number).unwrap_or(i64::MAX)),
        Value::Times(all) => Toml::Array(all.iter().cloned().collect::<Array>()),
    };
    if let Some(from) = &entry.from {
        let suffix = format!(" {OF_VALUE}{}: {}", said(&value), visible(from));
        value.decor_mut().set_suffix(suffix);
    }
    value
}

/// What a comment says that a value is.
fn said(value: &Toml) -> String {
    match value {
        Toml::Array(all) => {
            let text = |value: &Toml| {
                let text = value.as_str().unwrap_or("?");
                text.rsplit(": ").next().unwrap_or(text).to_owned()
            };
            let ends = [all.get(0), all.get(all.len().saturating_sub(1))];
            format!(
                "{} to {}",
                ends[0].map_or_else(String::new, text),
                ends[1].map_or_else(String::new, text)
            )
        }
        other => other.as_str().unwrap_or("?").to_owned(),
    }
}

/// Whether a value is the one of its comment.
fn is_learnt(value: &Toml) -> bool {
    let suffix = value.decor().suffix().and_then(|text| text.as_str()).unwrap_or_default();
    let own = suffix.trim_start().strip_prefix(OF_VALUE).and_then(|rest| rest.split_once(": "));
    own.is_some_and(|(own, _)| own == said(value))
}

/// One that is there: what was learnt is brought up to date, and nothing else.
fn update(known: &mut Written, table: &Table, name: &str, changes: &mut Vec<String>) {
    if !known.contains_key("learnt") {
        return;
    }
    let is_own =
        |known: &Written, key: &str| known.get(key).and_then(Item::as_value).is_some_and(is_learnt);
    let arrivals: Vec<&str> = ARRIVALS.into_iter().filter(|key| known.contains_key(key)).collect();
    let may_arrive = arrivals.iter().all(|key| is_own(known, key));
    let arrives = |entry: &&Entry| ARRIVALS.contains(&entry.key) && entry.from.is_some();
    let (arriving, others): (Vec<&Entry>, Vec<&Entry>) =
        table.entries.iter().filter(|entry| entry.from.is_some()).partition(arrives);
    // What delays a reservation is no section of the tasks inside.
    let on = known.get("on").and_then(Item::as_str).unwrap_or_default();
    let is_inside = on.starts_with("server.") || on.starts_with("vcpu.");
    for entry in others.into_iter().filter(|entry| !is_inside || entry.key != "blocking") {
        let new = value(entry);
        let old = known.get(entry.key).and_then(Item::as_value);
        let is_raised = old.is_none_or(|old| is_learnt(old) && is_longer(&new, old));
        if is_raised && LONGEST.contains(&entry.key) {
            change(known, entry.key, new, &format!("{}.{name}", table.noun), changes);
        }
    }
    let same = |entry: &&Entry| {
        known.get(entry.key).and_then(Item::as_value).map(said) == Some(said(&value(entry)))
    };
    if may_arrive && !arriving.is_empty() && !arriving.iter().all(same) {
        for key in arrivals {
            if !arriving.iter().any(|entry| entry.key == key) {
                known.remove(key);
            }
        }
        for entry in arriving {
            change(known, entry.key, value(entry), &format!("{}.{name}", table.noun), changes);
        }
        let is_task = table.noun == "task";
        if is_task && known.contains_key("min-distances") && !known.contains_key("deadline") {
            known.insert("deadline", toml_edit::value("none"));
        }
    }
    renote(known, &table.notes);
}

fn change(known: &mut Written, key: &str, new: Toml, name: &str, changes: &mut Vec<String>) {
    let old = known.get(key).and_then(Item::as_value).map(said);
    if old.as_ref() != Some(&said(&new)) {
        let was = old.map(|old| format!(", was {old}")).unwrap_or_default();
        changes.push(format!("{name}: {key} = {}{was}", said(&new)));
    }
    match known.get_mut(key) {
        Some(item) => *item = Item::Value(new),
        None => drop(known.insert(key, Item::Value(new))),
    }
}

fn is_longer(new: &Toml, old: &Toml) -> bool {
    let time = |value: &Toml| value.as_str().and_then(|text| Duration::from_str(text).ok());
    time(new) > time(old)
}

/// The learnt comments of a table in the place of those that were.
fn renote(known: &mut Written, notes: &[String]) {
    let prefix = known.decor().prefix().and_then(|text| text.as_str()).unwrap_or("\n").to_owned();
    let mut kept = String::new();
    for line in prefix
        .split_inclusive('\n')
        .filter(|line| !line.trim_start().starts_with(OF_TABLE.trim_end()))
    {
        kept.push_str(line);
    }
    for note in notes {
        let _ = writeln!(kept, "{OF_TABLE}{}", visible(note));
    }
    known.decor_mut().set_prefix(kept);
}
