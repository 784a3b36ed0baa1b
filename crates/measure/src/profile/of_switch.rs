//! From the measurement of switches to its part of a profile.

use super::{Number, Profile, Section, texts};
use crate::statistics::Sorted;
use crate::switch::{Measured, Outcome};

/// The verb of this measurement.
const VERB: &str = "switch";

impl Profile {
    /// Puts in switches, in place of all that were there.
    pub fn replace_switches(&mut self, measured: &Measured) {
        self.replace(Section {
            verb: VERB.to_owned(),
            conditions: texts(&measured.conditions),
            numbers: measured.outcomes.iter().flat_map(|of| numbers(measured, of)).collect(),
        });
        self.charge(VERB);
    }
}

/// Without sets, the switch itself; with them, what it displaces.
fn numbers(measured: &Measured, of: &Outcome) -> Vec<(String, Number)> {
    let median = |of: &Sorted| of.spread().median;
    if of.point.own_bytes == 0 {
        let after = match of.point.other_bytes {
            0 => String::new(),
            _ => format!("-{}", of.point.name()),
        };
        let direct = number(&of.direct, of, &[("calls-ns", median(&of.calls))]);
        let handover = number(&of.handover, of, &[]);
        let name = |what: &str| format!("{what}-{}{after}", measured.means);
        return vec![(name("direct"), direct), (name("handover"), handover)];
    }
    let further = [("hot-ns", median(&of.hot)), ("handover-ns", median(&of.handover))];
    let name = format!("indirect-{}-{}", measured.kind.name(), of.point.name());
    vec![(name, number(&of.indirect, of, &further))]
}

fn number(sorted: &Sorted, of: &Outcome, further: &[(&str, f64)]) -> Number {
    Number::of(sorted, of.interrupted).with(further)
}
