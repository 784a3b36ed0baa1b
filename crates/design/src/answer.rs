//! What is asked of a search, and what it answers.

use crate::cost::Cost;
use vorrang_model::{Chosen, System};

/// Analyses where nothing is said, and of each core where those are more: eight servers of which everything is open have
/// a first design in about a thousand.
const FEWEST: u64 = 50_000;
const OF_CORE: u64 = 2_000;

/// Where a search ends.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most analyses.
    pub steps: u64,
    /// Whether the answer is no longer wanted: then no further analysis is made.
    pub is_end_wanted: fn() -> bool,
    /// Hears of each analysis of a search for the least price how many steps were taken, and how many may be at most.
    pub told: fn(u64, u64),
}

impl Limits {
    /// So many analyses, however long they take.
    pub fn of(steps: u64) -> Self {
        Self { steps, is_end_wanted: || false, told: |_, _| {} }
    }

    /// As many as a first design of so many cores takes, and some more.
    pub fn for_cores(cores: usize) -> Self {
        Self::of((OF_CORE * cores as u64).max(FEWEST))
    }
}

impl Default for Limits {
    /// Some seconds on a small system.
    fn default() -> Self {
        Self::of(FEWEST)
    }
}

/// What a search finds.
pub enum Answer {
    /// Values for all that is open.
    Design(Box<Design>),
    /// There is no design.
    Absent(Absence),
}

/// Values with which the analysis accepts the system.
pub struct Design {
    /// For each open value.
    pub chosen: Vec<Chosen>,
    /// The system with them.
    pub system: System,
    /// What the servers that were designed take.
    pub cost: Cost,
    /// What they take at least in every design.
    pub least: Cost,
    /// The same of those that are accepted by the theorems that are monotonic in budgets; `None`: none is.
    pub least_monotonic: Option<Cost>,
    /// How much more work it allows for, where that was to be the most.
    pub reach: Option<Reach>,
    /// Analyses that were made.
    pub steps: u64,
}

/// By what all execution times may be multiplied, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// With the design.
    pub factor: u64,
    /// From here on there is no design; `None`: that is not known.
    pub none_from: Option<u64>,
    /// The same of designs that are accepted by the theorems that are monotonic in budgets.
    pub none_monotonic_from: Option<u64>,
}

/// How good a design is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimality {
    /// None takes less.
    Optimal,
    /// None takes less than the lower bound.
    Within,
}

impl Design {
    /// How good it is known to be.
    pub fn optimality(&self) -> Optimality {
        let none_reaches_further = |reach: Reach| reach.none_from == Some(reach.factor + 1);
        let is_best = self.reach.is_none_or(none_reaches_further) && self.cost <= self.least;
        if is_best { Optimality::Optimal } else { Optimality::Within }
    }
}

/// Why there is no design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// Nothing that may be chosen is accepted.
    Impossible {
        /// Analyses that were made.
        steps: u64,
    },
    /// None was found, and there may be one.
    NotFound {
        /// Analyses that were made.
        steps: u64,
        /// Whether nothing is accepted by the theorems that are monotonic in budgets.
        by_monotonic: bool,
    },
    /// There are more combinations than a search looks at.
    TooMany,
    /// Nothing is required.
    NothingRequired,
}
