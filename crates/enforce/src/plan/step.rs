//! The parts of a plan.

use crate::intent::Intent;

/// The steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// In this order.
    pub steps: Vec<Step>,
    /// What else is said of it.
    pub notes: Vec<String>,
    /// Reasons why bounds may not hold on this machine.
    pub doubts: Vec<String>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is to be changed.
    pub intent: Intent,
    /// The purpose, as text; the same for steps that belong together.
    pub why: String,
    /// Whether the other steps are useless without it.
    pub must: bool,
}

/// Why a description is not applied to a machine; never both empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unfit {
    /// Mechanisms that the description needs and the target does not have, a sentence each.
    pub missing: Vec<String>,
    /// Errors in the description, for this machine, a sentence each.
    pub wrong: Vec<String>,
}

impl Unfit {
    pub(crate) fn unless_empty(self) -> Result<(), Self> {
        if self.missing.is_empty() && self.wrong.is_empty() { Ok(()) } else { Err(self) }
    }
}
