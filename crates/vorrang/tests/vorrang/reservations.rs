//! Reservations on cores as people have them: beside interrupts, and switches that cost.

use crate::program::{command, fed, root, run};

/// Every one of these is proven, whatever interrupts are charged to.
#[test]
fn cores_with_interrupts_and_switches_are_proven() {
    for name in
        ["reservation-beside-an-interrupt", "irq-thread-in-a-reservation", "fifo-and-switches"]
    {
        let file = format!("crates/vorrang/tests/systems/{name}.toml");
        let checked = run(&["check", &file]);
        assert_eq!(checked.code, 0, "{name}\n{}{}", checked.out, checked.err);
    }
}

/// 970 ms of `SCHED_FIFO` every second leave 30 ms for `SCHED_OTHER`, for which Linux keeps 50: the jobs
/// are late, and later each time. Where that is turned off they respond in time.
#[test]
fn what_linux_keeps_for_sched_other_comes_before_sched_fifo() {
    let file = "crates/vorrang/tests/systems/fifo-beside-the-fair-server.toml";
    let checked = run(&["check", file]);
    assert_eq!(checked.code, 1, "{}{}", checked.out, checked.err);
    assert!(checked.out.contains("core.0/fair-server"), "{}", checked.out);
    let text = std::fs::read_to_string(root().join(file)).expect("a description");
    let off = text.replace("\"linux\"", "\"linux\"\nfair-server = \"none\"");
    let checked = fed(command(&["check", "-"]), &off);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
}

/// 500 ms wait for one budget, and for what was kept of another: a twentieth of the time until then.
#[test]
fn what_linux_keeps_for_sched_other_has_a_bound() {
    let file = "crates/vorrang/tests/systems/fifo-beside-the-fair-server.toml";
    let text = std::fs::read_to_string(root().join(file)).expect("a description");
    let checked = fed(command(&["check", "-", "--json"]), &text.replace("970ms", "500ms"));
    let found: serde_json::Value = serde_json::from_str(&checked.out).expect("JSON");
    let requirement = &found["requirements"][0];
    assert_eq!(requirement["verdict"], "proven");
    assert_eq!(requirement["bound_ns"], 550_000_000_u64 * 20 / 19, "{requirement}");
    assert_eq!(requirement["observed_ns"], 550_000_000, "{requirement}");
}

/// What reclaims follows the rule of a kernel: a history that is too long refutes. Where more is reserved than there
/// is, kernels do something else, and it does not.
#[test]
fn a_history_with_a_server_that_reclaims_refutes() {
    let file = "crates/vorrang/tests/systems/reclaims-too-little.toml";
    let checked = run(&["check", file]);
    assert_eq!(checked.code, 1, "{}{}", checked.out, checked.err);
    assert!(checked.out.contains("--witness synchronous"), "{}", checked.out);
    let text = std::fs::read_to_string(root().join(file)).expect("a description");
    let more = fed(command(&["check", "-"]), &text.replace("\"6ms\"", "\"7ms\""));
    assert_eq!(more.code, 3, "{}{}", more.out, more.err);
    assert!(more.out.contains("[U0202]"), "{}", more.out);
}
