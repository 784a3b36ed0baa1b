//! What was decided of a chain.

use crate::cause::Cause;
use crate::help::Help;
use crate::outcome::{Verdict, Why};
use std::sync::Arc;
use vorrang_analysis::Step;
use vorrang_model::system::SupplyId;
use vorrang_sim::{ChainSeen, Seen};
use vorrang_time::{Duration, Instant};

pub use vorrang_design::Asked;

/// Of what was seen of a chain, that of one kind.
pub(super) fn seen_of(asked: Asked, seen: &ChainSeen) -> &Seen {
    match asked {
        Asked::Reaction => &seen.reaction,
        Asked::Age => &seen.age,
    }
}

/// The longest that was seen, and how to see it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenOnce {
    /// How long it took.
    pub time: Duration,
    /// The reading from which it counts.
    pub from: Instant,
    /// The history, the same pattern on each core.
    pub pattern: Arc<str>,
}

/// The verdict on one requirement of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainRuling {
    /// The full name of the chain.
    pub name: String,
    /// Its place among the chains of the system.
    pub place: usize,
    /// What is required.
    pub asked: Asked,
    /// The time it allows.
    pub limit: Duration,
    /// The longest in all histories, if something bounds it.
    pub bound: Option<Duration>,
    /// The longest in a history.
    pub observed: Option<SeenOnce>,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is undecided.
    pub reason: Option<Why>,
    /// What would prove it, or give it a bound where nothing bounds it.
    pub help: Option<Help>,
    /// The terms of the bound.
    pub steps: Vec<Step>,
    /// The publications of the bound.
    pub by: &'static str,
    /// What it takes for granted.
    pub assumptions: Vec<String>,
    /// The cores of its tasks.
    pub cores: Vec<SupplyId>,
}

impl ChainRuling {
    /// Why it is not proven; `None` if it is.
    pub fn cause(&self) -> Option<Cause> {
        match self.verdict {
            Verdict::Proven => None,
            Verdict::Undecided => self.reason.as_ref().map(|why| why.of),
            Verdict::Refuted => Some(Cause::Missed),
        }
    }
}
