//! `vorrang apply`, `status` and `restore` of servers that Linux does not have: they start, ask and end `vorrang-host`.
//!
//! On one processor under counted time, where the supply in each period is that of the kernel's own trace. On two with
//! processors in parallel, where what the host does lies in every period, and the supply of the whole time is looked at: under
//! counted time the second one stands still for milliseconds (docs/lab-reference.md).

use super::apply::{commands, differences, vorrang};
use super::host_rows::{Cores, MS, ONE, Row, TWO, US, file, given, loads, origins, supplied};
use super::{BOTH, Check, Scenario, shown};
use crate::emulator::{Machine, Time};
use crate::evidence::Evidence;
use crate::image::File;
use vorrang_guest::{Plan, Record, Step, Work};

/// How long it is traced.
const TRACED: u64 = 1000 * MS;

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
        files: || files(ONE),
        of_kernel: None,
        plan: || plan(ONE),
        checks,
    }
}

pub(super) fn on_two_processors() -> Scenario {
    Scenario {
        name: "host-apply-two",
        shows: "vorrang apply runs servers that Linux does not have on two processors at once",
        in_ci: &[],
        machine: Machine { cpus: 2, time: Time::Parallel, ..Machine::default() },
        files: || files(TWO),
        plan: || plan(TWO),
        checks: checks_of_two,
        ..scenario()
    }
}

fn files(cores: Cores) -> Vec<File> {
    super::busybox().into_iter().chain([file("/servers.toml", cores)]).collect()
}

fn rows(cores: Cores) -> impl Iterator<Item = &'static Row> {
    cores.iter().copied().flatten()
}

/// Threads that compute all the time, in servers and beside them.
fn load(cores: Cores) -> Step {
    let names: Vec<_> = rows(cores).map(|row| row.name).collect();
    loads(&names, cores.len(), (1, Work::Compute(1000 * MS)))
}

fn plan(cores: Cores) -> Plan {
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
            Step::Run { command: privileges() },
            run("measure dispatcher --for 500ms --out /run/machine.toml"),
            Step::Read { path: "/run/machine.toml".to_owned() },
            run("status --journal /run/elsewhere/journal"),
            run("restore --journal /run/elsewhere/journal"),
            run("restore"),
            Step::CompareState,
            run("status"),
            run("measure dispatcher --for 10ms"),
            run("restore"),
        ],
    }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = of_commands(evidence);
    checks.extend(rows(ONE).map(|row| in_each_period(row, evidence)));
    let sessions = ["apply /servers.toml --yes --look 300ms", "status --for 500ms", "restore"];
    checks.extend(shown::HOST.check(evidence, &sessions.map(vorrang)));
    checks
}

fn checks_of_two(evidence: &Evidence) -> Vec<Check> {
    let mut checks = of_commands(evidence);
    checks.extend(rows(TWO).map(|row| supplied_at_all(row, evidence)));
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
        (
            "what decisions take is shown",
            "measure dispatcher --for 500ms --out /run/machine.toml",
            0,
            "the longest with the switches",
        ),
        ("so it is without its journal", "status --journal /run/elsewhere/journal", 0, ELSEWHERE),
        ("and not undone", "restore --journal /run/elsewhere/journal", 0, ELSEWHERE),
        ("it is undone", "restore", 0, "changes are undone"),
        ("nothing is left", "status", 0, "Nothing is applied."),
        (
            "what has no decisions is not measured",
            "measure dispatcher --for 10ms",
            4,
            "runs no description",
        ),
        ("undoing it twice does no harm", "restore", 0, "Nothing is applied."),
    ];
    checks.extend(commands(evidence, &expected));
    checks.push(assumed(evidence));
    checks.push(measured(evidence));
    checks.push(kept(evidence));
    checks.extend(differences(evidence));
    checks
}

/// Tells the privileges of each thread of `vorrang-host`, and of its guards.
fn privileges() -> Vec<String> {
    let script = "b=/bin/busybox; for p in /proc/[0-9]*; do \
                  [ \"$($b readlink $p/exe)\" = /bin/vorrang-host ] || continue; \
                  for t in $p/task/*; do \
                  echo \"keeps $($b cat $t/comm) $($b grep CapPrm $t/status) $($b grep NoNewPrivs $t/status)\"; \
                  done; done";
    ["/bin/busybox", "sh", "-c", script].map(str::to_owned).to_vec()
}

/// `CAP_SYS_NICE` and `CAP_IPC_LOCK`, as the kernel shows them; and `CAP_DAC_OVERRIDE`.
const PRIORITIES: u64 = 1 << 23 | 1 << 14;
const UNDOING: u64 = PRIORITIES | 1 << 1;

/// Those that a thread of this name keeps; a guard has the name of the keeper.
fn privileges_of(name: &str) -> &'static [u64] {
    match name {
        "dispatcher" => &[PRIORITIES],
        "exe" | "vorrang-host" => &[PRIORITIES, UNDOING],
        _ => &[0],
    }
}

/// Each thread keeps what it needs, and no more.
fn kept(evidence: &Evidence) -> Check {
    let told = evidence.records.iter().find_map(|record| match record {
        Record::Ran { command, output, .. } if *command == privileges() => Some(output.as_str()),
        _ => None,
    });
    let words = |line: &'_ str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let all: Vec<Vec<String>> = told.unwrap_or_default().lines().map(words).collect();
    let is_as_said = |line: &Vec<String>| match &line[..] {
        [_, name, _, kept, _, sealed] => {
            let kept = u64::from_str_radix(kept, 16);
            kept.is_ok_and(|kept| privileges_of(name).contains(&kept)) && sealed == "1"
        }
        _ => false,
    };
    let seen: Vec<String> = all.iter().map(|line| line[1..].join(" ")).collect();
    // A keeper, a dispatcher, a guard, two lenders and a watcher at least.
    let undoes = format!("{UNDOING:016x}");
    let keepers = all.iter().filter(|line| line.get(3) == Some(&undoes)).count();
    let holds = all.len() >= 6 && keepers == 1 && all.iter().all(is_as_said);
    Check::new("each thread keeps the privileges that it needs", seen.join("; "), holds)
}

/// What a decision takes is in the profile, as the cost of a call.
fn measured(evidence: &Evidence) -> Check {
    let profile = evidence.texts("/run/machine.toml").next().unwrap_or_default();
    let cost = profile.lines().find_map(|line| line.trim().strip_prefix("scheduler-call = "));
    let numbers = profile.matches("decision-cpu-").count();
    let seen = format!("{} for a call, {numbers} processors", cost.unwrap_or("nothing"));
    Check::new("what decisions take is measured", seen, cost.is_some() && numbers > 0)
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
fn in_each_period(row: &Row, evidence: &Evidence) -> Check {
    let what = "its budget in every period";
    let (Some((first, last)), Some(origins)) = (traced(row, evidence), origins(evidence, 0)) else {
        return Check::new(format!("{}: {what}", row.name), "it did not run", false);
    };
    let given = given(row, [origins[0], first, last], false, evidence);
    if (given.len() as u64) < TRACED / (row.period * US) / 2 {
        return Check::new(format!("{}: {what}", row.name), "it was seldom traced", false);
    }
    supplied(what, row, &given)
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
