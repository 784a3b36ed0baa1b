//! From the measurement of exits to its part of a profile.

use super::{Number, Profile, Section, texts};
use crate::exits::{Measured, Outcome};

/// The verb of this measurement.
const VERB: &str = "exits";

impl Profile {
    /// Puts in exits, in place of all that were there.
    pub fn replace_exits(&mut self, measured: &Measured) {
        self.replace(Section {
            verb: VERB.to_owned(),
            conditions: texts(&measured.conditions),
            numbers: measured.outcome.iter().flat_map(numbers).collect(),
        });
        self.charge(VERB);
    }
}

fn numbers(of: &Outcome) -> impl Iterator<Item = (String, Number)> {
    let number = |(name, sorted)| (String::from(name), Number::of(sorted, of.interrupted));
    of.named().into_iter().map(number)
}
