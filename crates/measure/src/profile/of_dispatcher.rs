//! From the measurement of a dispatcher to its part of a profile, and to the cost of calls.

use super::{Number, Profile, Section, rounded_up, texts};
use crate::dispatcher::{Decisions, Measured};

/// The verb of this measurement.
const VERB: &str = "dispatcher";

impl Profile {
    /// Puts in decisions, in place of all that were there; the longest is the cost of a call, with its switches.
    pub fn replace_dispatcher(&mut self, measured: &Measured) {
        self.replace(Section {
            verb: VERB.to_owned(),
            conditions: texts(&measured.conditions),
            numbers: measured.processors.iter().map(number).collect(),
        });
        if let Some(longest) = measured.longest_ns() {
            self.set_cost("scheduler-call", rounded_up(longest));
            self.set_cost("context-switch", 0);
        }
    }
}

fn number(of: &Decisions) -> (String, Number) {
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let further = [("longest-ns", of.longest_ns as f64), ("decisions", of.count as f64)];
    (format!("decision-cpu-{}", of.cpu), Number::of(&of.each, 0).with(&further))
}
