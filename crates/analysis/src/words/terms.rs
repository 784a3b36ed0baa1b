//! The terms of a bound by name.

use super::Names;
use crate::bounds::Bounds;
use crate::derivation::{Derivation, Part, Term};
use vorrang_model::system::{RequirementKind, SupplyId, System};
use vorrang_time::Duration;

/// One term of a bound, or of what is too much for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedTerm {
    /// What it comes from.
    pub name: String,
    /// How long it is.
    pub time: Duration,
    /// How often what, where it is a product.
    pub times: Option<(u64, Duration)>,
}

impl Bounds {
    /// The terms of the bound of a requirement of this kind, or where a server on its way to the core is not guaranteed its
    /// budget, of what is wanted there; the largest first. None unless derivations were requested.
    pub fn terms(&self, system: &System, kind: RequirementKind) -> Vec<NamedTerm> {
        let finding = self.of(kind);
        if finding.bound().is_some() {
            return named(system, &finding.derivation);
        }
        self.unguaranteed(system, kind)
            .map(|id| self.terms_of_budget(system, id))
            .unwrap_or_default()
    }

    /// The terms of what is wanted of the supply of a server that is not guaranteed its budget.
    pub fn terms_of_budget(&self, system: &System, server: SupplyId) -> Vec<NamedTerm> {
        named(system, self.wanted(server))
    }
}

fn named(system: &System, derivation: &Derivation) -> Vec<NamedTerm> {
    let names = Names(system);
    let one = |Term { part, time, times }| NamedTerm { name: name(part, &names), time, times };
    derivation.terms_by_size().into_iter().map(one).collect()
}

fn name(part: Part, names: &Names<'_>) -> String {
    match part {
        Part::Own => "own work".into(),
        Part::Of(source) => names.of(source),
        Part::Path => "path before it".into(),
        Part::Blocking => "blocking".into(),
        Part::Equals => "members of equal priority".into(),
        Part::Begun => "what is in progress".into(),
        Part::LateRuntimes => "runtimes that end late".into(),
        Part::Waits(of) => format!("waits for the budget of {}", names.of(of)),
        Part::Charged(of) => format!("interrupts charged to {}", names.of(of)),
        Part::Cold(of) => format!("cold caches of {}", names.of(of)),
        Part::Turns => "turns of others".into(),
        Part::Throttled => "throttling of real-time threads".into(),
    }
}
