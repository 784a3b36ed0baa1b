//! One change in the place of several of the same thing.
//!
//! **Model.** When a description has taken the place of another one, a thread may have had three policies: its own, and one of
//! either. Undone one by one, the second would have to be admitted again. So a change from the first to the last is written,
//! behind all others, and the others count as undone: the later ones first. Killed in between, the last one is undone first,
//! and what is left then goes through states that were there.

use crate::change::Change;
use crate::journal::{self, Entries, Found, Journal, Part};
use crate::machine::{Kernel, Thread};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// What a change is of.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Of<'a> {
    Policy(i32),
    File(&'a String),
}

/// Merges the changes for a part; returns the journal as it is then.
///
/// # Errors
/// It cannot be read or written.
pub fn merge(kernel: &dyn Kernel, path: &Path, part: Part) -> io::Result<Entries> {
    let entries = read(kernel, path)?;
    let mut all = BTreeMap::<Of<'_>, Vec<(usize, &Change)>>::new();
    for (place, change) in entries.of(part) {
        if let Some(of) = of(change) {
            all.entry(of).or_default().push((place, change));
        }
    }
    all.retain(|_, same| same.len() > 1);
    if all.is_empty() {
        return Ok(entries);
    }
    let mut journal = Journal::resume(path, entries.changes.len())?;
    journal.record_part(part)?;
    for same in all.values() {
        journal.record(&merged(same[0].1, same[same.len() - 1].1))?;
    }
    for (place, _) in all.values().flat_map(|same| &same[1..]) {
        journal = journal.record_undone(*place)?;
    }
    for same in all.values() {
        journal = journal.record_undone(same[0].0)?;
    }
    read(kernel, path)
}

fn read(kernel: &dyn Kernel, path: &Path) -> io::Result<Entries> {
    match journal::read(path, kernel)? {
        Found::Journal(entries) => Ok(*entries),
        Found::Nothing | Found::Void => Err(io::Error::other("it is gone")),
    }
}

fn of(change: &Change) -> Option<Of<'_>> {
    match change {
        Change::SetPolicy { thread: Thread { thread, .. }, .. } => Some(Of::Policy(*thread)),
        Change::Write { path, .. } => Some(Of::File(path)),
        _ => None,
    }
}

/// From what was before the first one to what is after the last one.
fn merged(first: &Change, last: &Change) -> Change {
    let mut merged = last.clone();
    match (&mut merged, first) {
        (Change::SetPolicy { before, .. }, Change::SetPolicy { before: own, .. }) => *before = *own,
        (Change::Write { undo, .. }, Change::Write { undo: own, .. }) => undo.clone_from(own),
        _ => unreachable!("they are of the same thing"),
    }
    merged
}
