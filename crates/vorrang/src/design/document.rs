//! A design for programs: format "vorrang-design/1".
//!
//! **Model.** As `vorrang-check/1`: times in nanoseconds, shares of a core in percent as decimal fractions
//! in strings, `left_percent` and `least_percent` rounded down and all others up; a key is always there.
//! `result` is `optimal`, `within` (a bound), `none-found`, `impossible` or `nothing-required`; without a design the rest is
//! `null` or empty, and `conflict` says which requirements cannot hold together, or were not found
//! to (`decided`), `uncovered` what no analysis covers.

use super::designed::Designed;
use super::text::{gap, growth, servers};
use serde_json::{Value, json};
use vorrang_design::{Absence, Conflict, Optimality, Price, price};
use vorrang_verdict::guarantee;
use vorrang_verdict::identity::TOOL;
use vorrang_verdict::occupied::{down, up};
use vorrang_verdict::outcome::Verdict;
use vorrang_verdict::verdict;

pub(super) fn document(designed: &Designed) -> String {
    let found = &designed.found;
    let system = &found.system;
    let values = designed.open.open.values().iter().zip(&found.chosen);
    let values = values.map(|(value, chosen)| {
        let chosen: Value = serde_json::from_str(&chosen.to_string()).expect("as in JSON");
        json!({ "of": value.of, "key": value.key.name(), "chosen": chosen })
    });
    let server = |id| {
        let supply = system.supply(id);
        let server = supply.server().expect("only servers are open");
        json!({
            "name": supply.name,
            "on": system.supply(server.on).name,
            "server": server.kind().word(),
            "budget_ns": server.budget.as_ns(),
            "period_ns": server.period.as_ns(),
        })
    };
    let row = |row: &Price| {
        json!({
            "core": system.supply(row.core).name,
            "reserved_percent": up(row.reserved),
            "fair_server_percent": row.fair_server.map(up),
            "beside_percent": up(row.beside),
            "switching_percent": up(row.switching),
            "left_percent": row.left.map(down),
            "used_percent": up(row.used),
        })
    };
    let verdict = verdict::of_all(&designed.rulings, &designed.guarantees, &designed.chains)
        .map(Verdict::word);
    let document = json!({
        "format": "vorrang-design/1",
        "tool": TOOL,
        "result": match found.optimality() {
            Optimality::Optimal => "optimal",
            Optimality::Within => "within",
        },
        "steps": found.steps,
        "best": designed.best.text,
        "grows_percent": found.reach.map(|reach| growth(reach.factor)),
        "none_grows_percent": found.reach.and_then(|reach| reach.none_from).map(growth),
        "takes_percent": up(found.cost.share()),
        "least_percent": down(found.least.share()),
        "within_percent": gap(found),
        "values": values.collect::<Vec<_>>(),
        "servers": servers(designed).into_iter().map(server).collect::<Vec<_>>(),
        "price": price(system).iter().map(row).collect::<Vec<_>>(),
        "verdict": verdict,
        "budgets": guarantee::document(&designed.guarantees),
        "completed_sha256": designed.input.sha256,
        "uncovered": [],
        "conflict": null,
    });
    format!("{document:#}\n")
}

pub(super) fn absence(
    absence: Absence,
    uncovered: &[(String, String)],
    conflict: Option<&Conflict>,
) -> String {
    let (result, steps) = match absence {
        Absence::Impossible { steps } => ("impossible", Some(steps)),
        Absence::NotFound { steps, .. } => ("none-found", Some(steps)),
        Absence::NothingRequired => ("nothing-required", None),
        Absence::TooMany => panic!("an error of the input"),
    };
    let document = json!({
        "format": "vorrang-design/1",
        "tool": TOOL,
        "result": result,
        "steps": steps,
        "best": null,
        "grows_percent": null,
        "none_grows_percent": null,
        "takes_percent": null,
        "least_percent": null,
        "within_percent": null,
        "values": [],
        "servers": [],
        "price": [],
        "verdict": null,
        "budgets": [],
        "completed_sha256": null,
        "uncovered": uncovered.iter().map(|(name, reason)| {
            json!({ "name": name, "reason": reason })
        }).collect::<Vec<_>>(),
        "conflict": conflict.map(|of| json!({
            "requirements": of.requirements,
            "irreducible": of.irreducible,
            "decided": of.decided,
            "helps": of.helps.iter().map(|(name, limit)| {
                json!({ "name": name, "limit_ns": limit.as_ns() })
            }).collect::<Vec<_>>(),
            "steps": of.steps,
        })),
    });
    format!("{document:#}\n")
}
