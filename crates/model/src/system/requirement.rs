//! What must hold, and what is not represented.

use super::{InterruptId, SupplyId, TaskId};
use core::fmt;
use vorrang_time::Duration;

/// Something that must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// Full name of the row: the task's for its deadline, `require.NAME` otherwise.
    pub name: String,
    /// What must hold.
    pub kind: RequirementKind,
    /// In this time.
    pub limit: Duration,
    /// How probable that must be at least, for each job; `None`: every job must.
    pub probability: Option<Probability>,
}

/// A probability, exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Probability {
    /// In units of 10^-12, at most 10^12.
    pub per_trillion: u64,
}

impl fmt::Display for Probability {
    /// As a percentage.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PERCENT: u64 = 10_000_000_000;
        let (whole, fraction) = (self.per_trillion / PERCENT, self.per_trillion % PERCENT);
        let digits = format!("{whole}.{fraction:010}");
        write!(f, "{}%", digits.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// What a requirement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequirementKind {
    /// Every job of the task completes within the limit of its arrival.
    Deadline(TaskId),
    /// Every interrupt is handled within the limit of its arrival: its service routine is
    /// complete, the guest's if it is delivered to one, and the job of the task it wakes.
    HandledWithin(InterruptId),
}

/// A feature that nothing downstream represents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What it is, by name: "the virtual side of interrupt.can0".
    pub what: String,
    /// The core whose requirements it makes undecided; `None` for all cores.
    pub core: Option<SupplyId>,
}
