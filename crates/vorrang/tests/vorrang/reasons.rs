//! Why something is undecided, and what would help.

use crate::program::run;

/// The output on one of the systems of this folder, in one line.
fn check(file: &str, code: i32) -> String {
    let run = run(&["check", &format!("crates/vorrang/tests/systems/{file}")]);
    assert_eq!(run.code, code, "{}", run.err);
    run.out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn an_overload_is_said_with_its_cause() {
    let said = check("more-than-a-core-reserved.toml", 3);
    let cause = "110 % of core.0 is reserved (server.a 60 %, server.b 50 %), so that server.a is not \
                 guaranteed its budget in each period of 10ms";
    assert!(said.contains(cause), "{said}");
}
