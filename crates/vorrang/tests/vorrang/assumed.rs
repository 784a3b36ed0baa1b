//! What stands under *Assumed*, by name.

use crate::program::run;

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
