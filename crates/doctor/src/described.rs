//! What a description needs of a machine.

use crate::examine;
use crate::finding::{Finding, costs, stops};
use crate::subject::Subject;
use vorrang_enforce::{Kernel, Policy, is_dispatched, is_of_both, plan, threads_of};
use vorrang_model::System;

/// All findings about a description on a machine: first what its plan says, then the causes that matter to it.
pub fn of_description(kernel: &dyn Kernel, system: &System, hwlat: Option<String>) -> Vec<Finding> {
    let (reserved, _) = threads_of(system);
    let by = |policy: u32| reserved.iter().any(|one| one.policy.policy == policy);
    // Its threads get priorities.
    let dispatched = is_dispatched(system);
    let subject = Subject {
        needs_priority: dispatched || by(Policy::FIFO),
        needs_deadline: by(Policy::DEADLINE),
        cpus: Some(system.host.cpus.values().copied().collect()),
        hwlat,
        ..Subject::machine()
    };
    let has_plan = !dispatched || is_of_both(system);
    let mut found = if has_plan { of_plan(kernel, system) } else { Vec::new() };
    found.extend(examine(kernel, &subject));
    found
}

/// Why the description cannot be applied here, and what `apply` doubts.
fn of_plan(kernel: &dyn Kernel, system: &System) -> Vec<Finding> {
    let (stopping, doubts) = match plan(kernel, system) {
        Ok(plan) => (Vec::new(), plan.doubts),
        Err(unfit) => ([unfit.missing, unfit.wrong].concat(), Vec::new()),
    };
    let change = "Change the description, or the machine; `vorrang apply` shows the whole plan.";
    let stopping = stopping.into_iter().map(|why| stops(why, change));
    let doubts = doubts.into_iter().map(|why| costs(why, "Applied with --unproven only."));
    stopping.chain(doubts).map(|said| said.about("plan", Vec::new())).collect()
}
