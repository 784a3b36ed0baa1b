//! The changes of a machine where a description takes the place of another one that is run.
//!
//! **Model.** What is new is changed first, behind all that is in the journal: so it is undone, and nothing else, where it is refused,
//! or killed. Once the other description is in effect the journal says so, changes of the same thing become one, and those
//! for what is run no more are undone.

use crate::changes::Parking;
use crate::of_kernel;
use crate::of_linux;
use crate::park;
use crate::scope::Scope;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use vorrang_enforce::journal::{Described, Entries, Found, Journal, Part, read};
use vorrang_enforce::{Change, Kernel, Plan, Thread, known_threads, merge, undo};

/// What is changed for a description.
#[derive(Clone, Copy, Debug)]
pub struct New<'a> {
    /// For cores of Linux.
    pub plan: Option<&'a Plan>,
    /// For dispatched ones.
    pub parking: &'a Parking,
    /// Those.
    pub scopes: &'a [&'a Scope],
}

/// What is run when it is in effect.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Threads that are lent to.
    lent: Vec<Thread>,
    /// Threads on cores of Linux.
    of_linux: Vec<Thread>,
    /// Dispatched processors.
    cpus: BTreeSet<u32>,
}

/// Changes what is new, behind the changes that were there before.
///
/// # Errors
/// The kernel refuses a step, as a sentence.
pub fn begin(
    kernel: &mut dyn Kernel,
    (path, before): (&Path, &Entries),
    New { plan, parking, scopes }: New<'_>,
) -> Result<(), String> {
    let journal = Journal::resume(path, before.changes.len());
    let mut journal = journal.map_err(|why| format!("the journal: {why}"))?;
    of_linux::make(kernel, (&before.head, &mut journal), plan)?;
    park::make(kernel, &mut journal, parking, scopes)
}

/// Undoes what was changed behind the first so many changes; returns what could not be undone.
pub fn undo_since(kernel: &mut dyn Kernel, path: &Path, first: usize) -> Vec<String> {
    match read(path, kernel) {
        Ok(Found::Journal(entries)) => undo(kernel, path, &entries, |place, _| place >= first),
        Ok(Found::Nothing | Found::Void) => Vec::new(),
        Err(why) => vec![why.to_string()],
    }
}

/// It is in effect: the journal says so, and what is run no more is as it was; returns what could not be undone.
///
/// # Errors
/// The journal cannot be read or written, as a sentence.
pub fn settle(
    kernel: &mut dyn Kernel,
    path: &Path,
    described: &Described,
    kept: &Kept,
) -> Result<Vec<String>, String> {
    let failed = |why: io::Error| format!("the journal: {why}");
    let Found::Journal(entries) = read(path, kernel).map_err(failed)? else {
        return Err("the journal is gone".to_owned());
    };
    let journal = Journal::resume(path, entries.changes.len());
    journal.and_then(|mut journal| journal.record_description(described)).map_err(failed)?;
    let entries = merge(kernel, path, Part::Linux).map_err(failed)?;
    Ok(undo(kernel, path, &entries, |place, change| match entries.part_of(place) {
        Some(Part::Linux) => is_over(&kept.of_linux, change),
        Some(Part::Dispatched) | None => kept.is_over(change),
    }))
}

/// Whether a change is of a thread that is not among these, or of a process without one.
fn is_over(threads: &[Thread], change: &Change) -> bool {
    match change {
        Change::MoveThread { thread, .. }
        | Change::SetAffinity { thread, .. }
        | Change::SetPolicy { thread, .. } => {
            !threads.iter().any(|one| one.thread == thread.thread)
        }
        Change::MoveProcess { process, .. } => {
            !threads.iter().any(|one| one.process == process.process)
        }
        Change::MakeGroup { .. } | Change::Write { .. } | Change::LoadShield { .. } => false,
    }
}

impl Kept {
    /// What is run of a description, with its whole plan for cores of Linux.
    pub fn of(plan: Option<&Plan>, parking: &Parking, scopes: &[&Scope]) -> Self {
        Self {
            lent: parking.threads.iter().chain(&parking.tasks).flatten().cloned().collect(),
            of_linux: plan.into_iter().flat_map(known_threads).cloned().collect(),
            cpus: scopes.iter().map(|scope| scope.cpu).collect(),
        }
    }

    /// Whether a change of dispatched cores is for something that is run no more.
    fn is_over(&self, change: &Change) -> bool {
        match change {
            // Threads of the kernel: a processor's each, or lent to.
            Change::SetPolicy { label, .. } => {
                let cpu = label.rsplit_once('/').and_then(|(_, cpu)| cpu.parse().ok());
                cpu.map_or_else(|| is_over(&self.lent, change), |cpu| !self.cpus.contains(&cpu))
            }
            Change::Write { path, .. } if of_kernel::is_affinity(path) => {
                !of_kernel::is_for(path, &self.lent)
            }
            _ => is_over(&self.lent, change),
        }
    }
}
