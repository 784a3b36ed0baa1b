//! A verdict, and its basis.

use crate::cause::Cause;
use crate::chance::Chance;
use crate::evidence::{Observed, Witness};
use crate::help::Help;
use crate::outcome::{ON_AVERAGE, Verdict, Why};
use vorrang_analysis::NamedTerm;
use vorrang_model::system::{RequirementKind, SupplyId};
use vorrang_time::Duration;

/// The verdict on one requirement, with its basis.
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
    /// What is known about the probability of a violation, if it states one.
    pub chance: Option<Chance>,
    /// The verdict.
    pub verdict: Verdict,
    /// The analysis that gave the bound, or failed to.
    pub by: String,
    /// The assumptions of the bound.
    pub assumptions: Vec<String>,
    /// Contexts with cold caches of which the bound takes what they take on average: where there are some, what is proven
    /// is about the average, and not about every job.
    pub averages: Vec<String>,
    /// Why it is undecided.
    pub reason: Option<Why>,
    /// The largest terms of the bound, or of what is too much for one, where it is not proven and a remedy was requested.
    pub terms: Vec<NamedTerm>,
    /// A remedy, where it is not proven and one was requested.
    pub help: Option<Help>,
    /// What refutes it.
    pub witness: Option<Witness>,
}

impl Ruling {
    /// Undecided requirements might have been decided without the interruption.
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

    /// The verdict as people read it: what rests on an average says so.
    pub fn word(&self) -> &'static str {
        match self.verdict {
            Verdict::Proven if !self.averages.is_empty() => ON_AVERAGE,
            verdict => verdict.word(),
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
