//! What must hold, and what is not represented.

use super::{InterruptId, SupplyId, TaskId};
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
