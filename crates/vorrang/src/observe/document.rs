//! The result of `vorrang observe` for programs: format "vorrang-observe/1".
//!
//! **Model.** All times are integers in nanoseconds, under keys that end in `_ns`; instants are those of the trace. A
//! key is always there; `null` where there is nothing to say. Within version 1 keys may be added, none is
//! removed or changes its meaning.

use super::observed::Observed;
use serde_json::{Value, json};
use vorrang_observe::comparison::{Comparison, Sight, Verdict, What};
use vorrang_observe::observation::{Handed, Latency, Outcome, Row, Times, Usage};
use vorrang_observe::witness;
use vorrang_verdict::identity::TOOL;

/// The document, with a line feed at the end.
pub(super) fn of(observed: &Observed) -> String {
    let schedule = &observed.schedule;
    let document = json!({
        "format": "vorrang-observe/1",
        "tool": TOOL,
        "input_sha256": observed.input.sha256,
        "outcome": match observed.observation.outcome() {
            Outcome::Below => "below",
            Outcome::Open => "open",
            Outcome::Above => "above",
        },
        "trace": {
            "from": observed.from,
            "begin_ns": schedule.begin,
            "end_ns": schedule.end,
            "instant_resolution_ns": schedule.resolution,
            "is_cut": schedule.is_cut,
            "events": schedule.events.len(),
            "skipped_lines": schedule.skipped,
        },
        "rows": observed.observation.rows.iter().map(|row| entry(observed, row)).collect::<Vec<_>>(),
    });
    format!("{document:#}\n")
}

fn entry(observed: &Observed, row: &Row) -> Value {
    let seen = row.seen.as_ref();
    json!({
        "name": row.name,
        "kind": row.kind.word(),
        "not_seen": seen.err(),
        "seen": seen.ok().map(|seen| json!({
            "thread": seen.thread,
            "who": seen.who,
            "jobs": seen.jobs,
            "response": times(seen.responses),
            "executed": times(seen.executed),
            "preempted": seen.preempted,
            "preempted_in_a_job": seen.preempted_in_a_job,
            "usage": seen.usage.as_ref().map(usage),
            "handed": seen.handed.as_ref().map(handed),
            "notes": seen.notes,
            "remarks": seen.remarks,
        })),
        "comparisons": row.comparisons().iter().map(|one| comparison(observed, one)).collect::<Vec<_>>(),
    })
}

fn times(times: Option<Times>) -> Option<Value> {
    times.map(|times| json!({ "longest_ns": times.longest, "mean_ns": times.mean }))
}

fn handed(handed: &Handed) -> Value {
    json!({ "reaction": latency(&handed.reaction), "age": latency(&handed.age) })
}

fn latency(of: &Latency) -> Value {
    let job = |&(read, write): &(u64, u64)| json!({ "read_ns": read, "write_ns": write });
    json!({
        "values": of.values,
        "times": times(of.times),
        "limit_ns": of.limit,
        "way": of.way.iter().map(job).collect::<Vec<_>>(),
    })
}

fn usage(usage: &Usage) -> Value {
    json!({
        "budget_ns": usage.budget,
        "period_ns": usage.period,
        "mean_in_a_period_ns": usage.mean,
        "largest_in_a_period_ns": usage.largest.map(|window| window.used.time),
        "largest_begin_ns": usage.largest.map(|window| window.window.0),
    })
}

fn comparison(observed: &Observed, comparison: &Comparison) -> Value {
    let reason = match &comparison.verdict {
        Verdict::Open(why) => Some(why),
        _ => None,
    };
    json!({
        "what": comparison.what.word(),
        "verdict": match &comparison.verdict {
            Verdict::Below => "below",
            Verdict::AtTheBound => "at-the-bound",
            Verdict::Open(_) => "open",
            Verdict::Above => "above",
        },
        "reason": reason,
        "above": comparison.above,
        "worst": comparison.worst.map(|sight| worst(observed, comparison, &sight)),
    })
}

fn worst(observed: &Observed, comparison: &Comparison, sight: &Sight) -> Value {
    let meanwhile = (comparison.verdict == Verdict::Above).then(|| {
        let shares = witness::meanwhile(&observed.schedule, &sight.place);
        let share = |share: witness::Share| json!({ "who": share.who, "time_ns": share.time });
        shares.into_iter().map(share).collect::<Vec<_>>()
    });
    json!({
        "time_ns": sight.time,
        "bound_ns": sight.bound,
        "resolution_ns": sight.resolution,
        "begin_ns": sight.place.window.0,
        "end_ns": sight.place.window.1,
        "cpu": sight.place.cpu,
        "meanwhile": meanwhile,
        "in_a_window": comparison.what == What::Budget,
    })
}
