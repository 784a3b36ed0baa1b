//! Undoes the changes of a journal, from the last to the first.

use crate::change::Change;
use crate::journal::{self, Entries, Found, Journal};
use crate::machine::{Kernel, Thread, cpu_list, is_gone, is_there};
use std::fs;
use std::io;
use std::path::Path;

/// The result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Restored {
    /// There was no journal: nothing is applied.
    Nothing,
    /// The journal was of another boot, and is removed.
    Void,
    /// This many changes are undone, and the journal is removed.
    All(usize),
    /// Some could not be undone, each with the error of the kernel; the journal is kept.
    Partly(Vec<String>),
}

/// Undoes everything in a journal, then removes it. Doing it twice, or again after it was ended,
/// does no harm.
///
/// # Errors
/// The journal cannot be read or removed.
pub fn restore(kernel: &mut dyn Kernel, path: &Path) -> io::Result<Restored> {
    let entries = match journal::read(path, kernel)? {
        Found::Nothing => return Ok(Restored::Nothing),
        Found::Void => {
            fs::remove_file(path)?;
            return Ok(Restored::Void);
        }
        Found::Journal(entries) => entries,
    };
    let mut left = undo(kernel, path, &entries, |_, _| true);
    if left.is_empty() {
        left = affinities(kernel, &entries);
    }
    if !left.is_empty() {
        return Ok(Restored::Partly(left));
    }
    fs::remove_file(path)?;
    Ok(Restored::All(entries.changes.len()))
}

/// Undoes the changes of a journal that are to be undone, by their places in it, and writes that down; returns those that
/// could not be undone, each with the error of the kernel.
pub fn undo(
    kernel: &mut dyn Kernel,
    path: &Path,
    entries: &Entries,
    is_wanted: impl Fn(usize, &Change) -> bool,
) -> Vec<String> {
    // Where the journal cannot be written (a full disk), everything is undone nevertheless; only a restore
    // that is killed then repeats steps.
    let mut journal = Journal::resume(path, entries.changes.len()).ok();
    let mut left = Vec::new();
    for (place, change) in entries.changes.iter().enumerate().rev() {
        if entries.undone.contains(&place) || !is_wanted(place, change) {
            continue;
        }
        match change.undo(kernel) {
            Ok(()) => journal = journal.and_then(|journal| journal.record_undone(place).ok()),
            Err(why) => left.push(format!("undo {}: {why}", change.exact())),
        }
    }
    left
}

/// Partitions take their processors from every other thread, and the kernel does not give all of
/// them back. For a thread that the kernel pins there is nothing to do; other refusals are returned.
fn affinities(kernel: &mut dyn Kernel, entries: &Entries) -> Vec<String> {
    let mut left = Vec::new();
    for (thread, before) in &entries.head.affinities {
        match give_back(kernel, thread, before) {
            Err(why) if !is_gone(&why) && why.raw_os_error() != Some(libc::EINVAL) => {
                let (number, cpus) = (thread.thread, cpu_list(before));
                left.push(format!("sched_setaffinity({number}, {cpus}): {why}"));
            }
            _ => {}
        }
    }
    left
}

fn give_back(kernel: &mut dyn Kernel, thread: &Thread, before: &[u32]) -> io::Result<()> {
    if kernel.affinity(thread.thread)? == before || !is_there(kernel, thread)? {
        return Ok(());
    }
    kernel.set_affinity(thread.thread, before)
}
