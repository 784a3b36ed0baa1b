//! The derivation of a bound, as data.
//!
//! A theorem that is asked how its bound comes about answers with [`Fact`]s: numbers and [`Source`]s, each at its depth.
//! Only `words/` knows what anything is called, and puts them into words.
//!
//! | what | file |
//! |---|---|
//! | what is said of supplies, interference, responses and probabilities | `fact/` |
//! | what a bound adds up | `terms.rs` |

mod fact;
mod terms;

pub use fact::{
    Fact, Occurrences, OfIdleStart, OfInterference, OfLoneTask, OfPackets, OfProbability,
    OfResponse, OfRule, OfSupply,
};

pub use terms::{Part, Term};

use crate::demand::Loads;
use vorrang_time::Duration;

/// One step of a derivation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its depth.
    pub depth: usize,
    /// What it says.
    pub fact: Fact,
}

/// The derivation of a bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derivation {
    steps: Vec<Step>,
    depth: usize,
}

impl Derivation {
    /// One of a single fact.
    pub fn of(fact: impl Into<Fact>) -> Self {
        let mut single = Self::default();
        single.push(fact);
        single
    }

    /// The steps, the outer ones first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Adds a fact at the present depth.
    pub fn push(&mut self, fact: impl Into<Fact>) {
        self.steps.push(Step { depth: self.depth, fact: fact.into() });
    }

    /// Adds the source of what was said.
    pub fn cite(&mut self, publication: &'static str) {
        self.push(Fact::Cited(publication));
    }

    /// Everything that `inside` adds stands one step to the right.
    pub fn indented(&mut self, inside: impl FnOnce(&mut Self)) {
        self.depth += 1;
        inside(self);
        self.depth -= 1;
    }

    /// What holds it up once in a busy window, if anything does.
    pub fn blocking(&mut self, blocking: Duration) {
        if !blocking.is_zero() {
            self.push(OfInterference::Blocking(blocking));
        }
    }

    /// The interference of `loads` in `window`, each by itself; returns it together with `own`.
    pub fn terms(&mut self, own: Duration, loads: Loads<'_>, window: Duration) -> Duration {
        let mut demand = own;
        self.indented(|inside| {
            for load in loads.iter() {
                if let Some(used_by) = load.used_by.filter(|_| load.is_used_less(window)) {
                    inside.push(OfInterference::UsedLess(load.source));
                    demand = inside.terms(demand, Loads::new(used_by), window);
                    continue;
                }
                let occurrences = Occurrences::of(load, window);
                demand += load.cost * occurrences.count;
                inside.push(OfInterference::Term { of: load.source, occurrences, cost: load.cost });
                if let Some(deadline) = load.kept_until {
                    let kept = load.kept(window, deadline);
                    demand += kept;
                    inside.indented(|inside| {
                        inside.push(OfInterference::Kept { deadline, kept });
                    });
                }
            }
        });
        demand
    }
}
