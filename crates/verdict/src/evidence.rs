//! What is known about the requirements of a description, before anything is decided.
//!
//! **Model.** Values only: what an analysis proved and a simulation showed, in the same terms. `gather.rs`
//! collects them, `verdict.rs` decides.

use crate::chance::Chance;
use crate::weigh::Grounds;
use std::sync::Arc;
use vorrang_model::system::{RequirementKind, SupplyId};
use vorrang_time::{Duration, Instant};

/// The basis of all verdicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// One per requirement, in the order of declaration.
    pub required: Vec<Required>,
    /// Whatever has both a bound and an observation, with or without a requirement.
    pub compared: Vec<Compared>,
}

/// What is known about one requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Required {
    /// The full name of the requirement.
    pub name: String,
    /// What it is about.
    pub kind: RequirementKind,
    /// The core on which it is decided.
    pub core: SupplyId,
    /// Limit, bound and observation, and why one is missing.
    pub grounds: Grounds,
    /// The longest response seen in a history, if any was simulated.
    pub observed: Option<Observed>,
    /// The job that is not complete in time, if the longest response seen is not.
    pub witness: Option<Witness>,
    /// What is known about the probability of a violation, if it states one.
    pub chance: Option<Chance>,
    /// The analysis that gave the bound, or failed to.
    pub by: String,
    /// The assumptions of the bound.
    pub assumptions: Vec<String>,
    /// Contexts with cold caches of which the bound takes what they take on average.
    pub averages: Vec<String>,
}

/// The longest response seen, and the history in which it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// From arrival to completion, or to the end of the history if the job did not complete.
    pub response: Duration,
    /// Whether the job completed.
    pub finished: bool,
    /// The name of the history.
    pub pattern: Arc<str>,
    /// When the job arrived.
    pub arrival: Instant,
}

/// A job that breaks a requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The name of the history.
    pub pattern: Arc<str>,
    /// When the job arrived.
    pub arrival: Instant,
    /// When it had to be complete and was not.
    pub deadline: Instant,
}

/// A bound, and an observation of the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The full name of the task or interrupt.
    pub name: String,
    /// The core of the history.
    pub core: SupplyId,
    /// What was proven to be the longest.
    pub bound: Duration,
    /// The longest that was seen.
    pub observed: Observed,
}

impl Compared {
    /// An observation above a bound: a bug of the analysis or of the simulator.
    pub fn is_contradiction(&self) -> bool {
        self.observed.response > self.bound
    }
}
