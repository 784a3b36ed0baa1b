//! Chains in the histories that `simulate` shows.

use crate::program::{Run, run};
use crate::strict::violations;
use serde_json::Value;

const SCHEMA: &str = include_str!("../../../../docs/vorrang-simulate.schema.json");
const EXAMPLE: &str = "examples/chain.toml";

fn simulated(more: &[&str]) -> (Value, i32) {
    let Run { out, err, code } = run(&[&["simulate", EXAMPLE, "--json"], more].concat());
    assert_eq!(violations(SCHEMA, &out), [""; 0], "{err}");
    (serde_json::from_str(&out).unwrap(), code)
}

/// The line that `check` prints shows what it found.
#[test]
fn the_history_that_refutes_a_chain_shows_it() {
    let checked: Value = serde_json::from_str(&run(&["check", EXAMPLE, "--json"]).out).unwrap();
    let chains = checked["chains"].as_array().expect("there are some");
    let refuted: Vec<&Value> =
        chains.iter().filter(|chain| chain["verdict"] == "refuted").collect();
    let [chain] = refuted[..] else { panic!("{chains:?}") };
    let pattern = chain["witness"]["pattern"].as_str().expect("a history");
    let (shown, code) = simulated(&["--core", "core.0", "--witness", pattern]);
    assert_eq!((code, &shown["missed"]), (1, &true.into()));
    let same = |row: &&Value| row["name"] == chain["name"] && row["time"] == chain["requires"];
    let row = shown["chains"].as_array().unwrap().iter().find(same).expect("it has a row");
    assert!(row["longest_ns"].as_u64() >= chain["observed_ns"].as_u64(), "{row} {chain}");
    let (miss, way) = (&row["first_miss"], &row["first_miss"]["way"]);
    let ns = |value: &Value| value.as_u64().expect("nanoseconds");
    assert!(ns(&miss["until_ns"]) - ns(&miss["from_ns"]) > ns(&row["limit_ns"]));
    assert_eq!(way[0]["read_ns"], miss["from_ns"]);
    let text = run(&["simulate", EXAMPLE, "--core", "core.0", "--witness", pattern]).out;
    let from = ns(&miss["from_ns"]);
    let at = format!("counts from {}.{:06}ms", from / 1_000_000, from % 1_000_000);
    assert!(text.replace("\n  ", " ").contains(&at), "{at}: {text}");
}

/// The other cores of a chain are simulated for it.
#[test]
fn one_core_shows_its_chains_over_all_cores() {
    let (all, _) = simulated(&["--for", "1s", "--seed", "3"]);
    let (one, code) = simulated(&["--for", "1s", "--seed", "3", "--core", "core.1"]);
    let of = |shown: &Value, name: &str| -> Vec<Value> {
        let rows = shown["chains"].as_array().unwrap().iter();
        rows.filter(|row| row["name"] == name).cloned().collect()
    };
    assert_eq!(one["cores"].as_array().map(Vec::len), Some(1));
    assert_eq!(of(&one, "chain.brake"), of(&all, "chain.brake"));
    assert!(of(&all, "chain.brake").iter().all(|row| row["values"].as_u64() > Some(10)));
    // The other chain, which is too slow, has no task there.
    assert_eq!((of(&one, "chain.estimate"), code), (Vec::new(), 0));
}
