//! Cores of Linux beside those that are dispatched: one plan, one journal.
//!
//! **Model.** What `vorrang apply` does for the cores of Linux comes first in the journal, then the changes that park threads,
//! then the first loan. So a thread of `SCHED_DEADLINE`, which may run on every processor of the first domain until it is
//! moved into its partition, is there before a dispatcher begins. Both are undone by the one journal, backwards.
//!
//! Dispatched processors stay in the first domain with everything else, as without cores of Linux; so the kernel keeps
//! its server of `SCHED_OTHER` there.
//!
//! Where a description takes the place of another one, what is new comes behind all that is in the journal (`in_place.rs`).
//!
//! A module for shielded timers is loaded before the run gives up the privilege for it, and unloaded by the process that has kept it
//! (`undoer.rs`).
//!
//! **Not covered.** A core that comes, goes or is of another kind while it is run.

use crate::changes::{GROUP, Parking};
use std::collections::BTreeSet;
use std::io;
use vorrang_enforce::journal::{Entries, Head, Journal, Part};
use vorrang_enforce::{
    Change, GROUP as APPLIED, Kernel, Plan, Stopped, Thread, Unfit, carry_out, group_of,
    is_of_both, known_threads, plan, shields,
};
use vorrang_model::System;
use vorrang_quote::visible;

/// The plan for the cores of Linux of a description, if it has some beside dispatched ones, and for its shielded timers.
///
/// # Errors
/// All reasons why there is none.
pub fn planned(kernel: &dyn Kernel, system: &System) -> Result<Option<Plan>, Unfit> {
    if !is_of_both(system) {
        return shields(kernel, system);
    }
    plan(kernel, system).map(Some)
}

/// Carries it out.
///
/// # Errors
/// The kernel refuses a step, as a sentence.
pub fn make(
    kernel: &mut dyn Kernel,
    (head, journal): (&Head, &mut Journal),
    plan: Option<&Plan>,
) -> Result<(), String> {
    let Some(plan) = plan else { return Ok(()) };
    let said = |Stopped { tried, why, advice }| match advice.as_str() {
        "" => format!("{tried}: {why}"),
        advice => format!("{tried}: {why}\n  {advice}"),
    };
    let unwritten = |why: io::Error| format!("the journal: {why}");
    journal.record_part(Part::Linux).map_err(unwritten)?;
    carry_out(kernel, plan, head, journal).map_err(said)?;
    journal.record_part(Part::Dispatched).map_err(unwritten)
}

/// Why these threads are not of both, a sentence each.
pub fn faults(kernel: &dyn Kernel, plan: &Plan, parking: &Parking) -> Vec<String> {
    let Parking { threads, tasks, .. } = parking;
    let lent: Vec<&Thread> = threads.iter().chain(tasks).flatten().collect();
    let of_both = |process: &i32| lent.iter().any(|one| one.process == *process);
    let processes: BTreeSet<i32> =
        known_threads(plan).map(|thread| thread.process).filter(of_both).collect();
    let said = |process: i32| {
        let name = lent.iter().find(|one| one.process == process).map_or("", |one| &one.name);
        format!(
            "process {process} (with thread {}) has threads on a core of Linux and on a dispatched one: the kernel keeps the threads of a \
             process in one domain of control groups, and these would be in two",
            visible(name)
        )
    };
    let mut faults: Vec<String> = processes.into_iter().map(said).collect();
    faults.extend(known_threads(plan).filter_map(|one| elsewhere(kernel, one, GROUP)));
    faults.extend(lent.iter().filter_map(|one| elsewhere(kernel, one, APPLIED)));
    faults
}

/// That a process is in the groups of the other kind of cores.
fn elsewhere(kernel: &dyn Kernel, thread: &Thread, group: &str) -> Option<String> {
    let now = match group_of(kernel, thread) {
        Ok(now) => now?,
        Err(why) => return Some(format!("{}: {why}", visible(&thread.name))),
    };
    let is_there = now.strip_prefix(group)?.chars().next().is_none_or(|next| next == '/');
    is_there.then(|| {
        format!(
            "{} ({}) is in {now}, on a core of the other kind; leave it out in one change, and add it in the next one",
            visible(&thread.name),
            thread.thread
        )
    })
}

/// The part of a journal that is for cores of Linux; `None`: there are none.
pub fn part(entries: &Entries) -> Option<Entries> {
    let changes: Vec<Change> = entries.of(Part::Linux).map(|(_, change)| change.clone()).collect();
    let part = Entries {
        head: entries.head.clone(),
        changes,
        undone: BTreeSet::new(),
        parts: vec![(0, Part::Linux)],
    };
    (!part.changes.is_empty()).then_some(part)
}
