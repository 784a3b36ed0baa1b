//! Parts of containers, by a parser of JSON.

use super::case::{CPU, Case, Scheduled, Thread};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Nothing but the parts that are meant.
///
/// # Errors
/// What is different.
pub fn check(case: &Case, text: &str) -> Result<(), String> {
    let found: Value = serde_json::from_str(text).map_err(|why| why.to_string())?;
    let (mut parts, mut left_out) = (BTreeMap::new(), BTreeMap::new());
    for named in &case.threads {
        let thread = named.thread.written();
        if matches!(named.thread, Thread::Vm(..) | Thread::Irq(_) | Thread::Napi(..)) {
            left_out.insert(&named.label, format!("{thread} is not the process of a container"));
        } else {
            parts.insert(&named.label, part(named.scheduled));
        }
    }
    let meant = json!({ "containers": parts, "left-out": left_out });
    if found == meant { Ok(()) } else { Err(format!("{found}, not {meant}")) }
}

fn part(scheduled: Scheduled) -> Value {
    match scheduled {
        Scheduled::Priority(priority) => json!({
            "process": { "scheduler": { "policy": "SCHED_FIFO", "priority": priority } },
            "linux": { "resources": { "cpu": { "cpus": CPU.to_string() } } }
        }),
        Scheduled::Reservation(budget, period) => json!({
            "process": { "scheduler": {
                "policy": "SCHED_DEADLINE", "runtime": budget, "deadline": period, "period": period
            } },
            "annotations": { "vorrang.partition": format!("processor {CPU}, as a partition of its own") }
        }),
    }
}
