//! Another format in the way of descriptions: text as a tree with places, and what is wrong with it.
//!
//! Files beside descriptions (studies) are read by their own crates with this, so that their
//! diagnostics are of the same kind: all errors at once, each with its place, and "did you mean".

pub use crate::diagnostic::collect::Errors;
pub use crate::diagnostic::excerpt;
pub use crate::text::{Entry, Node, Value, parse};

use crate::keys::{Key, Kind, Presence};
use crate::reading;
use vorrang_time::Duration;

/// A key that is not one of a description's.
pub const fn key(name: &'static str, kind: Kind, presence: Presence, doc: &'static str) -> Key {
    Key { name, kind, presence, doc, may_be_open: false }
}

/// The duration of a key; `None`, and an error, if it is none that may stand there.
pub fn duration(key: &Key, node: &Node, errors: &mut Errors) -> Option<Duration> {
    reading::read_duration(key, node, &[], errors)
}

/// The whole number of a key, which must be in this range; `None`, and an error, if it is none.
pub fn whole(key: &Key, node: &Node, range: (u64, u64), errors: &mut Errors) -> Option<u64> {
    if let Value::Number(number, _) = &node.value {
        reading::whole(key, node, *number, range.0..=range.1, errors)
    } else {
        errors.push(reading::wrong_type(key, node));
        None
    }
}

/// Notes that a key's value is of another type than it expects.
pub fn wrong_type(key: &Key, node: &Node, errors: &mut Errors) {
    errors.push(reading::wrong_type(key, node));
}

/// Notes that a table has no such key.
pub fn unknown_key(table: &str, keys: &[Key], entry: &Entry, errors: &mut Errors) {
    reading::unknown_key(table, keys, entry, errors);
}
