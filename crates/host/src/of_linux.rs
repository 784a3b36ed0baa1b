//! Cores of Linux beside those that are dispatched: one plan, one journal.
//!
//! **Model.** What `vorrang apply` does for the cores of Linux comes first in the journal, then the changes that park threads,
//! then the first loan. So a thread of `SCHED_DEADLINE`, which may run on every processor of the first domain until it is
//! moved into its partition, is there before a dispatcher begins. Both are undone by the one journal, backwards.
//!
//! Dispatched processors stay in the first domain with everything else, as without cores of Linux; so the kernel keeps
//! its server of `SCHED_OTHER` there.
//!
//! **Not covered.** A change while it is run: the kernel admits `SCHED_DEADLINE` threads one by one.

use crate::changes::{GROUP, Parking};
use std::collections::BTreeSet;
use vorrang_enforce::journal::{Entries, Head, Journal};
use vorrang_enforce::{
    Change, GROUP as APPLIED, Intent, Kernel, Plan, Stopped, Thread, Unfit, carry_out, is_of_both,
    plan,
};
use vorrang_model::System;
use vorrang_model::system::{SupplyId, TimerQueue};
use vorrang_quote::visible;

/// The plan for the cores of Linux of a description, if it has some beside dispatched ones.
///
/// # Errors
/// All reasons why there is none.
pub fn planned(kernel: &dyn Kernel, system: &System) -> Result<Option<Plan>, Unfit> {
    if !is_of_both(system) {
        return Ok(None);
    }
    let shields = |core: &SupplyId| system.supply(*core).timer_queue == TimerQueue::TimerShield;
    let said = |core: SupplyId| {
        let name = &system.supply(core).name;
        format!(
            "{name}: a module is loaded and unloaded for shielded timers, and the kernel lets a run without that privilege do neither"
        )
    };
    let missing: Vec<String> = system.cores().filter(shields).map(said).collect();
    if !missing.is_empty() {
        return Err(Unfit { missing, ..Unfit::default() });
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
    carry_out(kernel, plan, head, journal).map(drop).map_err(said)
}

/// Why these threads are not of both, a sentence each.
pub fn faults(plan: &Plan, parking: &Parking) -> Vec<String> {
    let lent: Vec<&Thread> = parking.threads.iter().flatten().collect();
    let of_both = |process: &i32| lent.iter().any(|one| one.process == *process);
    let known = plan.steps.iter().filter_map(|step| match &step.intent {
        Intent::Thread { who, .. } => who.known.as_ref(),
        _ => None,
    });
    let processes: BTreeSet<i32> = known.map(|thread| thread.process).filter(of_both).collect();
    let said = |process: i32| {
        let name = lent.iter().find(|one| one.process == process).map_or("", |one| &one.name);
        format!(
            "process {process} (with thread {}) has threads on a core of Linux and on a dispatched one: the kernel keeps the threads of a \
             process in one domain of control groups, and these would be in two",
            visible(name)
        )
    };
    processes.into_iter().map(said).collect()
}

/// The part of a journal that is for cores of Linux; `None`: there are none.
pub fn part(entries: &Entries) -> Option<Entries> {
    let is_group = |change: &Change, group: &str| matches!(change, Change::MakeGroup { path } if path == group);
    entries.changes.iter().find(|change| is_group(change, APPLIED))?;
    let end = entries.changes.iter().position(|change| is_group(change, GROUP));
    let mut part = entries.clone();
    part.changes.truncate(end.unwrap_or(entries.changes.len()));
    Some(part)
}
