//! A design, and what `vorrang check` says about it: what is printed and written.

use super::absence;
use super::best::Best;
use vorrang_command::exit::{Exit, Failure};
use vorrang_command::input::OpenInput;
use vorrang_command::interruption;
use vorrang_verdict::chain::ChainRuling;
use vorrang_verdict::guarantee::Guarantee;
use vorrang_verdict::input::Input;
use vorrang_verdict::outcome::Verdict;
use vorrang_verdict::ruling::Ruling;
use vorrang_verdict::verdict;

/// A design, and what `vorrang check` says about it.
pub(super) struct Designed {
    /// The description as it was read.
    pub(super) open: OpenInput,
    /// The objective.
    pub(super) best: Best,
    /// What was found.
    pub(super) found: vorrang_design::Design,
    /// The completed description.
    pub(super) input: Input,
    /// One per requirement.
    pub(super) rulings: Vec<Ruling>,
    /// One per server with a budget.
    pub(super) guarantees: Vec<Guarantee>,
    /// One per requirement of a chain.
    pub(super) chains: Vec<ChainRuling>,
}

impl Designed {
    /// The completed description.
    pub(super) fn written(&self) -> Vec<u8> {
        self.open.open.written(&self.found.chosen)
    }

    /// Whether `vorrang check` agrees.
    pub(super) fn is_proven(&self) -> Result<(), Failure> {
        let verdict = verdict::of_all(&self.rulings, &self.guarantees, &self.chains);
        if verdict == Some(Verdict::Proven) {
            return Ok(());
        }
        if interruption::is_wanted() {
            return Err(absence::interrupted("the design was proven"));
        }
        let message = format!(
            "BUG: the design of {} is not proven, though the search took it for proven.\n\
             Please report this with the description.\n",
            self.input.name
        );
        Err(Failure { exit: Exit::Bug, message })
    }
}
