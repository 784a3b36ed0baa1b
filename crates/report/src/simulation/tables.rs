//! Tables of a simulation: of chains, and of what each core did.

use crate::grid::{self, Head, numbers, words};
use serde_json::{Value, json};
use std::fmt::Write as _;
use vorrang_figure::escaped;
use vorrang_verdict::loss;

/// A row for each kind of value of each chain.
pub(super) fn chains(rows: &Value) -> String {
    let title = "Reaction times and data ages of chains";
    let table = grid::of_document(title, &CHAINS, rows);
    if table.is_empty() { table } else { format!("<h3>Chains</h3>\n{table}") }
}

/// Keys of a document with their heads.
type Columns<'c> = &'c [(&'static str, Head)];

/// Budgets, losses, packets, requests and timers of a core, where there are any.
pub(super) fn of_core(core: &Value) -> String {
    let name = core["name"].as_str().unwrap_or_default();
    let losses =
        Value::Array(core["losses"].as_array().into_iter().flatten().flat_map(lost).collect());
    let parts: [(&str, Columns, &Value); 5] = [
        ("Budgets", &BUDGETS, &core["budgets"]),
        ("Time lost to the machine, by whom and to what", &LOSSES, &losses),
        ("Packets", &PACKETS, &core["packets"]),
        ("Requests of interrupts", &REQUESTS, &core["requests"]),
        ("Timers", &TIMERS, &core["timers"]),
    ];
    let mut out = String::new();
    for (what, columns, rows) in parts {
        let table = grid::of_document(&format!("{what}: {name}"), columns, rows);
        if !table.is_empty() {
            let _ = writeln!(out, "<h3>{what}: {}</h3>\n{table}", escaped(name));
        }
    }
    out
}

/// A row for each cause by which a loser lost something.
fn lost(loser: &Value) -> Vec<Value> {
    let causes = loser["causes"].as_object().into_iter().flatten();
    let of_time = causes.filter_map(|(key, ns)| Some((key.strip_suffix("_ns")?, ns.as_u64()?)));
    let row = |(key, ns): (&str, u64)| {
        let count = &loser["causes"][format!("{key}_count")];
        let name = loser["name"].as_str().unwrap_or(loss::NO_CONTEXT);
        json!({ "name": name, "to": key.replace('_', " "), "lost_ns": ns, "count": count })
    };
    of_time.filter(|(_, ns)| *ns > 0).map(row).collect()
}

const CHAINS: [(&str, Head); 8] = [
    ("name", words("chain")),
    ("time", words("time")),
    ("values", numbers("values")),
    ("shortest_ns", numbers("shortest [us]")),
    ("mean_ns", numbers("mean [us]")),
    ("longest_ns", numbers("longest [us]")),
    ("limit_ns", numbers("limit [us]")),
    ("misses", numbers("misses")),
];
const BUDGETS: [(&str, Head); 7] = [
    ("name", words("budget of")),
    ("pseudo_vcpu_of", words("pseudo-VCPU of")),
    ("reserved_ns", numbers("reserved [us]")),
    ("credited_ns", numbers("credited [us]")),
    ("used_ns", numbers("used [us]")),
    ("background_ns", numbers("background [us]")),
    ("exhausted", numbers("exhausted")),
];
const LOSSES: [(&str, Head); 4] = [
    ("name", words("lost by")),
    ("to", words("to")),
    ("lost_ns", numbers("lost [us]")),
    ("count", numbers("times")),
];
const PACKETS: [(&str, Head); 6] = [
    ("name", words("of")),
    ("arrived", numbers("arrived")),
    ("dropped_at_ring", numbers("dropped at the ring")),
    ("dropped_at_socket", numbers("dropped at the socket")),
    ("delivered", numbers("delivered")),
    ("bits_per_second", numbers("bits per second")),
];
const REQUESTS: [(&str, Head); 4] = [
    ("name", words("of")),
    ("held_back", numbers("held back")),
    ("let_through_again", numbers("let through again")),
    ("merged", numbers("merged")),
];
const TIMERS: [(&str, Head); 4] = [
    ("name", words("of")),
    ("handled", numbers("handled")),
    ("mean_ns", numbers("mean lateness [us]")),
    ("longest_ns", numbers("longest lateness [us]")),
];
