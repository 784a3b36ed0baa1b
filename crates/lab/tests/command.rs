//! The program itself, as far as it needs no kernel.

use std::process::{Command, Output};
use vorrang_lab::scenario;

fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vorrang-lab")).args(arguments).output().unwrap()
}

#[test]
fn every_scenario_is_listed() {
    let listed = String::from_utf8(lab(&["list"]).stdout).unwrap();
    let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
    let names: Vec<_> = listed.lines().filter_map(first).collect();
    let all: Vec<_> = scenario::all().iter().map(|scenario| scenario.name.clone()).collect();
    assert_eq!(names, all);
}

#[test]
fn what_does_not_exist_is_an_error_that_says_what_does() {
    for (arguments, hint) in [
        (["run", "nothing", "--jobs=1"], "`vorrang-lab list` shows all"),
        (["run", "boot", "--kernel=2.4"], "it is one of"),
    ] {
        let Output { status, stderr, .. } = lab(&arguments);
        let said = String::from_utf8(stderr).unwrap();
        assert_eq!(status.code(), Some(2), "{said}");
        assert!(said.contains(hint), "{said}");
    }
}
