//! The largest terms of a bound, in words and for programs.

use crate::unit::Unit;
use serde_json::{Value, json};
use vorrang_analysis::NamedTerm;
use vorrang_time::Duration;

/// How many are named: those that a change would have to move.
const NAMED: usize = 3;

/// A term below this part of the largest one says nothing.
const LEAST_PART: u64 = 20;

/// The largest of all.
pub fn largest(all: Vec<NamedTerm>) -> Vec<NamedTerm> {
    let least = all.first().map_or(Duration::ZERO, |first| first.time);
    let counts = |term: &NamedTerm| term.time.as_ns() >= least.as_ns() / LEAST_PART;
    all.into_iter().take(NAMED).filter(counts).collect()
}

/// As a clause, in a unit; `None`: there are none.
pub fn said(terms: &[NamedTerm], unit: Unit) -> Option<String> {
    let one = |NamedTerm { name, time, times }: &NamedTerm| {
        let all = unit.text(*time);
        match times {
            Some((count, each)) if *count > 1 => {
                format!("{name} {all} ({count} of {})", unit.text(*each))
            }
            _ => format!("{name} {all}"),
        }
    };
    let said: Vec<String> = terms.iter().map(one).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

/// For programs.
pub fn document(terms: &[NamedTerm]) -> Value {
    let one = |NamedTerm { name, time, times }: &NamedTerm| {
        json!({
            "name": name,
            "ns": time.as_ns(),
            "count": times.map(|(count, _)| count),
            "each_ns": times.map(|(_, each)| each.as_ns()),
        })
    };
    terms.iter().map(one).collect()
}
