//! `vorrang apply`, `status` and `restore` of servers that Linux does not have: they start, ask and end `vorrang-host`.
//!
//! On one processor under counted time, where the supply in each period is that of the kernel's own trace. On two with
//! processors in parallel, where what the host does lies in every period, and the supply of the whole time is looked at: under
//! counted time the second one stands still for milliseconds (docs/lab.md).

use super::apply::{commands, differences, vorrang};
use super::{BOTH, Check, Scenario, shown};
use crate::emulator::{Machine, Time};
use crate::evidence::Evidence;
use crate::image::File;
use std::fmt::Write as _;
use vorrang_guest::{LoadedTask, Plan, Policy, Record, Step, Work};

const MS: u64 = 1_000_000;
/// How long it is traced.
const TRACED: u64 = 1000 * MS;

/// A server, and the work of its thread.
struct Row {
    name: &'static str,
    core: u32,
    kind: &'static str,
    /// In milliseconds.
    budget: u64,
    /// In milliseconds.
    period: u64,
}

const fn row(name: &'static str, core: u32, kind: &'static str, budget: u64, period: u64) -> Row {
    Row { name, core, kind, budget, period }
}

/// By fixed priority on the one, the first above the second, and by deadline on the other.
const ROWS: [Row; 4] = [
    row("sensor", 0, "periodic", 2, 10),
    row("control", 0, "deferrable", 4, 20),
    row("camera", 1, "polling", 3, 10),
    row("planner", 1, "cbs-hard", 5, 20),
];

/// A decision, and a look at threads that sleep, as they are stated.
pub(super) const DECISION: &str = "60us";
/// Less budget is not lent, and the end of a loan takes a decision.
pub(super) const SHORT: u64 = 8_000 + 40_000;
/// Beyond budgets: all parked threads have a millisecond of every second, by the tick of 4 ms.
pub(super) const PARKED: u64 = 5 * MS;
/// In so many periods of a second it may lie.
const OFTEN: usize = 3;
/// With processors in parallel: the part of all budgets that may be missing or too much, one in so many.
const ONE_IN: u64 = 5;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "host-apply",
        shows: "vorrang apply runs servers that Linux does not have, status shows them, restore ends it",
        lines: BOTH,
        in_ci: &["7.2-rt"],
        machine: Machine::default(),
        modules: &[],
        programs: &["vorrang", "vorrang-host"],
        files: || files(1),
        of_kernel: None,
        plan: || plan(1),
        checks,
    }
}

pub(super) fn on_two_processors() -> Scenario {
    Scenario {
        name: "host-apply-two",
        shows: "vorrang apply runs servers that Linux does not have on two processors at once",
        in_ci: &[],
        machine: Machine { cpus: 2, time: Time::Parallel, ..Machine::default() },
        files: || files(2),
        plan: || plan(2),
        checks: checks_of_two,
        ..scenario()
    }
}

fn rows(cores: u32) -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(move |row| row.core < cores)
}

fn files(cores: u32) -> Vec<File> {
    vec![File { path: "/servers.toml".to_owned(), bytes: description(cores).into_bytes() }]
}

fn description(cores: u32) -> String {
    let mut text = format!("version = 1\n[costs]\nscheduler-call = \"{DECISION}\"\n");
    for (core, scheduler) in (0..cores).zip(["fixed-priority", "edf"]) {
        let _ = write!(
            text,
            "[core.{core}]\nscheduler = \"{scheduler}\"\ncpu = {core}\n\
             [interrupt.look-{core}]\non = \"core.{core}\"\nisr = \"{DECISION}\"\nmin-interarrival = \"1ms\"\n"
        );
    }
    for (place, Row { name, core, kind, budget, period }) in rows(cores).enumerate() {
        let priority =
            if *core == 0 { format!("priority = {}\n", ROWS.len() - place) } else { String::new() };
        let _ = write!(
            text,
            "[server.{name}]\non = \"core.{core}\"\nserver = \"{kind}\"\nbudget = \"{budget}ms\"\nperiod = \"{period}ms\"\n\
             {priority}thread = \"process:load/{name}\"\n\
             [task.{name}]\non = \"server.{name}\"\nwcet = \"{budget}ms\"\nperiod = \"200ms\"\njitter = \"1ms\"\n"
        );
    }
    text
}

/// Threads that compute all the time, in servers and beside them.
fn load(cores: u32) -> Step {
    let task = |name: &str, cpu: Option<usize>| LoadedTask {
        name: name.to_owned(),
        cpu,
        policy: Policy::Other,
        offset: 0,
        period: 1,
        jobs: u32::MAX,
        work: Work::Compute(1000 * MS),
    };
    let beside = (0..cores).map(|core| task("beside", usize::try_from(core).ok()));
    let tasks = rows(cores).map(|row| task(row.name, None)).chain(beside);
    Step::StartLoad { tasks: tasks.collect(), until: 0 }
}

fn plan(cores: u32) -> Plan {
    let run = |arguments: &str| Step::Run { command: vorrang(arguments) };
    Plan {
        steps: vec![
            load(cores),
            Step::Sleep { time: 200 * MS },
            Step::RememberState,
            run("apply /servers.toml"),
            Step::CompareState,
            run("apply /servers.toml --yes --look 300ms"),
            run("apply /servers.toml --yes"),
            Step::StartTrace { events: vec!["sched/sched_switch".to_owned()] },
            Step::Sleep { time: TRACED },
            Step::EndTrace,
            run("status --for 500ms"),
            run("status --journal /run/elsewhere/journal"),
            run("restore --journal /run/elsewhere/journal"),
            run("restore"),
            Step::CompareState,
            run("status"),
            run("restore"),
        ],
    }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = of_commands(evidence);
    checks.extend(rows(1).map(|row| supplied(row, evidence)));
    let sessions = ["apply /servers.toml --yes --look 300ms", "status --for 500ms", "restore"];
    checks.extend(shown::HOST.check(evidence, &sessions.map(vorrang)));
    checks
}

fn checks_of_two(evidence: &Evidence) -> Vec<Check> {
    let mut checks = of_commands(evidence);
    checks.extend(rows(2).map(|row| supplied_at_all(row, evidence)));
    checks
}

/// What other journals have to say.
const ELSEWHERE: &str =
    "/sys/fs/cgroup/vorrang-host is there: a description is run by vorrang-host";

fn of_commands(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let expected = [
        ("the changes are shown", "apply /servers.toml", 0, "threads are lent SCHED_FIFO"),
        ("it is run", "apply /servers.toml --yes --look 300ms", 0, "dispatcher: "),
        ("it is not run twice", "apply /servers.toml --yes", 0, "it is run already"),
        ("its accounts are shown", "status --for 500ms", 0, "dispatcher: "),
        ("so it is without its journal", "status --journal /run/elsewhere/journal", 0, ELSEWHERE),
        ("and not undone", "restore --journal /run/elsewhere/journal", 0, ELSEWHERE),
        ("it is undone", "restore", 0, "changes are undone"),
        ("nothing is left", "status", 0, "Nothing is applied."),
        ("undoing it twice does no harm", "restore", 0, "Nothing is applied."),
    ];
    checks.extend(commands(evidence, &expected));
    checks.push(assumed(evidence));
    checks.extend(differences(evidence));
    checks
}

/// Where the kernel stops parked threads by the tick, that is assumed, and said.
fn assumed(evidence: &Evidence) -> Check {
    let mut outputs = evidence.records.iter().filter_map(|record| match record {
        Record::Ran { command, output, .. } if *command == vorrang("apply /servers.toml") => {
            Some(output)
        }
        _ => None,
    });
    let said =
        outputs.next().and_then(|output| output.lines().find(|line| line.contains("assumed: ")));
    let by_the_tick = evidence.line() == Some("6.12-rt");
    Check::new(
        "what is assumed of parked threads, on 6.12 alone",
        said.unwrap_or("nothing").trim(),
        said.is_some() == by_the_tick,
    )
}

/// When a row's thread ran first and last, by the trace.
fn traced(row: &Row, evidence: &Evidence) -> Option<(u64, u64)> {
    let runs = || evidence.schedule.runs_of(row.name);
    Some((runs().next()?.begin, runs().last()?.begin))
}

/// The supply in each period that was traced as a whole.
fn supplied(row: &Row, evidence: &Evidence) -> Check {
    let Row { name, budget, period, .. } = row;
    let (budget, period) = (budget * MS, period * MS);
    let what = format!("{name}: its budget in every period");
    let Some((first, last)) = traced(row, evidence) else {
        return Check::new(what, "it did not run", false);
    };
    // Periods begin at multiples of themselves: the schedule begins at a multiple of 100 ms.
    let begin = first.next_multiple_of(period);
    let periods = last.saturating_sub(begin) / period;
    let given = |place: u64| {
        let at = begin + place * period;
        evidence.schedule.received(name, at, at + period)
    };
    let given: Vec<u64> = (0..periods).map(given).collect();
    let short = given.iter().map(|given| budget.saturating_sub(*given)).max().unwrap_or(budget);
    let over = || given.iter().map(|given| given.saturating_sub(budget));
    let (most, often) = (over().max().unwrap_or(0), over().filter(|over| *over > SHORT).count());
    let seen = format!(
        "short by at most {short} ns and over by at most {most} ns in {periods} periods, {often} times by more than {SHORT} ns"
    );
    let holds =
        periods >= TRACED / period / 2 && short <= SHORT && often <= OFTEN && most <= PARKED;
    Check::new(what, seen, holds)
}

/// The supply of the whole time that was traced.
fn supplied_at_all(row: &Row, evidence: &Evidence) -> Check {
    let Row { name, budget, period, .. } = row;
    let what = format!("{name}: its budgets, all together");
    let Some((first, last)) = traced(row, evidence) else {
        return Check::new(what, "it did not run", false);
    };
    let given = evidence.schedule.received(name, first, last);
    let expected = (last - first) * budget / period;
    let seen = format!("{given} ns of {expected} ns");
    Check::new(
        what,
        seen,
        last - first > TRACED / 2 && given.abs_diff(expected) <= expected / ONE_IN,
    )
}
