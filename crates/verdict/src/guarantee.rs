//! The verdict on each reservation: is the server guaranteed its budget in each of its periods?
//!
//! **Model.** *Proven* if the analysis of its parent supply says so, independently of the tasks in the
//! server; *undecided* otherwise, with the reason. So a server with best-effort work only has a verdict,
//! too, without any requirement.
//!
//! **Does not cover** refuting it: the simulator compares responses with limits. Shares have no budget. The
//! server of `SCHED_OTHER` is not required.

use crate::cause::Cause;
use crate::help::{self, Help};
use crate::outcome::Verdict;
use crate::reason::coded;
use crate::terms;
use serde_json::{Value, json};
use vorrang_analysis::{Bounds, NamedTerm};
use vorrang_model::System;
use vorrang_model::system::SupplyId;
use vorrang_time::Duration;

/// What is known about the budget of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarantee {
    /// The server.
    pub server: SupplyId,
    /// Its full name.
    pub name: String,
    /// The longest time after the end of a period at which the budget may be supplied, or why there is no
    /// bound.
    pub found: Result<Duration, (Cause, String)>,
    /// What the guarantee takes for granted.
    pub assumptions: Vec<String>,
    /// Without a bound: the largest terms of what is too much, where a remedy was requested.
    pub terms: Vec<NamedTerm>,
    /// Without a bound: a remedy, where one was requested.
    pub help: Option<Help>,
}

impl Guarantee {
    /// Proven or undecided.
    pub fn verdict(&self) -> Verdict {
        if self.found.is_ok() { Verdict::Proven } else { Verdict::Undecided }
    }
}

/// Of all of them.
pub fn verdicts(guarantees: &[Guarantee]) -> impl Iterator<Item = Verdict> + '_ {
    guarantees.iter().map(Guarantee::verdict)
}

/// Of every server with a budget, in the order of declaration.
pub fn all(system: &System, bounds: &Bounds) -> Vec<Guarantee> {
    let of = |server: SupplyId| {
        let found = bounds.reservation(system, server)?;
        let assumed = bounds.assumed_of_reservation(system, server);
        Some(Guarantee {
            server,
            name: system.supply(server).name.clone(),
            assumptions: assumed.iter().map(ToString::to_string).collect(),
            terms: Vec::new(),
            help: None,
            found: found.map_err(coded),
        })
    };
    let declared = |id: &SupplyId| !system.supply(*id).serves_other;
    system.supply_ids().filter(declared).filter_map(of).collect()
}

/// For programs.
pub fn document(all: &[Guarantee]) -> Value {
    let one = |guarantee: &Guarantee| {
        let failed = guarantee.found.as_ref().err();
        json!({
            "name": guarantee.name,
            "verdict": guarantee.verdict().word(),
            "late_ns": guarantee.found.as_ref().ok().map(|late| late.as_ns()),
            "assumptions": guarantee.assumptions,
            "code": failed.map(|(cause, _)| cause.code()),
            "reason": failed.map(|(_, reason)| reason),
            "terms": terms::document(&guarantee.terms),
            "help": guarantee.help.as_ref().map(|help| &help.text),
            "change": guarantee.help.as_ref().and_then(help::document),
        })
    };
    all.iter().map(one).collect()
}
