//! From the table `[kernel]` of a profile to what a kernel does by itself.

use super::body::deadline_limits;
use super::is_name;
use super::record::Record;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::keys::{KERNEL, KERNEL_TABLES, Key};
use crate::profile;
use crate::system::{FairServer, LongestSeen};
use crate::text::{Entry, Value};
use vorrang_time::Duration;

/// The kernel under this key; `None`, and errors, if it is none.
pub(super) fn read(entry: &Entry, errors: &mut Errors) -> Option<profile::Kernel> {
    let entries = table("kernel", entry, errors)?;
    let is_named = |entry: &Entry| KERNEL_TABLES.iter().any(|(word, _)| *word == entry.key);
    let (named, own): (Vec<Entry>, Vec<Entry>) = entries.iter().cloned().partition(is_named);
    let record = Record::read("kernel", &entry.span, KERNEL, &own, errors);
    let mut kernel = stated(&record);
    for entry in &named {
        let (word, keys) =
            KERNEL_TABLES.iter().find(|(word, _)| *word == entry.key).expect("chosen by it");
        read_named(word, keys, entry, &mut kernel, errors);
    }
    Some(kernel)
}

fn stated(record: &Record) -> profile::Kernel {
    let time = |record: &Record, key| record.duration(key).or(Duration::ZERO).unwrap_or_default();
    let fair_server = record.table_or_none("fair-server", |record| FairServer {
        budget: time(record, "budget"),
        period: time(record, "period"),
    });
    let overrun = record.table("overrun");
    let of_overrun = overrun.as_ref().and_then(|record| seen("runtimes that end late", record));
    let sections = record.table("sections");
    let of_sections = sections.as_ref().and_then(|record| seen("sections", record));
    profile::Kernel {
        release: record.text("release").get().map(|at| at.value.clone()),
        origin: origin(record),
        is_realtime: record.flag("realtime").get().map(|at| at.value),
        interrupt_time: record.interrupt_time("interrupt-time").get().map(|at| at.value),
        fair_server,
        deadline_limits: record.table("deadline-limits").map(|record| deadline_limits(&record)),
        overrun: overrun.map(|record| time(&record, "time")),
        sections: sections.map(|record| time(&record, "longest")),
        entries: Vec::new(),
        longest_seen: seen("costs", record)
            .into_iter()
            .chain(of_overrun)
            .chain(of_sections)
            .collect(),
        not_counted: Vec::new(),
    }
}

/// On which machine it was measured: as stated, else the beginning of where the costs are from.
fn origin(record: &Record) -> String {
    let text = |key| record.text(key).get().map(|at| at.value.clone());
    let source = || {
        let source = text("source").unwrap_or_default();
        source.split(';').next().unwrap_or_default().trim().to_owned()
    };
    text("machine").unwrap_or_else(source)
}

/// What was measured so often, if it was.
fn seen(what: &str, record: &Record) -> Option<LongestSeen> {
    let samples = record.number("samples").get()?.value;
    Some(LongestSeen { what: what.to_owned(), samples })
}

/// All things of one kind by their names.
fn read_named(
    word: &str,
    keys: &'static [Key],
    entry: &Entry,
    kernel: &mut profile::Kernel,
    errors: &mut Errors,
) {
    let Some(entries) = table(word, entry, errors) else { return };
    for named in entries {
        let full = format!("kernel.{word}.{}", named.key);
        if !is_name(named, errors) {
            continue;
        }
        let Some(entries) = table(&full, named, errors) else { continue };
        let record = Record::read(&full, &named.span, keys, entries, errors);
        let time = |key| record.duration(key).or(Duration::ZERO).unwrap_or_default();
        let jitter = || time("jitter");
        let entry = match word {
            "interrupt" => profile::Entry {
                priority: None,
                time: time("isr"),
                period: time("min-interarrival"),
                jitter: jitter(),
            },
            "task" => profile::Entry {
                priority: record.priority("priority").get().map(|at| at.value),
                time: time("wcet"),
                period: time("period"),
                jitter: jitter(),
            },
            _ => {
                let what = record.text("what").get().map(|at| at.value.clone());
                kernel.not_counted.extend(what);
                continue;
            }
        };
        kernel.longest_seen.extend(seen(&named.key, &record));
        kernel.entries.push((named.key.clone(), entry));
    }
}

fn table<'a>(name: &str, entry: &'a Entry, errors: &mut Errors) -> Option<&'a [Entry]> {
    if let Value::Table(entries) = &entry.node.value {
        return Some(entries);
    }
    let kind = entry.node.value.kind();
    let message = format!("`{name}` is {kind} where a table is expected");
    errors.push(Diagnostic::new(Code::WrongType, entry.span.clone(), message));
    None
}
