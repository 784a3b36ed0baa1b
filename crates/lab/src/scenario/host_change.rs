//! `vorrang apply` again, with another description, while `vorrang-host` runs one: no server loses a budget, threads that are
//! new are run from then on, and those that are not run any more are as they were.
//!
//! On one processor under counted time. The supply in each period is that of the kernel's own trace; the instant of the
//! change is that which the program says.

use super::apply::{commands, differences, vorrang};
use super::faults::checks as of_faults;
use super::host_rows::{Cores, MS, changed, computing, file, row, sleeping};
use super::{BOTH, Check, Scenario, host_rows, shown};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::image::File;
use vorrang_guest::{Plan, Step};

const BEFORE: Cores = &[&[
    row("sensor", "periodic", 2, 10),
    row("control", "deferrable", 4, 20),
    row("logger", "polling", 2, 40),
]];
const AFTER: Cores = &[&[
    row("sensor", "periodic", 2, 10),
    row("control", "deferrable", 6, 20),
    row("camera", "polling", 3, 20),
]];
const THREADS: [&str; 4] = ["sensor", "control", "logger", "camera"];

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "host-change",
        shows: "vorrang apply of another description, while one is run: no server loses a budget",
        lines: BOTH,
        in_ci: &["7.2-rt"],
        machine: Machine::default(),
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
        name: "host-change-killed",
        shows: "a run that takes the place of another one, killed before any call that changes something, leaves nothing that restore does not undo",
        in_ci: &[],
        plan: || host_rows::killed(sleeping(&THREADS, 1)),
        checks: of_faults,
        ..scenario()
    }
}

fn files() -> Vec<File> {
    vec![file("/before.toml", BEFORE), file("/after.toml", AFTER)]
}

fn plan() -> Plan {
    let run = |arguments: &str| Step::Run { command: vorrang(arguments) };
    Plan {
        steps: vec![
            computing(&THREADS, 1),
            Step::Sleep { time: 200 * MS },
            Step::RememberState,
            run("apply /before.toml --yes --look 0s"),
            run("apply /after.toml"),
            Step::StartTrace { events: vec!["sched/sched_switch".to_owned()] },
            Step::Sleep { time: 100 * MS },
            run("apply /after.toml --yes --look 0s"),
            Step::Sleep { time: 300 * MS },
            Step::EndTrace,
            run("apply /after.toml --yes --look 0s"),
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
        ("the change is shown", "apply /after.toml", 0, "server.logger: not run any more"),
        ("it is made", "apply /after.toml --yes --look 0s", 0, "ns of CLOCK_MONOTONIC on"),
        ("it is made once", "apply /after.toml --yes --look 0s", 0, "it is run already"),
        ("status tells of the new one", "status --for 200ms", 0, "/after.toml: proven"),
        ("both are undone", "restore", 0, "changes are undone"),
    ];
    checks.extend(commands(evidence, &expected));
    checks.extend(differences(evidence));
    let sessions = ["apply /after.toml", "apply /after.toml --yes --look 0s"];
    checks.extend(shown::HOST_CHANGE.check(evidence, &sessions.map(vorrang)));
    checks.extend(changed(evidence, BEFORE, AFTER));
    checks
}
