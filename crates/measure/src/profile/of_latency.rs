//! From the measurement of latencies to its part of a profile.

use super::{Number, Profile, Section, texts};
use crate::latency::tally::Tally;
use crate::latency::{Measured, timerlat};
use crate::machine::conditions::Condition;

/// The verb of this measurement.
const VERB: &str = "latency";

impl Profile {
    /// Puts in latencies of threads, in place of all that were there.
    pub fn replace_latencies(&mut self, measured: &Measured) {
        let threads = measured.threads.iter().enumerate();
        let numbers =
            threads.filter_map(|(index, of)| number(format!("wake-up-thread-{index}"), &of.tally));
        let numbers = numbers.collect();
        let conditions = texts(&measured.conditions);
        self.replace(Section { verb: VERB.to_owned(), conditions, numbers });
    }

    /// Puts in latencies of the kernel's tracer, in place of all that were there.
    pub fn replace_split_latencies(
        &mut self,
        measured: &timerlat::Measured,
        conditions: &[Condition],
    ) {
        let numbers = measured.cpus.iter().flat_map(|(cpu, split)| {
            let irq = number(format!("interrupt-cpu-{cpu}"), &split.irq);
            [irq, number(format!("thread-cpu-{cpu}"), &split.thread)]
        });
        let numbers = numbers.flatten().collect();
        let mut conditions = texts(conditions);
        conditions.push(("tracer".to_owned(), timerlat::TRACER.to_owned()));
        self.replace(Section { verb: VERB.to_owned(), conditions, numbers });
    }
}

fn number(name: String, tally: &Tally) -> Option<(String, Number)> {
    let spread = tally.spread()?;
    let tails = [("min-ns", 0.0), ("p01-ns", 0.01), ("p99-ns", 0.99), ("p999-ns", 0.999)];
    let tails = tails.map(|(name, part)| (name, tally.quantile_ns(part)));
    let number = Number { spread, ..Number::default() };
    Some((name, number.with(&tails)))
}
