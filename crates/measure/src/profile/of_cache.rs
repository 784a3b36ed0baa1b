//! From the measurement of caches to its part of a profile.

use super::{Cache, Number, Profile, Section, texts};
use crate::cache::{Measured, Outcome, State};

/// The verb of this measurement.
const VERB: &str = "cache";

impl Profile {
    /// Puts in caches, in place of all that were there.
    pub fn replace_caches(&mut self, measured: &Measured) {
        self.caches = measured.outcomes.iter().filter_map(cache).collect();
        self.replace(Section {
            verb: VERB.to_owned(),
            conditions: texts(&measured.conditions),
            numbers: measured.outcomes.iter().map(number).collect(),
        });
    }
}

/// The worst case from a state in which everything is displaced, the average from that after a switch.
fn cache(outcome: &Outcome) -> Option<(String, Cache)> {
    match outcome.point.state {
        State::Warm => None,
        State::Switched => Some((outcome.point.average_name(), Cache::of(&outcome.exponential))),
        State::Dirty | State::Clean | State::Flushed => {
            Some((outcome.point.name(), Cache::of(&outcome.flood)))
        }
    }
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
