//! `vorrang-host` on two processors at once, under counted time: the budget of each server in every period, with and without
//! interrupts.
//!
//! **Model.** The processors of the emulator share its time: a turn is short, what computes ends its own every microsecond or so
//! (`Work::ComputeByTurns`), and each of two busy processors does half as many instructions in a second as one alone. So the
//! supply is that of the kernel's trace, in time, and not counted in instructions.
//!
//! **Assumption.** No processor stands still for long: a turn of the kernel ends when its work does, which is tens of microseconds.

use super::host_apply::{DECISION, PARKED, SHORT};
use super::host_change::{Row, given, origins, row};
use super::{BOTH, Check, Scenario, apply};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::image::File;
use std::fmt::Write as _;
use vorrang_guest::{LoadedTask, Plan, Policy, Step, Work};

const MS: u64 = 1_000_000;

/// Of each processor, from the most urgent one on.
pub(super) type Rows = [&'static [Row]; 2];

/// By fixed priority on the one, by deadline on the other.
const ROWS: Rows = [
    &[row("sensor", "periodic", 2, 10), row("control", "deferrable", 4, 20)],
    &[row("camera", "polling", 3, 10), row("planner", "cbs-hard", 5, 20)],
];

/// Interrupts of each processor in a second, beside its tick.
const RATES: [u64; 3] = [0, 1000, 20_000];
/// How long it is traced with each: a hundred of the longest periods.
const TRACED: u64 = 2100 * MS;
/// In so many periods the millisecond in a second of parked threads may lie.
const OFTEN: usize = 6;

/// What is given no processor is on the second one: a program that computes without letting it have a turn would keep the second
/// one, but not the first one, from running.
pub(super) fn machine() -> Machine {
    Machine { cpus: 2, turns: Some(10), command_line: "isolcpus=domain,0", ..Machine::default() }
}

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "host-two",
        shows: "vorrang-host supplies every budget in every period on two processors at once, also at 1 and 20 kHz of interrupts",
        lines: BOTH,
        in_ci: &[],
        machine: machine(),
        modules: &[],
        programs: &["vorrang", "vorrang-host"],
        files: || vec![file("/servers.toml", &ROWS)],
        of_kernel: None,
        plan,
        checks,
    }
}

pub(super) fn file(path: &str, rows: &Rows) -> File {
    File { path: path.to_owned(), bytes: description(rows).into_bytes() }
}

pub(super) fn description(rows: &Rows) -> String {
    let mut text = format!("version = 1\n[costs]\nscheduler-call = \"{DECISION}\"\n");
    for ((core, scheduler), rows) in (0..).zip(["fixed-priority", "edf"]).zip(rows) {
        let _ = write!(
            text,
            "[core.{core}]\nscheduler = \"{scheduler}\"\ncpu = {core}\n\
             [interrupt.look-{core}]\non = \"core.{core}\"\nisr = \"{DECISION}\"\nmin-interarrival = \"1ms\"\n"
        );
        for (place, Row { name, kind, budget, period }) in rows.iter().enumerate() {
            let priority = if core == 0 {
                format!("priority = {}\n", rows.len() - place)
            } else {
                String::new()
            };
            let _ = write!(
                text,
                "[server.{name}]\non = \"core.{core}\"\nserver = \"{kind}\"\nbudget = \"{budget}ms\"\nperiod = \"{period}ms\"\n\
                 {priority}thread = \"process:load/{name}\"\n\
                 [task.{name}]\non = \"server.{name}\"\nwcet = \"{budget}ms\"\nperiod = \"400ms\"\njitter = \"1ms\"\n"
            );
        }
    }
    text
}

/// Threads of these names, and one beside them on each processor, that compute all the time, or sleep, so that time passes by
/// leaps.
pub(super) fn load(names: &[&str], computes: bool) -> Step {
    let task = |name: &str, cpu: Option<usize>| LoadedTask {
        name: name.to_owned(),
        cpu,
        policy: Policy::Other,
        offset: 0,
        period: if computes { 1 } else { 10_000_000 * MS },
        jobs: u32::MAX,
        work: if computes { Work::ComputeByTurns(1000 * MS) } else { Work::Compute(MS) },
    };
    let beside = (0..2).map(|cpu| task("beside", Some(cpu)));
    let tasks = names.iter().map(|name| task(name, None)).chain(beside);
    Step::StartLoad { tasks: tasks.collect(), until: 0 }
}

/// The interrupts of each processor so far.
const COUNTS: &str = "/proc/interrupts";

fn counted() -> Step {
    Step::Read { path: COUNTS.to_owned() }
}

fn plan() -> Plan {
    let run = |arguments: &str| Step::Run { command: apply::vorrang(arguments) };
    let mut steps = vec![
        // A timer of these may come as often as it likes.
        Step::Write {
            path: "/proc/sys/kernel/perf_event_max_sample_rate".to_owned(),
            text: "10000000".to_owned(),
        },
        load(&["sensor", "control", "camera", "planner"], true),
        Step::Sleep { time: 200 * MS },
        Step::RememberState,
        run("apply /servers.toml --yes --look 0s"),
        Step::StartTrace { events: vec!["sched/sched_switch".to_owned()] },
    ];
    for rate in RATES {
        let started = (rate > 0).then(|| {
            (0..2).map(move |cpu| Step::StartInterrupts { cpu, every: 1_000_000_000 / rate })
        });
        steps.extend(started.into_iter().flatten());
        steps.extend([counted(), Step::Sleep { time: TRACED }, counted(), Step::EndInterrupts]);
    }
    steps.extend([run("status --for 200ms"), run("restore"), Step::CompareState, Step::EndTrace]);
    Plan { steps }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let expected = [
        ("one is run", "apply /servers.toml --yes --look 0s", 0, "ns of CLOCK_MONOTONIC on"),
        ("it goes on", "status --for 200ms", 0, "dispatcher: "),
        ("it is undone", "restore", 0, "changes are undone"),
    ];
    checks.extend(apply::commands(evidence, &expected));
    checks.extend(apply::differences(evidence));
    let Some(begin) = origins(evidence, 0).and_then(|origins| origins.first().copied()) else {
        checks.push(Check::new("it says when it begins", "it does not", false));
        return checks;
    };
    let first = evidence.schedule.all_runs().map(|run| run.begin).min().unwrap_or(0);
    let timers: Vec<[u64; 2]> = evidence.texts(COUNTS).map(timers).collect();
    for (place, rate) in RATES.into_iter().enumerate() {
        checks.push(interrupted(rate, timers.get(2 * place..2 * place + 2)));
        // The first periods may be those before.
        let from = first + place as u64 * TRACED + 20 * MS;
        for row in ROWS.into_iter().flatten() {
            let what =
                format!("{}: {rate} interrupts a second: its budget in every period", row.name);
            checks.push(supplied(
                what,
                row,
                &given(row, [begin, from, from + TRACED - 20 * MS], false, evidence),
            ));
        }
    }
    checks
}

/// The interrupts of the local timer of each processor.
fn timers(text: &str) -> [u64; 2] {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix("LOC:"));
    let mut numbers = line.unwrap_or_default().split_whitespace().map_while(|one| one.parse().ok());
    [(); 2].map(|()| numbers.next().unwrap_or_default())
}

/// Those that came while it was traced, beside the rate.
fn interrupted(rate: u64, timers: Option<&[[u64; 2]]>) -> Check {
    let what = format!("interrupts of the timer of each processor, for {rate} a second");
    let Some([before, after]) = timers else {
        return Check::new(what, "they were not counted", false);
    };
    let came = [0, 1].map(|cpu| after[cpu].saturating_sub(before[cpu]));
    let expected = rate * TRACED / (1000 * MS);
    let seen = format!("{} and {} in {} ms", came[0], came[1], TRACED / MS);
    Check::new(what, seen, came.iter().all(|&came| came >= expected.max(1)))
}

/// The supply in each period beside the budget.
pub(super) fn supplied(what: String, row: &Row, given: &[u64]) -> Check {
    let budget = row.budget * MS;
    let short = given.iter().map(|given| budget.saturating_sub(*given)).max().unwrap_or(budget);
    let over = || given.iter().map(|given| given.saturating_sub(budget));
    let (most, often) = (over().max().unwrap_or(0), over().filter(|over| *over > SHORT).count());
    let beyond = over().filter(|over| *over <= SHORT).max().unwrap_or(0);
    let seen = format!(
        "short by at most {short} ns, over by at most {most} ns in {} periods; over by more than {SHORT} ns {often} times, else by at most {beyond} ns",
        given.len()
    );
    let holds = !given.is_empty() && short <= SHORT && often <= OFTEN && most <= PARKED;
    Check::new(what, seen, holds)
}
