//! How often a job takes which time: a table from durations to weights.

use super::duration;
use super::scalar::whole;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::keys::Key;
use crate::limits;
use crate::text::{Entry, Node, Value};
use vorrang_time::Duration;

/// The times with their weights, increasing; `None`, and errors, if any of them is wrong.
pub(super) fn read(
    key: &Key,
    node: &Node,
    times: &[Entry],
    errors: &mut Errors,
) -> Option<Vec<(Duration, u32)>> {
    if times.is_empty() {
        let message = format!("`{}` holds no time", key.name);
        errors.push(Diagnostic::new(Code::NotADistribution, node.span.clone(), message));
        return None;
    }
    if times.len() > limits::EXECUTION_TIMES {
        let message = format!(
            "`{}` holds {} times, more than {}",
            key.name,
            times.len(),
            limits::EXECUTION_TIMES
        );
        errors.push(Diagnostic::new(Code::TooMany, node.span.clone(), message));
        return None;
    }
    let read: Vec<_> = times.iter().map(|entry| one(key, entry, errors)).collect();
    let mut right: Vec<_> =
        times.iter().zip(&read).filter_map(|(e, one)| Some((e, *one.as_ref()?))).collect();
    right.sort_by_key(|(_, (time, _))| *time);
    let mut distinct = true;
    for pair in right.windows(2) {
        let [(first, (time, _)), (second, (again, _))] = pair else { continue };
        if time == again {
            distinct = false;
            let message = format!("`{}` holds the time {time} twice", key.name);
            errors.push(
                Diagnostic::new(Code::NotADistribution, second.span.clone(), message)
                    .also(first.span.clone(), "the same")
                    .help("write it once, with the sum of the weights"),
            );
        }
    }
    let whole = right.len() == times.len() && distinct;
    whole.then(|| right.into_iter().map(|(_, one)| one).collect())
}

/// One time and its weight.
fn one(key: &Key, entry: &Entry, errors: &mut Errors) -> Option<(Duration, u32)> {
    let text = Node { span: entry.span.clone(), value: Value::Text(entry.key.clone()) };
    let time = duration::read(key, &text, &[], errors);
    let weight = match &entry.node.value {
        Value::Number(number, _) => whole(key, &entry.node, *number, 1..=limits::WEIGHT, errors),
        other => {
            let message = format!("a weight in `{}` is {}", key.name, other.kind());
            errors.push(
                Diagnostic::new(Code::WrongType, entry.node.span.clone(), message)
                    .label("expected a whole number"),
            );
            None
        }
    };
    Some((time?, u32::try_from(weight?).ok()?))
}
