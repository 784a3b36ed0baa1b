//! The counts of a campaign.

use crate::check::{Observed, Violation};
use crate::coverage::{self, Coverage};
use crate::designs;
use crate::tightness::{Group, Tightness};
use std::collections::BTreeMap;
use vorrang_analysis::{Bounds, Finding, NoBound, Reason};
use vorrang_model::system::{
    InterruptId, PseudoVcpuRule, Requirement, RequirementKind, ServerKind, SupplyId, System, TaskId,
};
use vorrang_time::Duration;

/// Counts over many systems; sums, so that the order in which they are added does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tasks of all systems.
    pub tasks: u64,
    /// Tasks with a bound.
    pub bounded_tasks: u64,
    /// Interrupts of all systems.
    pub interrupts: u64,
    /// Interrupts with a bound.
    pub bounded_interrupts: u64,
    /// Features drawn.
    pub coverage: Coverage,
    /// Requirements by their verdict.
    pub verdicts: BTreeMap<&'static str, u64>,
    /// Tasks and interrupts without a bound, by reason.
    pub reasons: BTreeMap<&'static str, u64>,
    /// Checks made.
    pub checks: Checks,
    /// Designs of descriptions with values left open.
    pub designs: designs::Counts,
    /// How close the longest observed responses come to their bounds.
    pub tightness: BTreeMap<Group, Tightness>,
    /// Violations, with the index of the system.
    pub violations: Vec<(u64, Violation)>,
}

/// The name of the checks that are made only where chains are drawn.
pub const CHAINS: &str = "bounds of chains against the search";

/// Checks made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// Histories of the search on the event-driven simulator.
    pub searched: u64,
    /// Systems that were not searched, because nothing in them has a bound.
    pub unsearched: u64,
    /// Histories checked by all invariants.
    pub watched: u64,
    /// Histories whose lost time was compared with its bounds.
    pub losses: u64,
    /// Bounds compared with the longest response of the search.
    pub bound_against_search: u64,
    /// Certified bounds compared with it.
    pub certified_against_search: u64,
    /// Histories followed by both the simulator and the oracle.
    pub compared_histories: u64,
    /// Jobs in them.
    pub compared_jobs: u64,
    /// Histories of brute force by the oracle.
    pub brute_histories: u64,
    /// Cores of which all release offsets and phases were tried.
    pub whole_grids: u64,
    /// Bounds compared with the longest response of brute force.
    pub bound_against_brute: u64,
    /// Bounds of chains compared with the search.
    pub chains_against_search: u64,
    /// Systems written down and read back.
    pub texts: u64,
}

impl Checks {
    /// All with their names.
    pub fn named(&self) -> [(&'static str, u64); 13] {
        [
            ("histories searched by the simulator", self.searched),
            ("systems without a bound, not searched", self.unsearched),
            ("histories checked by invariants", self.watched),
            ("histories whose losses were compared with bounds", self.losses),
            ("bounds against the search", self.bound_against_search),
            ("certified bounds against the search", self.certified_against_search),
            ("histories run by simulator and oracle", self.compared_histories),
            ("jobs in them", self.compared_jobs),
            ("histories of brute force", self.brute_histories),
            ("cores with all offsets tried", self.whole_grids),
            ("bounds against brute force", self.bound_against_brute),
            (CHAINS, self.chains_against_search),
            ("texts read back", self.texts),
        ]
    }

    fn add(&mut self, other: &Self) {
        self.searched += other.searched;
        self.unsearched += other.unsearched;
        self.watched += other.watched;
        self.losses += other.losses;
        self.bound_against_search += other.bound_against_search;
        self.certified_against_search += other.certified_against_search;
        self.compared_histories += other.compared_histories;
        self.compared_jobs += other.compared_jobs;
        self.brute_histories += other.brute_histories;
        self.whole_grids += other.whole_grids;
        self.bound_against_brute += other.bound_against_brute;
        self.chains_against_search += other.chains_against_search;
        self.texts += other.texts;
    }
}

impl Tally {
    /// Adds another tally.
    pub fn merge(&mut self, other: Self) {
        self.tasks += other.tasks;
        self.bounded_tasks += other.bounded_tasks;
        self.interrupts += other.interrupts;
        self.bounded_interrupts += other.bounded_interrupts;
        self.coverage.merge(&other.coverage);
        for (verdict, count) in other.verdicts {
            *self.verdicts.entry(verdict).or_default() += count;
        }
        for (reason, count) in other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
        self.checks.add(&other.checks);
        self.designs.add(&other.designs);
        for (group, tightness) in other.tightness {
            self.tightness.entry(group).or_default().merge(&tightness);
        }
        self.violations.extend(other.violations);
    }

    /// Counts the tasks, interrupts and requirements of a system.
    pub(crate) fn count(&mut self, system: &System, bounds: &Bounds, observed: &Observed) {
        for (id, task) in system.tasks.iter().enumerate() {
            let finding = bounds.task(TaskId(id));
            self.tasks += 1;
            self.bounded_tasks += u64::from(finding.bound().is_some());
            self.finding(group(system, task.on), finding, observed.tasks[id]);
        }
        for id in 0..system.interrupts.len() {
            let finding = bounds.interrupt(InterruptId(id));
            self.interrupts += 1;
            self.bounded_interrupts += u64::from(finding.bound().is_some());
            self.finding(group_of_interrupt(system, id), finding, observed.interrupts[id]);
        }
        for requirement in &system.requirements {
            let verdict = verdict(requirement, bounds, observed);
            *self.verdicts.entry(verdict).or_default() += 1;
        }
    }

    fn finding(&mut self, group: Group, finding: &Finding, observed: Option<Duration>) {
        if let Some(reason) = finding.reason() {
            *self.reasons.entry(reason_name(reason)).or_default() += 1;
        }
        if let (Some(bound), Some(observed)) = (finding.bound(), observed) {
            self.tightness.entry(group).or_default().add(observed, bound);
        }
    }
}

/// By the last stage of its handling, and by the budget that is charged.
fn group_of_interrupt(system: &System, id: usize) -> Group {
    let interrupt = &system.interrupts[id];
    let scheduler = match (&interrupt.delivery, interrupt.wakes) {
        (None, None) => "interrupt level",
        (None, Some(_)) => "to a task",
        (Some(_), None) => "to a guest",
        (Some(_), Some(_)) => "to a guest's task",
    };
    let payer = interrupt.delivery.as_ref().and_then(|delivery| delivery.pseudo_vcpu.as_ref());
    let server = match payer.map(|payer| payer.rule) {
        None => "",
        Some(PseudoVcpuRule::Arrival) => "arrival",
        Some(PseudoVcpuRule::Deferrable) => "deferrable",
        Some(PseudoVcpuRule::Released) => "released",
    };
    Group { scheduler, server, depth: 0 }
}

fn group(system: &System, on: SupplyId) -> Group {
    let supply = system.supply(on);
    let server = supply.server_kind().map_or("core", ServerKind::word);
    Group { scheduler: coverage::scheduler(supply), server, depth: coverage::depth(system, on) }
}

fn verdict(requirement: &Requirement, bounds: &Bounds, observed: &Observed) -> &'static str {
    let finding = bounds.requirement(requirement);
    let observed = match requirement.kind {
        RequirementKind::Deadline(id) => observed.tasks[id.0],
        RequirementKind::HandledWithin(id) => observed.interrupts[id.0],
    };
    let missed = observed.is_some_and(|observed| observed > requirement.limit);
    match &finding.found {
        Ok(proof) if proof.bound <= requirement.limit => "proven",
        Ok(_) if missed => "refuted, with a bound",
        Ok(_) => "undecided, with a bound",
        Err(Reason::NotCovered { .. }) => "undecided, not covered",
        Err(_) if missed => "refuted, without a bound",
        Err(_) => "undecided, without a bound",
    }
}

fn reason_name(reason: &Reason) -> &'static str {
    match reason {
        Reason::NotCovered { .. } => "not covered",
        Reason::NoGuarantee { .. } => "a server is not guaranteed its budget",
        Reason::HeldBack { .. } => "a pseudo-VCPU admits too few requests",
        Reason::NoReservation { .. } => "no deadline-miss probability",
        Reason::NoBound { why: NoBound::Overload, .. } => "more work than the supply provides",
        Reason::NoBound { why: NoBound::TooLong, .. } => "the busy window is too long",
        Reason::NoBound { why: NoBound::Effort, .. } => "the busy window was not found",
        Reason::NoBound { why: NoBound::FullLoad, .. } => "the work takes all of its supply",
        Reason::Interrupted => "the analysis was interrupted",
    }
}
