//! The intervals of each period of a server: a table from starts to lengths.

use super::duration;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::keys::{Key, Kind};
use crate::limits;
use crate::system::Window;
use crate::text::{Entry, Node, Value};

/// The windows by their starts; `None`, and errors, if any of them is wrong.
pub(super) fn read(
    key: &Key,
    node: &Node,
    windows: &[Entry],
    errors: &mut Errors,
) -> Option<Vec<Window>> {
    if windows.is_empty() || windows.len() > limits::WINDOWS {
        let (count, most) = (windows.len(), limits::WINDOWS);
        let message = format!("`{}` holds {count} windows, not 1 to {most}", key.name);
        let code = if windows.is_empty() { Code::OutOfRange } else { Code::TooMany };
        errors.push(Diagnostic::new(code, node.span.clone(), message));
        return None;
    }
    let read: Vec<_> = windows.iter().map(|entry| one(key, entry, errors)).collect();
    let mut all: Vec<Window> = read.into_iter().collect::<Option<_>>()?;
    all.sort_unstable();
    Some(all)
}

/// One start and its length.
fn one(key: &Key, entry: &Entry, errors: &mut Errors) -> Option<Window> {
    let (start, length) =
        (Key { kind: Kind::Duration, ..*key }, Key { kind: Kind::PositiveDuration, ..*key });
    let text = Node { span: entry.span.clone(), value: Value::Text(entry.key.clone()) };
    let offset = duration::read(&start, &text, &[], errors);
    let length = duration::read(&length, &entry.node, &[], errors);
    Some(Window { offset: offset?, length: length? })
}
