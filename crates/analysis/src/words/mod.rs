//! Derivations in words and numbers: the only place that knows names.

mod interference;
mod names;
mod probability;
mod response;
mod supply;
mod terms;

pub use terms::NamedTerm;

use names::Names;

use crate::bounds::{Bounds, derived_bounds_of};
use crate::derivation::{Derivation, Fact, Step};
use core::fmt;
use vorrang_model::system::{Requirement, RequirementKind, System};

/// The derivation of the bound of one requirement: busy window, interference by name, equation.
pub fn explain(system: &System, what: RequirementKind) -> Explanation {
    derived_bounds_of(system, core::iter::once(what), &|| false).explanation(system, what)
}

impl Bounds {
    /// The derivation of the bound of a requirement of this kind, if requested.
    pub fn explanation(&self, system: &System, kind: RequirementKind) -> Explanation {
        let found = self.of(kind);
        let Explanation(mut lines) = found.derivation.in_words(system);
        let unguaranteed = self.unguaranteed(system, kind).filter(|_| found.bound().is_none());
        if let Some(server) = unguaranteed {
            lines.splice(0..0, self.wanted(server).in_words(system).0);
        }
        Explanation(lines)
    }

    /// The derivation of the bound on the probability of a requirement.
    pub fn explanation_of_chance(&self, system: &System, requirement: &Requirement) -> Explanation {
        self.derivation_of_chance(system, requirement).in_words(system)
    }
}

impl Derivation {
    /// In words, with the names of a system.
    pub fn in_words(&self, system: &System) -> Explanation {
        let names = Names(system);
        let line = |step: &Step| format!("{:1$}{2}", "", 2 * step.depth, of(&step.fact, &names));
        Explanation(self.steps().iter().map(line).collect())
    }
}

/// The derivation of the bound of one requirement, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation(Vec<String>);

impl Explanation {
    /// The lines, indented by two spaces a level.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// One line.
fn of(fact: &Fact, names: &Names<'_>) -> String {
    match fact {
        Fact::Cited(publication) => format!("[{publication}]"),
        Fact::Supply(fact) => supply::text(fact, names),
        Fact::Rule(fact) => supply::of_a_rule(fact, names),
        Fact::IdleStart(fact) => supply::from_an_idle_guest(fact, names),
        Fact::Interference(fact) => interference::text(fact, names),
        Fact::Response(fact) => response::text(fact, names),
        Fact::Packets(fact) => response::of_packets(fact, names),
        Fact::LoneTask(fact) => response::alone(fact, names),
        Fact::Probability(fact) => probability::text(fact, names),
    }
}
