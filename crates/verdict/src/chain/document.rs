//! The verdicts on chains for programs.

use super::ruling::ChainRuling;
use super::text::replays;
use crate::help;
use crate::input::Input;
use crate::outcome::Verdict;
use serde_json::{Value, json};
use vorrang_analysis::Until;
use vorrang_sim::Observations;

/// One object for each requirement.
pub fn document(input: &Input, observations: &Observations, rulings: &[ChainRuling]) -> Value {
    rulings.iter().map(|ruling| one(input, observations, ruling)).collect()
}

fn one(input: &Input, observations: &Observations, ruling: &ChainRuling) -> Value {
    let why = ruling.reason.as_ref();
    let terms = ruling.steps.iter().map(|step| {
        json!({
            "task": input.system.task(step.task).name,
            "distance_ns": step.distance.as_ns(),
            "time_ns": step.time.as_ns(),
            "until": until(step.until),
        })
    });
    json!({
        "name": ruling.name,
        "requires": ruling.asked.word(),
        "verdict": ruling.verdict.word(),
        "limit_ns": ruling.limit.as_ns(),
        "bound_ns": ruling.bound.map(vorrang_time::Duration::as_ns),
        "observed_ns": ruling.observed.as_ref().map(|seen| seen.time.as_ns()),
        "by": ruling.by,
        "assumptions": ruling.assumptions,
        "code": why.map(|why| why.of.code()),
        "reason": why.map(|why| &why.text),
        "help": ruling.help.as_ref().map(|help| &help.text),
        "change": ruling.help.as_ref().and_then(help::document),
        "terms": terms.collect::<Vec<_>>(),
        "witness": witness(input, observations, ruling),
    })
}

fn witness(input: &Input, observations: &Observations, ruling: &ChainRuling) -> Option<Value> {
    let seen = ruling.observed.as_ref().filter(|_| ruling.verdict == Verdict::Refuted)?;
    Some(json!({
        "pattern": &*seen.pattern,
        "from_ns": seen.from.as_ns(),
        "replay": replays(input, observations, ruling),
    }))
}

const fn until(until: Until) -> &'static str {
    match until {
        Until::Completed => "completed",
        Until::Held => "held",
        Until::Deadline => "deadline",
        Until::Wakes => "wakes",
        Until::Again => "again",
    }
}
