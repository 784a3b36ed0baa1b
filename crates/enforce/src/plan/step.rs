//! The parts of a plan.

use crate::intent::Intent;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// In this order.
    pub steps: Vec<Step>,
    /// What else is said of it.
    pub notes: Vec<String>,
    /// Reasons why bounds may not hold on this machine.
    pub doubts: Vec<String>,
    /// Processors whose timers are shielded.
    pub shielded: BTreeSet<u32>,
}

impl Plan {
    /// The steps, in words and as exact writes and calls, and the notes.
    pub fn words(&self) -> String {
        let (mut text, mut why) = (String::new(), "");
        for step in &self.steps {
            if step.why != why {
                why = &step.why;
                let _ = write!(text, "\n{why}\n");
            }
            let _ = writeln!(text, "    {}", step.intent.exact());
        }
        for note in &self.notes {
            let _ = write!(text, "\n{note}\n");
        }
        for doubt in &self.doubts {
            let _ = write!(text, "\nBut {doubt}\nSo it is applied with --unproven only.\n");
        }
        text
    }
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
