//! From the measurement of timers to its part of a profile.

use super::{Number, Profile, Section, texts};
use crate::timers::{Expiry, Measured, Outcome};

/// The verb of this measurement.
const VERB: &str = "timers";

impl Profile {
    /// Puts in timers, in place of all that were there.
    pub fn replace_timers(&mut self, measured: &Measured) {
        let responses = measured.outcomes.iter().map(response);
        self.replace(Section {
            verb: VERB.to_owned(),
            conditions: texts(&measured.conditions),
            numbers: responses.chain(measured.expiries.iter().map(expiry)).collect(),
        });
        self.charge(VERB);
    }
}

fn response(of: &Outcome) -> (String, Number) {
    let took = of.took.spread().median;
    let further = [("took-ns", took), ("expiries", of.expiries)];
    (format!("response-{}", of.load.name()), Number::of(&of.response, 0).with(&further))
}

fn expiry(of: &Expiry) -> (String, Number) {
    let further = [("alone-ns", of.alone_ns), ("residual-ns", of.residual_ns)];
    let number = Number { spread: of.cost, ..Number::default() }.with(&further);
    (format!("expiry-{}", of.way.word()), number)
}
