//! From the measurement of caches to its part of a profile.

use super::{Cache, Number, Profile, Section, texts};
use crate::cache::{Measured, Outcome, State};

/// The verb of this measurement.
const VERB: &str = "cache";

/// What is added to the name of a point for its exponential fit.
const AVERAGE: &str = "-average";

impl Profile {
    /// Puts in caches, in place of all that were there.
    pub fn replace_caches(&mut self, measured: &Measured) {
        let cold = measured.outcomes.iter().filter(|outcome| outcome.point.state != State::Warm);
        self.caches = cold.flat_map(caches).collect();
        self.replace(Section {
            verb: VERB.to_owned(),
            conditions: texts(&measured.conditions),
            numbers: measured.outcomes.iter().map(number).collect(),
        });
    }
}

fn caches(outcome: &Outcome) -> [(String, Cache); 2] {
    let name = outcome.point.name();
    let average = format!("{name}{AVERAGE}");
    [(name, Cache::of(&outcome.flood)), (average, Cache::of(&outcome.exponential))]
}

fn number(outcome: &Outcome) -> (String, Number) {
    let further = [
        ("access-ns", outcome.sustained_access_ns()),
        ("flood-residual-ns", outcome.flood.residual_ns),
        ("average-residual-ns", outcome.exponential.residual_ns),
    ];
    let number = Number {
        spread: outcome.loss,
        interrupted: outcome.curve.interrupted,
        further: further.map(|(name, value)| (name.to_owned(), value)).into(),
    };
    (outcome.point.name(), number)
}
