//! More orders and kinds than can be looked at: one design, made better step by step.

use std::fmt::Write as _;
use vorrang_design::{Answer, Design, Limits, Optimality, accepts, design};
use vorrang_model::{Format, read_open};

const SERVERS: u64 = 8;

/// Servers of one task each on one core.
fn system(costs: &str, kinds: &str) -> String {
    let mut text = format!("version = 1\n{costs}[core.0]\nscheduler = \"fixed-priority\"\n");
    for server in 0..SERVERS {
        let (work, period) = (350 + 40 * (server * 3 % 8), 5 + 3 * (server * 5 % 8));
        writeln!(
            text,
            "[server.s{server}]\non = \"core.0\"\nserver = {kinds}\nbudget = \"?\"\nperiod = \"?\"\n\
             priority = \"?\"\n[task.t{server}]\non = \"server.s{server}\"\nwcet = \"{work}us\"\n\
             period = \"{period}ms\""
        )
        .unwrap();
    }
    text
}

fn designed(text: &str, steps: u64) -> Option<Design> {
    let mut open = read_open(text, Format::Toml, |_| Err("none".into()))
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    match design(&mut open, Limits::of(steps)) {
        Answer::Design(found) => Some(*found),
        Answer::Absent(_) => None,
    }
}

const SWITCHING: &str = "[costs]\ncontext-switch = \"2us\"\nscheduler-call = \"1us\"\n";

#[test]
fn what_is_found_first_is_made_better() {
    let text = system(SWITCHING, "[\"deferrable\", \"sporadic\"]");
    let [early, late] = [1_500, 10_000].map(|steps| designed(&text, steps).expect("there is room"));
    assert!(accepts(&early.system) && accepts(&late.system));
    assert!(late.least <= late.cost && late.cost < early.cost);
    let [late, least] = [late.cost, late.least].map(|cost| cost.share().hundredths_floor());
    assert!(late * 4 <= least * 5, "{late} of {least} at least");
}

/// Timers make one kind dearer than the other; the bound counts what either takes.
#[test]
fn a_bound_counts_every_kind() {
    let costs =
        "[costs]\ninterrupt-entry = \"5us\"\ninterrupt-exit = \"5us\"\ntimer-expiry = \"10us\"\n";
    let of = |kinds| designed(&system(costs, kinds), 10_000);
    let both = [of("[\"deferrable\", \"sporadic\"]"), of("[\"sporadic\", \"deferrable\"]")];
    let one = [of("\"deferrable\""), of("\"sporadic\"")];
    let least_of_one = one.iter().flatten().map(|found| found.cost).min().expect("one does");
    for found in both {
        let found = found.expect("one kind does");
        assert!(found.least <= least_of_one, "{:?} {least_of_one:?}", found.least);
        assert!(found.cost <= least_of_one, "{:?} {least_of_one:?}", found.cost);
        assert_eq!(found.optimality(), Optimality::Within);
    }
}
