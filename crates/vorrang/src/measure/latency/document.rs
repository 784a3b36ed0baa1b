//! Latencies for programs: close to the document of `cyclictest`, whose keys mean what they do there.
//!
//! **Model.** `thread` has an object for each thread by its number; latencies are in whole microseconds
//! as there, and the histogram has non-zero counts only. Keys that `cyclictest` does not have end in
//! `_ns` or are separate: quantiles, conditions, remarks, the latency that ended it.

use serde_json::{Map, Value, json};
use vorrang_measure::latency::tally::Tally;
use vorrang_measure::latency::{Broken, Measured, Outcome, timerlat};
use vorrang_measure::machine::conditions::Condition;
use vorrang_quote::name::quoted;
use vorrang_verdict::identity::TOOL;

/// The document of threads, with a line feed at the end.
pub(super) fn threads(measured: &Measured, limit_us: Option<usize>) -> String {
    let threads = measured.threads.iter().enumerate();
    let threads = threads.map(|(index, of)| (index.to_string(), thread(of, limit_us)));
    let mut document = head(&measured.conditions, &measured.remarks);
    document.insert("num_threads".into(), json!(measured.threads.len()));
    document.insert("resolution_in_ns".into(), json!(0));
    document.insert("thread".into(), threads.collect::<Map<_, _>>().into());
    document.insert("break".into(), json!(measured.broken.as_ref().map(broken)));
    format!("{:#}\n", Value::from(document))
}

/// The document of the kernel's tracer: two latencies for each processor.
pub(super) fn split(
    measured: &timerlat::Measured,
    conditions: &[Condition],
    remarks: &[String],
) -> String {
    let cpu = |(cpu, split): (&usize, &timerlat::Split)| {
        let both = json!({ "irq": tally(&split.irq), "thread": tally(&split.thread) });
        (cpu.to_string(), both)
    };
    let mut document = head(conditions, remarks);
    document.insert("cpu".into(), measured.cpus.iter().map(cpu).collect::<Map<_, _>>().into());
    document.insert("break".into(), json!(measured.broken.as_ref().map(broken)));
    format!("{:#}\n", Value::from(document))
}

fn head(conditions: &[Condition], remarks: &[String]) -> Map<String, Value> {
    let named = |(name, value): &Condition| ((*name).to_owned(), Value::from(value.as_str()));
    let conditions: Map<String, Value> = conditions.iter().map(named).collect();
    let command: Vec<String> = std::env::args_os().map(quoted).collect();
    let Value::Object(head) = json!({
        "file_version": 1,
        "tool": TOOL,
        "cmdline:": command.join(" "),
        "conditions": conditions,
        "remarks": remarks,
    }) else {
        unreachable!("an object was written")
    };
    head
}

fn thread(of: &Outcome, limit_us: Option<usize>) -> Value {
    let counts = limit_us.map(|limit| of.tally.microseconds(limit)).unwrap_or_default();
    let counted = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let histogram: Map<String, Value> =
        counted.map(|(us, count)| (us.to_string(), json!(count))).collect();
    json!({
        "histogram": histogram,
        "cycles": of.tally.count(),
        "min": of.tally.least_ns() / 1_000,
        "max": of.tally.most_ns() / 1_000,
        "avg": (of.tally.mean_ns() / 10.0).round() / 100.0,
        "cpu": of.cpu,
        "priority": of.priority,
        "interval_us": of.interval_us,
        "latency": tally(&of.tally),
    })
}

fn tally(of: &Tally) -> Value {
    // Upper ends of steps and whole latencies: no fractions.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number")]
    let at = |part: f64| of.quantile_ns(part) as u64;
    json!({
        "count": of.count(),
        "min_ns": of.least_ns(),
        "median_ns": at(0.5),
        "p99_ns": at(0.99),
        "p999_ns": at(0.999),
        "max_ns": of.most_ns(),
    })
}

fn broken(of: &Broken) -> Value {
    let part = |part: &vorrang_measure::latency::cause::Part| json!({ "cause": part.culprit.to_string(), "ns": part.ns });
    json!({
        "thread": of.thread,
        "cpu": of.cpu,
        "latency_ns": of.latency_ns,
        "parts": of.parts.iter().map(part).collect::<Vec<_>>(),
        "unknown_because": of.trace.as_ref().err(),
    })
}
