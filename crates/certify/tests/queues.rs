//! Certified bounds beside and in queues of refills, beside histories of the simulator.
//!
//! **Model.** The cores of `queued`. No response is longer than its certified bound. Errors that are planted in the rule are
//! noticed: a bound as if nothing were put off, as if all of a budget could be relied on, or as if one unit less were taken.

use crate::queued::{drawn, system};
use vorrang_certificate::{Certificate, Kind, Supply};
use vorrang_certify::{Search as Windows, of_task};
use vorrang_model::System;
use vorrang_sim::{Search, search};

const SYSTEMS: u64 = 60;

fn systems() -> u64 {
    let stated = std::env::var("VORRANG_SYSTEMS").ok().and_then(|text| text.parse().ok());
    stated.unwrap_or(SYSTEMS)
}

fn certified(system: &System) -> Vec<Option<Certificate>> {
    let mut windows = Windows::new(1_000_000);
    system.task_ids().map(|id| of_task(system, id, &mut windows).ok()).collect()
}

/// The longest response of each task in histories that were looked for.
fn seen(system: &System, seed: u64) -> Vec<Option<u64>> {
    let limits = Search { seed, runs: 40, climbs: 40, work: 60_000, ..Search::default() };
    let found = search(system, &limits);
    found.tasks.iter().map(|of| of.as_ref().map(|worst| worst.response.as_ns())).collect()
}

/// As if nothing were put off: a deferrable server of what is kept.
fn once(text: &str) -> String {
    let mut all: Vec<String> = Vec::new();
    for line in text.lines().filter(|of| !of.starts_with("refills")) {
        match (nanoseconds(line, "min-budget"), all.iter().rposition(|of| of.starts_with("budget")))
        {
            (Some(least), Some(place)) => {
                let full = nanoseconds(&all[place], "budget").expect("a budget");
                all[place] = format!("budget = \"{}ns\"", full - least + 1);
            }
            _ => all.push(line.replace("refill-queue", "deferrable")),
        }
    }
    all.join("\n")
}

/// As if no unit were left behind.
fn whole(text: &str) -> String {
    let lines: Vec<_> = text.lines().filter(|of| !of.starts_with("min-")).collect();
    lines.join("\n")
}

/// As if a unit less were taken.
fn less(text: &str) -> String {
    let text = whole(text);
    let own = text.lines().map(|line| match nanoseconds(line, "budget") {
        Some(budget) => format!("budget = \"{}ns\"", (budget - 1).max(1)),
        None => line.to_owned(),
    });
    own.collect::<Vec<_>>().join("\n")
}

fn nanoseconds(line: &str, key: &str) -> Option<u64> {
    let value = line.strip_prefix(key)?.strip_prefix(" = \"")?;
    value.strip_suffix("ns\"")?.parse().ok()
}

fn is_in_queue(of: &Certificate) -> bool {
    matches!(&of.on, Supply::Server(on) if matches!(on.kind, Kind::Refills { .. }))
}

#[test]
fn no_history_exceeds_a_certified_bound_beside_or_in_a_queue() {
    // Beside, inside.
    let (mut compared, mut nearest) = ([0_u32; 2], [0; 2]);
    let mut planted = [0_u32; 3];
    for seed in 0..systems() {
        let text = drawn(seed);
        let system = system(&text);
        let longest = seen(&system, seed);
        for (found, response) in certified(&system).iter().zip(&longest) {
            let (Some(found), &Some(response)) = (found, response) else { continue };
            let kind = usize::from(is_in_queue(found));
            compared[kind] += 1;
            assert!(response <= found.bound, "{seed}: {response} > {}: {text}", found.bound);
            nearest[kind] = nearest[kind].max(response * 100 / found.bound);
        }
        for (which, wrong) in [once(&text), whole(&text), less(&text)].iter().enumerate() {
            for (found, response) in certified(&crate::queued::system(wrong)).iter().zip(&longest) {
                let (Some(found), &Some(response)) = (found, response) else { continue };
                planted[which] += u32::from(response > found.bound);
            }
        }
    }
    println!("{compared:?}, {nearest:?}, {planted:?}");
    assert!(compared.iter().all(|&count| count > 50), "{compared:?}");
    assert!(nearest.iter().all(|&percent| percent > 70), "{nearest:?} of {compared:?}");
    assert!(planted.iter().all(|&count| count > 3), "{planted:?}");
}
