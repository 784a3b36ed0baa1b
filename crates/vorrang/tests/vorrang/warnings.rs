//! Warnings of what is probably not meant: on standard error and in JSON, and they decide nothing.

use crate::program::run;

const FILE: &str = "crates/vorrang/tests/systems/probably-not-meant.toml";
const CODES: [&str; 5] = ["W0001", "W0002", "W0003", "W0004", "W0005"];

/// The codes on standard error, in the order of their names.
fn warned(arguments: &[&str]) -> (i32, Vec<String>) {
    let run = run(&[&["check", FILE, "--runs", "1"], arguments].concat());
    let titles =
        run.err.lines().filter_map(|line| line.strip_prefix("warning[")?.split(']').next());
    let mut codes: Vec<String> = titles.map(str::to_owned).collect();
    codes.sort();
    (run.code, codes)
}

#[test]
fn each_is_said_once_and_decides_nothing() {
    let (code, codes) = warned(&[]);
    assert_eq!(codes, CODES);
    let allow = CODES.iter().flat_map(|code| ["--allow", code]).collect::<Vec<_>>();
    assert_eq!(warned(&allow), (code, Vec::new()));
    assert_eq!(warned(&["--allow", "w0003"]).1.len(), 4);
    assert_eq!(run(&["check", FILE, "--allow", "E0101"]).code, 2);
}

#[test]
fn programs_are_told_the_place() {
    let run = run(&["check", FILE, "--json", "--runs", "1"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let warnings = document["warnings"].as_array().expect("an array");
    let empty = warnings.iter().find(|warning| warning["code"] == "W0002").expect("W0002");
    assert_eq!(
        (empty["line"].as_u64(), empty["message"].as_str()),
        (Some(4), Some("vcpu.empty has no tasks"))
    );
}

#[test]
fn every_verb_that_reads_a_description_warns() {
    for verb in ["simulate", "export"] {
        let more: &[&str] = if verb == "export" { &["--as", "chrt"] } else { &["--for", "1ms"] };
        let said = run(&[&[verb, FILE][..], more].concat()).err;
        assert_eq!(said.matches("warning[W0003]").count(), 1, "{verb}: {said}");
    }
}
