//! A run that takes the place of another one on two processors, killed after one of them has given way and before the other has: the run
//! before goes on, on both.
//!
//! ```text
//!   processor 0   before ── gives way ─ after ────── killed ─ before
//!   processor 1   before ───────────────────────────────────────────   slots, which change together every 4.9 s only
//! ```

use super::apply::{commands, differences};
use super::host_kinds::words;
use super::host_rows::{Cores, MS, computing, description, file, row, traced};
use super::host_two::machine;
use super::{BOTH, Check, Scenario, apply, busybox};
use crate::evidence::Evidence;
use crate::image::File;
use vorrang_guest::{Plan, Step};

const BEFORE: Cores =
    &[&[row("sensor", "periodic", 2, 10), row("control", "deferrable", 4, 20)], &[]];
/// More for the second one.
const AFTER: Cores =
    &[&[row("sensor", "periodic", 2, 10), row("control", "deferrable", 6, 20)], &[]];
/// They begin together every 4.9 s.
const SLOTS: &str = "[server.first]\non = \"core.1\"\nserver = \"slot\"\nbudget = \"1ms\"\nperiod = \"98ms\"\noffset = \"0ms\"\n\
                     thread = \"process:load/first\"\n\
                     [server.second]\non = \"core.1\"\nserver = \"slot\"\nbudget = \"1ms\"\nperiod = \"100ms\"\noffset = \"1ms\"\n\
                     thread = \"process:load/second\"\n";
/// What the second processor is described as otherwise.
const BY_DEADLINE: &str = "scheduler = \"edf\"";
const BY_TIME: &str = "scheduler = \"slots\"";

const RUNNING: &str = "/run/vorrang/host.running";
/// From the announcement to a time when the first processor has given way.
const PREPARED: u64 = 500 * MS;
/// What is looked at before that time, and at the end.
const LOOKED_AT: u64 = 200 * MS;
/// A period may be cut, and parked threads have a millisecond, by the tick of 4.
const ABOUT: u64 = 8 * MS;
/// Since the process was killed.
const LEFT: u64 = 400 * MS;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "host-change-half",
        shows: "a run that takes the place of another one, killed after one of two processors has given way: the run before goes on, on both",
        lines: BOTH,
        in_ci: &[],
        machine: machine(),
        modules: &[],
        programs: &["vorrang", "vorrang-host"],
        files,
        of_kernel: None,
        plan,
        checks,
    }
}

fn files() -> Vec<File> {
    let with_slots = |path, rows: Cores| {
        let text = description(rows).replace(BY_DEADLINE, BY_TIME) + SLOTS;
        File { bytes: text.into_bytes(), ..file(path, rows) }
    };
    let all = [with_slots("/before.toml", BEFORE), with_slots("/after.toml", AFTER)];
    all.into_iter().chain(busybox()).collect()
}

fn plan() -> Plan {
    let run = |arguments: &str| Step::Run { command: apply::vorrang(arguments) };
    let number = r#"busybox sed 's/.*"successor":\[{"number":\([0-9]*\).*/\1/'"#;
    let kill = format!("kill -9 $({number} {RUNNING})");
    Plan {
        steps: vec![
            computing(&["sensor", "control", "first", "second"], 2),
            Step::Sleep { time: 200 * MS },
            Step::RememberState,
            run("apply /before.toml --yes --look 0s"),
            Step::Start { command: words("/bin/vorrang-host run /after.toml --yes") },
            Step::Await {
                path: RUNNING.to_owned(),
                text: "\"successor\":[{".to_owned(),
                limit: 60_000 * MS,
            },
            Step::Sleep { time: PREPARED },
            Step::StartTrace { events: vec!["sched/sched_switch".to_owned()] },
            Step::Sleep { time: LOOKED_AT },
            Step::Run { command: ["/bin/busybox", "sh", "-c", &kill].map(str::to_owned).into() },
            Step::Sleep { time: LEFT },
            Step::EndTrace,
            run("status --for 200ms"),
            run("restore"),
            Step::CompareState,
        ],
    }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let expected = [
        ("one is run", "apply /before.toml --yes --look 0s", 0, "ns of CLOCK_MONOTONIC on"),
        ("it goes on", "status --for 200ms", 0, "/before.toml: proven"),
        ("both are undone", "restore", 0, "changes are undone"),
    ];
    checks.extend(commands(evidence, &expected));
    checks.extend(differences(evidence));
    let (first, last) = traced(evidence);
    let lately = last.saturating_sub(LOOKED_AT);
    let mut received = |what: &str, name: &str, begin: u64, every_ms: (u64, u64)| {
        let (budget, period) = every_ms;
        let (given, expected) = (
            evidence.schedule.received(name, begin, begin + LOOKED_AT),
            LOOKED_AT * budget / period,
        );
        let holds = given.abs_diff(expected) <= ABOUT;
        let seen = format!("{given} ns of {expected} ns in {} ms", LOOKED_AT / MS);
        checks.push(Check::new(format!("{name}: its budgets {what}"), seen, holds));
    };
    received("by the new description, of processor 0 alone", "control", first, (6, 20));
    received("by the one before, after the kill", "control", lately, (4, 20));
    received("by the one before, after the kill", "sensor", lately, (2, 10));
    checks
}
