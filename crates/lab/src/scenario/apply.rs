//! `vorrang apply`, `status` and `restore` on a machine with a process whose threads are reserved.

use super::{BOTH, Check, Scenario};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::image::File;
use vorrang_guest::{LoadedTask, Plan, Policy, Record, Step, Work};

const MS: u64 = 1_000_000;

/// The description that is applied: a reservation and a priority on processor 1.
pub(super) const DESCRIPTION: &str = r#"
version = 1

[core.0]
scheduler = "linux"
cpu = 1

[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "2ms"
period = "10ms"
thread = "process:load/reserved"

[task.reserved]
on = "server.reserved"
wcet = "1ms"
period = "10s"

[task.fifo]
on = "core.0"
wcet = "1ms"
period = "10s"
priority = 10
thread = "process:load/fifo"
"#;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "apply",
        shows: "vorrang apply reserves threads, status shows what they receive, restore undoes it",
        lines: BOTH,
        takes_long: false,
        machine: Machine { cpus: 2, ..Machine::default() },
        modules: &[],
        programs: &["vorrang"],
        files,
        of_kernel: None,
        plan,
        checks,
    }
}

pub(super) fn files() -> Vec<File> {
    vec![File { path: "/system.toml".to_owned(), bytes: DESCRIPTION.as_bytes().to_vec() }]
}

/// A process with the threads of the description and another: one computes all the time, or all sleep.
pub(super) fn load(computing: bool) -> Step {
    let task = |name: &str, period, work| LoadedTask {
        name: name.to_owned(),
        cpu: None,
        policy: Policy::Other,
        offset: 0,
        period,
        jobs: u32::MAX,
        work: Work::Compute(work),
    };
    let (period, work) = if computing { (1, 1000 * MS) } else { (1000 * MS, 1) };
    Step::StartLoad {
        tasks: vec![
            task("reserved", period, work),
            task("fifo", 50 * MS, MS),
            task("asleep", 10_000_000 * MS, MS),
        ],
    }
}

pub(super) fn vorrang(arguments: &str) -> Vec<String> {
    format!("/bin/vorrang {arguments}").split(' ').map(str::to_owned).collect()
}

fn plan() -> Plan {
    let run = |arguments: &str| Step::Run { command: vorrang(arguments) };
    Plan {
        steps: vec![
            load(true),
            Step::Sleep { time: 200 * MS },
            Step::RememberState,
            run("apply /system.toml"),
            Step::CompareState,
            run("apply /system.toml --yes"),
            run("apply /system.toml --yes"),
            run("status --for 1s"),
            run("restore"),
            Step::CompareState,
            run("restore"),
            Step::CompareState,
        ],
    }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let expected = [
        ("the plan is shown", "apply /system.toml", 0, "sched_setattr("),
        ("it is applied", "apply /system.toml --yes", 0, "Made "),
        ("it is not applied twice", "apply /system.toml --yes", 4, "is applied already"),
        ("the budget is kept", "status --for 1s", 0, "server.reserved"),
        ("it is undone", "restore", 0, "changes are undone"),
        ("undoing it twice does no harm", "restore", 0, "Nothing is applied."),
    ];
    let mut ran = evidence.records.iter().filter_map(|record| match record {
        Record::Ran { command, exit, output, errors } => Some((command, *exit, output, errors)),
        _ => None,
    });
    for (what, arguments, code, text) in expected {
        let Some((command, exit, output, errors)) = ran.next() else {
            checks.push(Check::new(what, "it did not run", false));
            continue;
        };
        let holds = *command == vorrang(arguments)
            && exit == code
            && (output.contains(text) || errors.contains(text));
        checks.push(Check::new(what, format!("exit code {exit}\n{output}{errors}"), holds));
    }
    for record in &evidence.records {
        if let Record::Differences { lines } = record {
            let seen = if lines.is_empty() { "nothing".to_owned() } else { lines.join("; ") };
            checks.push(Check::new("what differs on the machine", seen, lines.is_empty()));
        }
    }
    checks
}
