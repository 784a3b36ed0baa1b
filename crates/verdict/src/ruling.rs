//! A verdict, and everything that it rests on.

use crate::cause::Cause;
use crate::chance::Chance;
use crate::evidence::{Observed, Witness};
use crate::help::Help;
use crate::outcome::{Verdict, Why};
use vorrang_model::system::{RequirementKind, SupplyId};
use vorrang_time::Duration;

/// The verdict on one requirement, with everything it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The full name of the requirement.
    pub name: String,
    /// What it is about.
    pub kind: RequirementKind,
    /// The core on which it is decided.
    pub core: SupplyId,
    /// The time it allows.
    pub limit: Duration,
    /// The longest response over all histories, if something bounds it.
    pub bound: Option<Duration>,
    /// The longest response seen in a history, if any was simulated.
    pub observed: Option<Observed>,
    /// What is known about how often it is not kept, if it states a probability.
    pub chance: Option<Chance>,
    /// What follows.
    pub verdict: Verdict,
    /// The analysis that gave the bound, or failed to.
    pub by: String,
    /// What the bound takes for granted.
    pub assumptions: Vec<String>,
    /// Why it is undecided.
    pub reason: Option<Why>,
    /// What would help, where it is not proven and somebody asked.
    pub help: Option<Help>,
    /// What refutes it.
    pub witness: Option<Witness>,
}

impl Ruling {
    /// What is not decided could have been, had nobody interrupted it.
    pub fn interrupt(&mut self) {
        if self.verdict == Verdict::Undecided {
            let so_far = |text: &str| format!("it was interrupted; so far, {text}");
            self.reason = self.reason.take().map(|Why { cause, text, .. }| Why {
                cause: so_far(&cause),
                text: so_far(&text),
                of: Cause::Interrupted,
            });
        }
    }

    /// Why it is not proven; `None` if it is.
    pub fn cause(&self) -> Option<Cause> {
        match self.verdict {
            Verdict::Proven => None,
            Verdict::Undecided => self.reason.as_ref().map(|why| why.of),
            Verdict::Refuted => {
                let completes = self.observed.as_ref().is_none_or(|seen| seen.finished);
                Some(if completes { Cause::Missed } else { Cause::NeverComplete })
            }
        }
    }
}
