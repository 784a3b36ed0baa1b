//! One description with servers on two dispatched processors, changed while it runs: a budget on the one, a server added and one
//! removed on the other. No server loses a budget; what is not admitted, or moves a thread, is refused and changes nothing.
//!
//! The supply in each period is that of the kernel's own trace (`host_two.rs` says what the processors of the emulator share); the
//! instants of the change, one of each processor, are those which the program says.

use super::apply::{commands, differences, vorrang};
use super::faults::checks as of_faults;
use super::host_rows::{Cores, MS, TWO, changed, computing, file, row, sleeping};
use super::host_two::machine;
use super::{BOTH, Check, Scenario, host_rows};
use crate::evidence::Evidence;
use crate::image::File;
use vorrang_guest::{Plan, Step};

const BEFORE: Cores = TWO;
/// A budget is changed, a server added, one removed.
const AFTER: Cores = &[
    &[row("sensor", "periodic", 2, 10), row("control", "deferrable", 6, 20)],
    &[row("camera", "polling", 3, 10), row("logger", "polling", 2, 20)],
];
/// More than the first processor can supply in time.
const TOO_MUCH: Cores = &[
    &[row("sensor", "periodic", 6, 10), row("control", "deferrable", 7, 20)],
    &[row("camera", "polling", 3, 10), row("planner", "cbs-hard", 5, 20)],
];
/// A thread of the first processor is on the second one.
const MOVED: Cores = &[
    &[row("control", "deferrable", 4, 20)],
    &[
        row("camera", "polling", 3, 10),
        row("planner", "cbs-hard", 5, 20),
        row("sensor", "periodic", 2, 10),
    ],
];

const THREADS: [&str; 5] = ["sensor", "control", "camera", "planner", "logger"];
/// What is run, and the changes that are made for it.
const KEPT: [&str; 2] = ["/run/vorrang/host", "/run/vorrang/host.running"];

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "host-change-two",
        shows: "vorrang apply of another description for two processors, while one is run: no server loses a budget",
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

pub(super) fn killed() -> Scenario {
    Scenario {
        name: "host-change-two-killed",
        shows: "a run that takes the place of another one on two processors, killed before any call that changes something, leaves nothing that restore does not undo",
        // Of minutes.
        lines: &["7.2-rt"],
        plan: || host_rows::killed(sleeping(&THREADS, 2)),
        checks: of_faults,
        ..scenario()
    }
}

fn files() -> Vec<File> {
    let all = [
        ("/before.toml", BEFORE),
        ("/after.toml", AFTER),
        ("/too-much.toml", TOO_MUCH),
        ("/moved.toml", MOVED),
    ];
    all.iter().map(|(path, rows)| file(path, rows)).collect()
}

fn plan() -> Plan {
    let run = |arguments: &str| Step::Run { command: vorrang(arguments) };
    let look = || KEPT.map(|path| Step::Read { path: path.to_owned() });
    let mut steps = vec![
        computing(&THREADS, 2),
        Step::Sleep { time: 200 * MS },
        Step::RememberState,
        run("apply /before.toml --yes --look 0s"),
        Step::StartTrace { events: vec!["sched/sched_switch".to_owned()] },
    ];
    steps.extend(look());
    steps.extend([
        run("apply /too-much.toml --yes --look 0s"),
        run("apply /moved.toml --yes --look 0s"),
    ]);
    steps.extend(look());
    steps.extend([
        run("apply /after.toml --yes --look 0s"),
        Step::Sleep { time: 300 * MS },
        Step::EndTrace,
        run("apply /after.toml --yes --look 0s"),
        run("status --for 200ms"),
        Step::Read { path: "/run/vorrang/host.log".to_owned() },
        run("restore"),
        Step::CompareState,
    ]);
    Plan { steps }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let expected = [
        ("one is run", "apply /before.toml --yes --look 0s", 0, "ns of CLOCK_MONOTONIC on"),
        (
            "what is not admitted is refused",
            "apply /too-much.toml --yes --look 0s",
            3,
            "only what is proven is applied",
        ),
        (
            "a thread does not move",
            "apply /moved.toml --yes --look 0s",
            4,
            "server.sensor: its thread is run on processor 0",
        ),
        ("the change is made", "apply /after.toml --yes --look 0s", 0, "ns of CLOCK_MONOTONIC on"),
        ("it is made once", "apply /after.toml --yes --look 0s", 0, "it is run already"),
        ("status tells of the new one", "status --for 200ms", 0, "/after.toml: proven"),
        ("both are undone", "restore", 0, "changes are undone"),
    ];
    checks.extend(commands(evidence, &expected));
    checks.extend(differences(evidence));
    checks.extend(KEPT.map(|path| unchanged(path, evidence)));
    let log = evidence.texts("/run/vorrang/host.log").next().unwrap_or_default();
    let ends = || {
        log.lines().filter(|line| {
            line.contains("has taken its place") || line.contains("loans were ended")
        })
    };
    checks.push(Check::new(
        "the log says that one has taken the place of the other, and of no guard that ended loans",
        ends().collect::<Vec<_>>().join("; "),
        ends().count() == 1 && !log.contains("loans were ended"),
    ));
    checks.extend(changed(evidence, BEFORE, AFTER));
    checks
}

/// What is refused leaves it as it was.
fn unchanged(path: &str, evidence: &Evidence) -> Check {
    let texts: Vec<&str> = evidence.texts(path).collect();
    let holds =
        matches!(texts.as_slice(), [before, after] if before == after && !before.is_empty());
    let seen = if holds { "it does" } else { "it does not" };
    Check::new(format!("{path} says the same after what was refused"), seen, holds)
}
