//! Lists and ranges where one value is expected: the axes.

use super::keys::{CORE, COSTS, INTERRUPTS, TASKS, VMS};
use crate::axis::{percent, ppm};
use vorrang_model::keys::Key;
use vorrang_model::tree::{Entry, Errors, Node, Value};
use vorrang_model::{Code, Diagnostic, Span};
use vorrang_time::Duration;

/// Most values of an axis.
const VALUES: u64 = 10_000;

/// The tables of the generator.
const GENERATOR: &[(&str, &[Key])] =
    &[("core", CORE), ("tasks", TASKS), ("vms", VMS), ("interrupts", INTERRUPTS), ("costs", COSTS)];

/// An axis as it stands in the text.
pub(super) struct Spread {
    table: String,
    key: String,
    pub(super) span: Span,
    pub(super) values: Vec<Node>,
}

impl Spread {
    pub(super) fn name(&self) -> String {
        format!("{}.{}", self.table, self.key)
    }
}

/// All axes in the order of the text.
pub(super) fn find(tables: &[&Entry], errors: &mut Errors) -> Vec<Spread> {
    let mut found = Vec::new();
    for table in tables {
        let Some((_, keys)) = GENERATOR.iter().find(|(name, _)| *name == table.key) else {
            continue;
        };
        let Value::Table(entries) = &table.node.value else { continue };
        for entry in entries.iter().filter(|entry| keys.iter().any(|key| key.name == entry.key)) {
            let values = match &entry.node.value {
                Value::Array(values) => values.clone(),
                Value::Table(range) => range_of(entry, range, errors),
                _ => continue,
            };
            let (table, key) = (table.key.clone(), entry.key.clone());
            if values.is_empty() {
                if matches!(entry.node.value, Value::Array(_)) {
                    let message = format!("`{key}` of {table} is a list without a value");
                    errors.push(Diagnostic::new(
                        Code::OutOfRange,
                        entry.node.span.clone(),
                        message,
                    ));
                }
                continue;
            }
            found.push(Spread { table, key, span: entry.node.span.clone(), values });
        }
    }
    found
}

/// The values of `{ from, to, step }`; none, and an error, if it is no range.
fn range_of(entry: &Entry, range: &[Entry], errors: &mut Errors) -> Vec<Node> {
    let span = entry.node.span.clone();
    let mut refuse = |message: String| {
        let diagnostic = Diagnostic::new(Code::OutOfRange, span.clone(), message);
        errors.push(
            diagnostic.help("write { from = \"50%\", to = \"90%\", step = \"10%\" }, or a list"),
        );
        Vec::new()
    };
    let bound =
        |name: &str| range.iter().find(|entry| entry.key == name).map(|entry| &entry.node.value);
    let (Some(from), Some(to), Some(step), 3) =
        (bound("from"), bound("to"), bound("step"), range.len())
    else {
        return refuse(format!("`{}` is no range: it has `from`, `to` and `step`", entry.key));
    };
    let Some((counted, write)) = counted([from, to, step]) else {
        return refuse(format!(
            "the bounds of `{}` are not all percentages, all durations, or all whole numbers",
            entry.key
        ));
    };
    let [from, to, step] = counted;
    if step == 0 || from > to {
        return refuse(format!("the range of `{}` has no value, or its step is zero", entry.key));
    }
    let count = (to - from) / step + 1;
    if count > VALUES {
        return refuse(format!("the range of `{}` has more than {VALUES} values", entry.key));
    }
    let node = |number| Node { span: span.clone(), value: write(from + number * step) };
    (0..count).map(node).collect()
}

/// The three in one unit, and how a value of it is written.
type Counted = ([u64; 3], fn(u64) -> Value);

fn counted(bounds: [&Value; 3]) -> Option<Counted> {
    let all = |read: fn(&Value) -> Option<u64>| {
        let [from, to, step] = bounds.map(read);
        Some([from?, to?, step?])
    };
    let parts = all(|value| match value {
        Value::Text(text) => ppm(text),
        _ => None,
    });
    let times = all(|value| match value {
        Value::Text(text) => text.parse::<Duration>().ok().map(Duration::as_ns),
        _ => None,
    });
    let numbers = all(|value| match value {
        Value::Number(Some(number), _) => u64::try_from(*number).ok(),
        _ => None,
    });
    let write_part: fn(u64) -> Value = |part| Value::Text(percent(part));
    let write_time: fn(u64) -> Value = |ns| Value::Text(format!("{ns}ns"));
    let write_number: fn(u64) -> Value =
        |number| Value::Number(i64::try_from(number).ok(), number.to_string());
    parts
        .map(|all| (all, write_part))
        .or(times.map(|all| (all, write_time)))
        .or(numbers.map(|all| (all, write_number)))
}

/// The tables with one value of each axis in its place.
pub(super) fn settled(tables: &[&Entry], spreads: &[Spread], chosen: &[usize]) -> Vec<Entry> {
    let mut settled: Vec<Entry> = tables
        .iter()
        .filter(|table| GENERATOR.iter().any(|(name, _)| *name == table.key))
        .map(|table| (*table).clone())
        .collect();
    for (spread, value) in spreads.iter().zip(chosen) {
        let table = settled.iter_mut().find(|table| table.key == spread.table);
        let Some(Value::Table(entries)) = table.map(|table| &mut table.node.value) else {
            continue;
        };
        for entry in entries.iter_mut().filter(|entry| entry.key == spread.key) {
            entry.node = spread.values[*value].clone();
        }
    }
    settled
}
