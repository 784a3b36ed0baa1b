//! `vorrang observe`: the behaviour of a kernel, compared with its description.
//!
//! A reservation and a `SCHED_FIFO` thread beside the command that traces them, which is interrupted and
//! killed meanwhile, and finds violations of a wrong description. On one processor: of two, the
//! emulator runs one at a time, and a thread that spins on a lock of the other does not stop in time.

use super::{BOTH, Check, Scenario, busybox};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::image::File;
use vorrang_guest::{LoadedTask, Plan, Policy, Record, Step, Work};
use vorrang_observe::Schedule;
use vorrang_observe::history::History;

const MS: u64 = 1_000_000;

/// The description that is traced.
const DESCRIPTION: &str = include_str!("../../../observe/tests/data/observe.toml");
/// The same with less than the threads take.
const WRONG: &str = include_str!("../../../observe/tests/data/wrong.toml");

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "observe",
        shows: "vorrang observe finds what a thread takes below its bounds, and above those of a wrong description",
        programs: &["vorrang"],
        files,
        plan,
        checks,
        machine: Machine::default(),
        lines: BOTH,
        in_ci: BOTH,
        of_kernel: None,
        modules: &[],
    }
}

fn files() -> Vec<File> {
    let file = |path: &str, text: &str| File { path: path.to_owned(), bytes: text.into() };
    let descriptions = [file("/system.toml", DESCRIPTION), file("/wrong.toml", WRONG)];
    descriptions.into_iter().chain(busybox()).collect()
}

fn plan() -> Plan {
    let task = |name: &str, policy, period, work| LoadedTask {
        name: name.to_owned(),
        cpu: None,
        policy,
        offset: 0,
        period,
        jobs: u32::MAX,
        work: Work::Compute(work),
    };
    let policy =
        Policy::Deadline { runtime: 2 * MS, deadline: 10 * MS, period: 10 * MS, reclaims: false };
    let reserved = task("reserved", policy, 10 * MS, 3 * MS / 2);
    let fifo = task("fifo", Policy::Fifo(10), 20 * MS, MS);
    let load = Step::StartLoad { tasks: vec![reserved, fifo], until: 0 };
    let run = |line: &str| Step::Run { command: line.split(' ').map(str::to_owned).collect() };
    let mut steps = vec![load, Step::Sleep { time: 200 * MS }];
    steps.extend(COMMANDS.map(|(line, ..)| run(line)));
    steps.push(Step::Read { path: "/trace".to_owned() });
    Plan { steps }
}

/// The commands, their exit codes, and their outputs.
const COMMANDS: [(&str, i32, &str); 8] = [
    ("/bin/vorrang observe /system.toml --for 100ms --keep /trace", 0, BELOW),
    ("/bin/vorrang observe /system.toml --trace /trace --perfetto /picture", 0, BELOW),
    ("/bin/vorrang observe /wrong.toml --trace /trace", 1, "ABOVE"),
    ("/bin/busybox timeout -s INT 1 /bin/vorrang observe /system.toml --for 1h", 130, BELOW),
    ("/bin/busybox ls /sys/kernel/tracing/instances", 0, ""),
    ("/bin/busybox timeout -s KILL 1 /bin/vorrang observe /system.toml --for 1h", 137, ""),
    ("/bin/vorrang observe /system.toml --for 100ms", 0, BELOW),
    ("/bin/busybox ls /sys/kernel/tracing/instances", 0, ""),
];

/// Of what is kept.
const BELOW: &str = "nothing above its bound";

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let ran = evidence.records.iter().filter_map(|record| match record {
        Record::Ran { exit, output, errors, .. } => Some((*exit, format!("{output}{errors}"))),
        _ => None,
    });
    let ran: Vec<(i32, String)> = ran.collect();
    for (place, (line, code, text)) in COMMANDS.into_iter().enumerate() {
        let Some((exit, said)) = ran.get(place) else {
            checks.push(Check::new(line, "it did not run", false));
            continue;
        };
        // A folder without instances is empty.
        let is_said = if line.contains(" ls ") { said.is_empty() } else { said.contains(text) };
        let holds = *exit == code && is_said;
        // Unexpected output is shown as it is.
        let seen = if holds { text } else { said };
        checks.push(Check::new(line, format!("exit code {exit}, {seen}"), holds));
    }
    checks.push(kept(evidence));
    checks
}

/// The text that was kept is a trace, and has the jobs of the threads.
fn kept(evidence: &Evidence) -> Check {
    let what = "the trace that was kept has 9 jobs of the one and 4 of the other at least";
    let text = evidence.records.iter().find_map(|record| match record {
        Record::Text { text, .. } => Some(text),
        _ => None,
    });
    let Some(text) = text else { return Check::new(what, "there is none", false) };
    let schedule: Schedule = match text.parse() {
        Ok(schedule) => schedule,
        Err(why) => return Check::new(what, why.to_string(), false),
    };
    let jobs = |name: &str| {
        let thread = schedule.names.iter().find(|(_, known)| *known == name);
        thread.map_or(0, |(&thread, _)| History::of(&schedule, thread).jobs.len())
    };
    let seen = (jobs("reserved"), jobs("fifo"));
    Check::new(what, format!("{seen:?}"), seen.0 >= 9 && seen.1 >= 4)
}
