//! What is said would help does, and where nothing was found the largest terms of the bound are said instead.

use crate::program::{root, run};
use std::io::Write as _;

/// The path of a system, from the root.
fn path(file: &str) -> String {
    format!("crates/vorrang/tests/systems/{file}")
}

/// What is said of a system, up to the methods.
fn said(file: &str, code: i32) -> String {
    let run = run(&["check", &path(file)]);
    assert_eq!(run.code, code, "{}", run.err);
    run.out.split_once("\nBy:").expect("methods").0.to_owned()
}

/// The exit code for a system with another text.
fn with(file: &str, now: &str, then: &str) -> i32 {
    let text = std::fs::read_to_string(root().join(path(file))).expect("the system");
    assert_eq!(text.matches(now).count(), 1, "{now}");
    let mut changed = tempfile::Builder::new().suffix(".toml").tempfile().expect("a file");
    changed.write_all(text.replace(now, then).as_bytes()).expect("room");
    run(&["check", &changed.path().display().to_string()]).code
}

/// The server of the kernel is named, and leaving it out was tried.
#[test]
fn a_task_below_the_fair_server_is_told_so() {
    let file = "task-beside-the-fair-server.toml";
    insta::assert_snapshot!(file, said(file, 1));
    assert_eq!(
        with(file, "scheduler = \"linux\"", "scheduler = \"linux\"\nfair-server = \"none\""),
        0
    );
}

/// Neither less nor more of a budget helps: what is wanted is said with its calls of the scheduler.
#[test]
fn calls_that_leave_too_little_are_counted() {
    let file = "calls-beside-a-reservation.toml";
    insta::assert_snapshot!(file, said(file, 3));
    for budget in ["350us", "450us"] {
        assert_eq!(
            with(file, "budget = \"400us\"", &format!("budget = {budget:?}")),
            3,
            "{budget}"
        );
    }
}

/// The priority is the highest, and no budget helps.
#[test]
fn the_highest_priority_is_not_told_to_be_higher() {
    let file = "highest-priority-in-a-reservation.toml";
    insta::assert_snapshot!(file, said(file, 3));
    for budget in ["700us", "900us"] {
        assert_eq!(
            with(file, "budget = \"600us\"", &format!("budget = {budget:?}")),
            3,
            "{budget}"
        );
    }
}

/// The credit has to pay for two own routines and one of the other interrupt: no longer limit is asked for.
#[test]
fn a_credit_that_is_too_small_for_the_other_interrupt_is_named() {
    let file = "one-credit-of-two-interrupts.toml";
    insta::assert_snapshot!(file, said(file, 3));
    let run = run(&["check", &path(file), "--json"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let required = document["requirements"].as_array().expect("an array");
    let of = |name: &str| required.iter().find(|own| own["name"] == name).expect("it is there");
    let change = &of("require.paid")["change"];
    assert_eq!(change["parameter"], "pseudo-vcpu-budget");
    let to = change["to"]["ns"].as_u64().expect("a time");
    assert!(to <= 88_000, "twice 40 us and once 8 us suffice: {to}");
    assert_eq!(with(file, "budget = \"48us\"", &format!("budget = \"{to}ns\"")), 0);
}

/// A kind of server that has a bound was tried in the place of one that has none.
#[test]
fn a_kind_that_is_covered_is_tried() {
    let file = "two-tasks-in-a-soft-server.toml";
    let said = said(file, 3);
    let help = "help: would be proven with server = \"cbs-hard\" for each soft one";
    assert_eq!(said.matches(help).count(), 2, "{said}");
    assert_eq!(with(file, "\"cbs-soft\"", "\"cbs-hard\""), 0);
    // With too short a deadline, and a budget that may be used up, that was tried, too, and does not do.
    let text = std::fs::read_to_string(root().join(path(file))).expect("the system");
    let text = text.replace("period = \"40ms\"", "period = \"40ms\"\ndeadline = \"2ms\"");
    let text = text.replace("budget = \"4ms\"", "budget = \"1900us\"");
    let mut changed = tempfile::Builder::new().suffix(".toml").tempfile().expect("a file");
    changed.write_all(text.as_bytes()).expect("room");
    let said = run(&["check", &changed.path().display().to_string()]).out;
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let help = "with server = \"cbs-hard\" for each soft one it is covered, and not proven either";
    assert_eq!(said.matches(help).count(), 1, "{said}");
}

/// A budget of its whole period limits nothing, and promises what more urgent threads take: a priority alone does not.
#[test]
fn a_budget_that_limits_nothing_is_left_out() {
    let file = "virtual-processor-of-a-whole-core.toml";
    let said = said(file, 3);
    let help = "help: would be proven with server = \"none\" for each whose budget is its period";
    assert_eq!(said.matches(help).count(), 2, "{said}");
    let now = "server = \"periodic\"\nbudget = \"1ms\"\nperiod = \"1ms\"\npriority = 1\n";
    assert_eq!(with(file, now, "server = \"none\"\npriority = 1\n"), 0);
}
