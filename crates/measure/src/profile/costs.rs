//! The costs of descriptions from measurements.
//!
//! **Model.** An upper value of each number: the one that a hundredth exceeds (a tenth, where there are too
//! few for that), plus the range from the lowest to the highest tenth.
//!
//! | cost | is | charged for |
//! |---|---|---|
//! | `scheduler-call` | `direct` of `switch` | a call *and* the switch after it, which user space cannot separate |
//! | `context-switch` | nothing | see above; a call without a switch is overestimated |
//! | `timer-expiry` | the largest `expiry` of `timers` | the callback, with entry and exit |
//! | `vm-exit` | the larger of `kernel` and `end` of `exits` | an exit that the kernel handles, and an end of interrupt |
//!
//! `kernel` charges the longest observed call with a switch, in place of the cost of `switch`; `dispatcher` the longest observed
//! decision of `vorrang-host`, which is the scheduler of its cores.
//!
//! **Assumptions.** 1. Values of these that were written by hand are replaced by the next measurement.
//!
//! **Does not cover** `interrupt-entry` and `interrupt-exit`, which no verb measures.

use super::{Number, Profile};

impl Profile {
    /// From the section of a verb, in place of its previous costs.
    pub(super) fn charge(&mut self, verb: &str) {
        let numbers = |prefix: &str| {
            let sections = self.sections.iter().filter(|section| section.verb == verb);
            let numbers = sections.flat_map(|section| &section.numbers);
            let numbers = numbers.filter(|(name, _)| name.starts_with(prefix));
            numbers.map(|(_, number)| upper_ns(number)).max()
        };
        let costs = match verb {
            "switch" => {
                let direct = numbers("direct-");
                vec![("scheduler-call", direct), ("context-switch", direct.map(|_| 0))]
            }
            "timers" => vec![("timer-expiry", numbers("expiry-"))],
            "exits" => vec![("vm-exit", numbers("kernel").max(numbers("end")))],
            _ => Vec::new(),
        };
        for (name, ns) in costs {
            let Some(ns) = ns else { continue };
            self.set_cost(name, ns);
        }
    }

    /// In place of what it was.
    pub(super) fn set_cost(&mut self, name: &str, ns: u64) {
        match self.costs.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = ns,
            None => self.costs.push((name.to_owned(), ns)),
        }
    }
}

/// Nothing where it is below zero.
fn upper_ns(number: &Number) -> u64 {
    let last = number.further.iter().find(|(name, _)| name == "p99-ns");
    let last = last.map_or(number.spread.high, |(_, ns)| *ns);
    let upper = last.max(number.spread.high) + (number.spread.high - number.spread.low);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "kept in range")]
    let upper = upper.ceil().clamp(0.0, super::LONGEST_NS) as u64;
    upper
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Section;
    use crate::statistics::Spread;

    fn number(low: f64, high: f64, p99: Option<f64>) -> Number {
        let spread = Spread { count: 9, low, median: low, high, max: high };
        let number = Number { spread, ..Number::default() };
        number.with(&p99.map_or(Vec::new(), |ns| vec![("p99-ns", ns)]))
    }

    #[test]
    fn each_verb_charges_the_upper_value_of_its_own_and_leaves_the_rest() {
        let mut profile = Profile {
            costs: vec![("interrupt-entry".to_owned(), 7), ("vm-exit".to_owned(), 1)],
            ..Profile::default()
        };
        let sections = [
            ("switch", vec![("direct-futex", number(900.0, 1_000.0, Some(1_500.5)))]),
            ("switch", vec![("handover-futex", number(1.0, 9e9, None))]),
            ("timers", vec![("expiry-tasks", number(-20.0, 30.0, None))]),
            (
                "exits",
                vec![("kernel", number(10.0, 20.0, None)), ("end", number(-9.0, -5.0, None))],
            ),
            ("latency", vec![("direct-x", number(1.0, 2.0, None))]),
        ];
        for (verb, numbers) in sections {
            let numbers = numbers.into_iter().map(|(name, own)| (name.to_owned(), own)).collect();
            let verb = verb.to_owned();
            profile.sections = vec![Section { verb: verb.clone(), numbers, ..Section::default() }];
            profile.charge(&verb);
        }
        let costs = [
            ("interrupt-entry", 7),
            ("vm-exit", 30),
            ("scheduler-call", 1_601),
            ("context-switch", 0),
            ("timer-expiry", 80),
        ];
        assert_eq!(profile.costs, costs.map(|(name, ns)| (name.to_owned(), ns)));
    }

    #[test]
    fn what_is_below_zero_costs_nothing() {
        assert_eq!(upper_ns(&number(-9.0, -5.0, None)), 0);
    }
}
