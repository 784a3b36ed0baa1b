//! Throttling of real-time threads, and what follows from the release of a kernel.

use crate::program::{command, fed, root, run};

const FILE: &str = "crates/vorrang/tests/systems/a-second-of-work.toml";
const NOT_THROTTLED: &str = "are not throttled";

fn text() -> String {
    std::fs::read_to_string(root().join(FILE)).expect("a description")
}

/// The first requirement of a description, and all assumptions.
fn checked(text: &str) -> (serde_json::Value, String) {
    let checked = fed(command(&["check", "-", "--json"]), text);
    let found: serde_json::Value = serde_json::from_str(&checked.out).expect("JSON");
    (found["requirements"][0].clone(), checked.out)
}

/// Text without the ends of its lines.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn with(line: &str) -> String {
    text().replace("fair-server = \"none\"", line)
}

/// Where nothing is said of throttling, a proof names it: only if more than 95 % of a second may be used.
#[test]
fn a_proof_of_a_second_of_work_names_throttling() {
    let checked = run(&["check", FILE]);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    assert!(flat(&checked.out).contains(NOT_THROTTLED), "{}", checked.out);
    let less = fed(command(&["check", "-"]), &text().replace("960ms", "940ms"));
    assert!(less.code == 0 && !flat(&less.out).contains(NOT_THROTTLED), "{}", less.out);
    let applied = text()
        .replace("\"linux\"", "\"fixed-priority\"\ncpu = 1")
        .replace("fair-server = \"none\"\n", "");
    let applied = fed(command(&["check", "-"]), &applied);
    assert!(applied.code == 0 && flat(&applied.out).contains(NOT_THROTTLED), "{}", applied.out);
}

/// By hand: 950 ms, a wait of 50 ms, the last 10 ms.
#[test]
fn a_second_of_work_is_throttled() {
    let throttled =
        "fair-server = \"none\"\nrt-throttling = { budget = \"950ms\", period = \"1s\" }";
    for line in [throttled, "kernel-release = \"5.10\"", "kernel-release = \"6.6\""] {
        let (requirement, _) = checked(&with(line));
        assert_eq!(requirement["verdict"], "refuted", "{line}");
        let observed = requirement["observed_ns"].as_u64().expect("a number");
        let bound = requirement["bound_ns"].as_u64().expect("a number");
        assert!(observed >= 1_010_000_000 && bound == 1_060_000_000, "{line}: {requirement}");
    }
}

/// From 6.12 on nothing is throttled, and there is a server of `SCHED_OTHER`.
#[test]
fn what_is_kept_follows_from_the_release() {
    for line in ["rt-throttling = \"none\"", "kernel-release = \"6.12\""] {
        let (requirement, all) = checked(&with(&format!("fair-server = \"none\"\n{line}")));
        assert_eq!(requirement["verdict"], "proven", "{line}");
        assert!(!all.contains(NOT_THROTTLED), "{line}");
    }
    let (new, _) = checked(&with("kernel-release = \"7.0\""));
    assert_eq!(new["verdict"], "refuted", "50 ms of SCHED_OTHER come first");
    let ext = "fair-server = \"none\"\next-server = { budget = \"50ms\", period = \"1s\" }";
    let (ext, _) = checked(&with(ext));
    assert_eq!(ext["verdict"], "refuted", "50 ms of sched_ext come first");
}

/// Beside reservations, which are not throttled and count; they keep their own bounds.
#[test]
fn reservations_are_not_throttled() {
    let beside = "
[server.reserved]
on = \"core.0\"
server = \"sched-deadline\"
budget = \"1ms\"
period = \"10ms\"
[task.inside]
on = \"server.reserved\"
wcet = \"1ms\"
period = \"20ms\"
";
    let text = with("kernel-release = \"6.1\"").replace("960ms", "900ms") + beside;
    let text = text.replace("deadline = \"1s\"", "deadline = \"2s\"");
    let checked = fed(command(&["check", "-"]), &text);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    assert!(flat(&checked.out).contains("throttling of core.0 begins at most"), "{}", checked.out);
    let large = text.replace("\"1ms\"\nperiod = \"10ms\"", "\"9ms\"\nperiod = \"10ms\"");
    let large = fed(command(&["check", "-"]), &large);
    assert!(large.out.contains("U0327"), "{}", large.out);
    let costs = text + "[costs]\nscheduler-call = \"1us\"\n";
    let costs = fed(command(&["check", "-"]), &costs);
    assert!(costs.out.contains("U0326"), "{}", costs.out);
}

/// A shipped profile is an emulator's, which is said once, and under *Assumed*.
#[test]
fn a_shipped_profile_is_said_to_be_of_another_machine() {
    let two = "
[core.1]
scheduler = \"linux\"
kernel = \"7.2-rt\"
";
    let text = text().replace("960ms", "10ms") + two;
    let text = text.replace("fair-server = \"none\"", "kernel = \"7.2-rt\"");
    let checked = fed(command(&["check", "-"]), &text);
    assert_eq!(checked.err.matches("W0010").count(), 1, "{}", checked.err);
    assert!(flat(&checked.out).contains("they are from an emulator"), "{}", checked.out);
}

/// A virtual processor that computes all the time on Linux 5.15, and a more urgent thread: the core idles for 50 ms of a
/// second. The change that helps is the one that users make.
#[test]
fn throttling_is_the_term_and_leaving_it_out_the_advice() {
    let run = run(&["check", "crates/vorrang/tests/systems/a-processor-throttled.toml"]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(
        run.out.contains("largest terms: throttling of real-time threads 50000us"),
        "{}",
        run.out
    );
    let advice = "would be proven with rt-throttling = \"none\" of core.0";
    assert!(run.out.contains(advice), "{}", run.out);
}
