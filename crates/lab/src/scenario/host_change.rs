//! `vorrang apply` again, with another description, while `vorrang-host` runs one: no server loses a budget, threads that are
//! new are run from then on, and those that are not run any more are as they were.
//!
//! On one processor under counted time. The supply in each period is that of the kernel's own trace; the instant of the
//! change is that which the program says.

use super::apply::{commands, differences, vorrang};
use super::faults::checks as of_faults;
use super::host_apply::{DECISION, PARKED, SHORT};
use super::host_kinds::words;
use super::{BOTH, Check, Scenario, shown};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::image::File;
use std::fmt::Write as _;
use vorrang_guest::{Fault, LoadedTask, Plan, Policy, Record, Step, Work};

const MS: u64 = 1_000_000;

/// A server, in milliseconds; the work in it never ends.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) kind: &'static str,
    pub(super) budget: u64,
    pub(super) period: u64,
}

pub(super) const fn row(name: &'static str, kind: &'static str, budget: u64, period: u64) -> Row {
    Row { name, kind, budget, period }
}

/// From the most urgent one on.
const BEFORE: [Row; 3] = [
    row("sensor", "periodic", 2, 10),
    row("control", "deferrable", 4, 20),
    row("logger", "polling", 2, 40),
];
const AFTER: [Row; 3] = [
    row("sensor", "periodic", 2, 10),
    row("control", "deferrable", 6, 20),
    row("camera", "polling", 3, 20),
];

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
        plan: || Plan {
            steps: vec![
                load(false),
                Step::Sleep { time: 200 * MS },
                Step::RememberState,
                Step::Faults {
                    before: words("/bin/vorrang-host run /before.toml --yes --background"),
                    change: words("/bin/vorrang-host run /after.toml --yes --for 50ms"),
                    restore: words("/bin/vorrang-host restore"),
                    fault: Fault::Kill,
                    stride: 1,
                },
            ],
        },
        checks: of_faults,
        ..scenario()
    }
}

fn files() -> Vec<File> {
    let file = |path: &str, rows: &[Row]| File {
        path: path.to_owned(),
        bytes: description(rows).into_bytes(),
    };
    vec![file("/before.toml", &BEFORE), file("/after.toml", &AFTER)]
}

fn description(rows: &[Row]) -> String {
    let mut text = format!(
        "version = 1\n[costs]\nscheduler-call = \"{DECISION}\"\n\
         [core.0]\nscheduler = \"fixed-priority\"\ncpu = 0\n\
         [interrupt.look]\non = \"core.0\"\nisr = \"{DECISION}\"\nmin-interarrival = \"1ms\"\n"
    );
    for (place, Row { name, kind, budget, period }) in rows.iter().enumerate() {
        let _ = write!(
            text,
            "[server.{name}]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{budget}ms\"\nperiod = \"{period}ms\"\n\
             priority = {}\nthread = \"process:load/{name}\"\n\
             [task.{name}]\non = \"server.{name}\"\nwcet = \"{budget}ms\"\nperiod = \"400ms\"\njitter = \"1ms\"\n",
            rows.len() - place
        );
    }
    text
}

/// Threads that compute all the time, or sleep, so that time passes by leaps.
fn load(computes: bool) -> Step {
    let task = |name: &str| LoadedTask {
        name: name.to_owned(),
        cpu: None,
        policy: Policy::Other,
        offset: 0,
        period: if computes { 1 } else { 10_000_000 * MS },
        jobs: u32::MAX,
        work: Work::Compute(if computes { 1000 * MS } else { MS }),
    };
    let names = ["sensor", "control", "logger", "camera", "beside"];
    Step::StartLoad { tasks: names.map(task).into(), until: 0 }
}

fn plan() -> Plan {
    let run = |arguments: &str| Step::Run { command: vorrang(arguments) };
    Plan {
        steps: vec![
            load(true),
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
    let (Some(begin), Some(change)) = (origin(evidence, 0), origin(evidence, 1)) else {
        checks.push(Check::new("both say when they begin", "they do not", false));
        return checks;
    };
    let runs = || evidence.schedule.all_runs();
    let first = runs().map(|run| run.begin).min().unwrap_or(0);
    let last = runs().map(|run| run.end).max().unwrap_or(0);
    checks.push(Check::new(
        "the change lies in the trace",
        format!("{first}, {change}, {last} ns"),
        first + 60 * MS < change && change + 200 * MS < last,
    ));
    for row in &BEFORE {
        checks.push(supplied("before", row, [begin, first, change], evidence));
    }
    for row in &AFTER {
        checks.push(supplied("after", row, [change, change, last], evidence));
    }
    checks
}

fn origin(evidence: &Evidence, place: usize) -> Option<u64> {
    origins(evidence, place)?.first().copied()
}

/// When the schedules of a run began, by what was printed: one instant, or one of each processor.
pub(super) fn origins(evidence: &Evidence, place: usize) -> Option<Vec<u64>> {
    let mut texts = evidence.records.iter().filter_map(|record| match record {
        Record::Ran { output, .. } => output.split_once("from ")?.1.split_once(" ns of CLOCK"),
        _ => None,
    });
    texts.nth(place)?.0.split(", ").map(|text| text.parse().ok()).collect()
}

/// The supply in each period since `begin` that lies between two instants, and in the one that the second one cuts: before
/// a change all budgets have been received.
fn supplied(when: &str, row: &Row, between: [u64; 3], evidence: &Evidence) -> Check {
    let what = format!("{}: its budget in every period {when} the change", row.name);
    let given = given(row, between, when == "before", evidence);
    let budget = row.budget * MS;
    let short = given.iter().map(|given| budget.saturating_sub(*given)).max().unwrap_or(budget);
    let over = given.iter().map(|given| given.saturating_sub(budget)).max().unwrap_or(0);
    let count = given.len();
    let seen =
        format!("short by at most {short} ns and over by at most {over} ns in {count} periods");
    Check::new(what, seen, count > 1 && short <= SHORT && over <= PARKED)
}

/// The supply in each period since `begin` that lies between two instants, and, if `is_cut`, in the one that the second one cuts.
pub(super) fn given(
    row: &Row,
    [begin, first, end]: [u64; 3],
    is_cut: bool,
    evidence: &Evidence,
) -> Vec<u64> {
    let period = row.period * MS;
    let from = begin + first.saturating_sub(begin).next_multiple_of(period);
    let count = end.saturating_sub(from) / period + u64::from(is_cut);
    let given = |place: u64| {
        let at = from + place * period;
        evidence.schedule.received(row.name, at, (at + period).min(end))
    };
    (0..count).map(given).collect()
}
