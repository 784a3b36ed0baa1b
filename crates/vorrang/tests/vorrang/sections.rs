//! Sections of less urgent work: whom they delay, and for how long.

use crate::program::run;

/// The row of a requirement that is not kept.
fn refuted(file: &str, requirement: &str) -> Vec<String> {
    row(file, requirement, 1)
}

/// The row of a requirement, where `check` ends with `code`.
fn row(file: &str, requirement: &str, code: i32) -> Vec<String> {
    let run = run(&["check", &format!("crates/vorrang/tests/systems/{file}.toml")]);
    assert_eq!(run.code, code, "{}\n{}", run.out, run.err);
    let row = run.out.lines().find(|line| line.starts_with(requirement));
    row.expect("a row for each").split_whitespace().map(str::to_owned).collect()
}

#[test]
fn a_section_delays_what_is_between_those_that_share_a_lock() {
    let row = refuted("server-between-users-of-a-lock", "task.g");
    assert_eq!(row[..5], ["task.g", "16", "19.999", "19.999", "refuted"]);
}

#[test]
fn a_section_runs_in_the_cold_cache_of_its_owner() {
    let row = refuted("section-with-a-cold-cache", "task.t");
    assert_eq!(row[..5], ["task.t", "8", "9", "9.000", "refuted"]);
}

#[test]
fn a_pseudo_vcpu_waits_for_one_section_however_often_its_virtual_processor_is_held_up() {
    let row = row("section-before-a-pseudo-vcpu", "require.handled", 0);
    assert_eq!(row[..3], ["require.handled", "78", "78"]);
    assert_eq!(row[4], "proven");
}
