//! What a plan is.

use crate::intent::Intent;

/// What has to be changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// In this order.
    pub steps: Vec<Step>,
    /// What should be known and changes nothing.
    pub notes: Vec<String>,
    /// Why bounds may not hold on this machine, whatever is applied.
    pub doubts: Vec<String>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is to be changed.
    pub intent: Intent,
    /// Why, for people; the same for the steps that belong together.
    pub why: String,
    /// Whether the rest is worthless without it.
    pub must: bool,
}

/// Why a description is not put onto a machine; never both empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unfit {
    /// Mechanisms that the description rests on and Linux does not have, a sentence each.
    pub missing: Vec<String>,
    /// What is wrong with the description, for this machine, a sentence each.
    pub wrong: Vec<String>,
}

impl Unfit {
    pub(super) fn unless_empty(self) -> Result<(), Self> {
        if self.missing.is_empty() && self.wrong.is_empty() { Ok(()) } else { Err(self) }
    }
}
