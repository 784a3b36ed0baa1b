//! The derivation of a bound, as data.
//!
//! A theorem that is asked how its bound comes about answers with [`Fact`]s: numbers and [`Source`]s, each at its depth.
//! Only `text/` knows what anything is called, and puts them into words.
//!
//! | what | file |
//! |---|---|
//! | what is said of supplies, interference, responses and probabilities | `fact/` |
//! | the names of sources | `text/names.rs` |
//! | facts in words | `text/` |

mod fact;
mod text;

pub use fact::{
    Fact, Occurrences, OfIdleStart, OfInterference, OfLoneTask, OfPackets, OfProbability,
    OfResponse, OfRule, OfSupply,
};

use crate::demand::Loads;
use core::fmt;
use vorrang_model::system::System;
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

    /// In words, with the names of a system.
    pub fn in_words(&self, system: &System) -> Explanation {
        let names = text::Names(system);
        let line =
            |step: &Step| format!("{:1$}{2}", "", 2 * step.depth, text::of(&step.fact, &names));
        Explanation(self.steps.iter().map(line).collect())
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
