//! What stands under *Assumed*, by name.

use crate::program::run;

/// A task with a deadline and an interrupt that is handled by it: both are promised for arrivals without a
/// storm only, and said to be.
#[test]
fn a_handler_is_proven_for_arrivals_without_a_storm() {
    let text = run(&["check", "crates/vorrang/tests/systems/handler-in-a-storm.toml"]);
    assert_eq!(text.code, 0, "{}", text.err);
    let flat = text.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, assumed) = flat.split_once("Assumed:").expect("what is assumed");
    let sentence = "interrupt.net does not storm: its bound and that of task.handler hold for arrivals \
                    at least 100us apart; under its storm (20us) neither is claimed";
    assert!(assumed.contains(sentence), "{flat}");
}

/// The sentence about the storm of an interrupt, in text and in JSON: of its own requirement and that
/// of its task, and of no other.
#[test]
fn an_interrupt_s_own_storm_is_assumed_away_by_name() {
    let file = "crates/vorrang/tests/systems/storm-of-its-own.toml";
    let text = run(&["check", file]);
    assert_eq!(text.code, 0, "{}", text.err);
    let flat = text.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = "interrupt.eth0 does not storm: its bound and that of task.irq hold for arrivals at \
                    least 50us apart; under its storm (10us) neither is claimed";
    assert!(flat.contains(sentence), "{flat}");

    let document = run(&["check", file, "--json"]).out;
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let assumptions = document["requirements"][0]["assumptions"].as_array().unwrap();
    assert!(assumptions.iter().any(|said| said == sentence), "{assumptions:?}");
}

/// The timers of budgets cost as much as any other where that is stated; no bound counts them yet.
#[test]
fn the_timers_of_budgets_are_assumed_to_cost_nothing() {
    let text = run(&["check", "crates/vorrang/tests/systems/budgets-by-timers.toml"]);
    let flat = text.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = "the kernel's timers by which budgets return and end (two in a period of a server) take \
                    no time besides calls and switches, or are described as interrupts";
    assert!(flat.contains(sentence), "{flat}");
    // Nothing is stated about what they cost.
    let without =
        run(&["check", "crates/vorrang/tests/systems/reservation-beside-an-interrupt.toml"]);
    assert!(!without.out.contains("by which budgets return"), "{}", without.out);
}
