//! What was decided of a chain.

use crate::outcome::{Verdict, Why};
use std::sync::Arc;
use vorrang_analysis::Step;
use vorrang_model::system::SupplyId;
use vorrang_sim::{ChainSeen, Seen};
use vorrang_time::{Duration, Instant};

/// What is required of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The longest reaction time.
    Reaction,
    /// The longest data age.
    Age,
}

impl Asked {
    /// As its key is written.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reaction => "reaction",
            Self::Age => "age",
        }
    }

    pub(super) fn of(self, seen: &ChainSeen) -> &Seen {
        match self {
            Self::Reaction => &seen.reaction,
            Self::Age => &seen.age,
        }
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
    /// What would give it a bound, where nothing bounds it.
    pub help: Option<String>,
    /// The terms of the bound.
    pub steps: Vec<Step>,
    /// The publications of the bound.
    pub by: &'static str,
    /// What it takes for granted.
    pub assumptions: Vec<String>,
    /// The cores of its tasks.
    pub cores: Vec<SupplyId>,
}
