//! Servers of a description that `vorrang-host` runs, a thread in each, and what each receives by the kernel's own trace.
//!
//! **Model.** Every processor has a core, the first by fixed priority, the second by deadline. The work in a server never ends, so
//! each of its periods has its whole budget; the instant from which periods count is that which the program says.

use super::Check;
use super::host_kinds::words;
use crate::evidence::Evidence;
use crate::image::File;
use std::fmt::Write as _;
use vorrang_guest::{Fault, LoadedTask, Plan, Policy, Record, Step, Work};
use vorrang_time::Duration;

pub(super) const MS: u64 = 1_000_000;
pub(super) const US: u64 = 1000;

/// A decision, and a look at threads that sleep, as they are stated.
pub(super) const DECISION: &str = "60us";
/// Less budget is not lent, and the end of a loan takes a decision.
pub(super) const SHORT: u64 = 8_000 + 40_000;
/// Beyond budgets: all parked threads have a millisecond of every second, by the tick of 4 ms.
const PARKED: u64 = 5 * MS;
/// In so many periods of a second it may lie.
const OFTEN: u64 = 3;
/// In one of so many periods a processor of the emulator may have stood still, so that a decision came late.
const STOOD_STILL: usize = 5000;

/// A server, in microseconds.
pub(super) struct Row {
    pub(super) name: &'static str,
    kind: &'static str,
    pub(super) budget: u64,
    pub(super) period: u64,
}

/// In milliseconds.
pub(super) const fn row(name: &'static str, kind: &'static str, budget: u64, period: u64) -> Row {
    short(name, kind, budget * 1000, period * 1000)
}

/// In microseconds.
pub(super) const fn short(name: &'static str, kind: &'static str, budget: u64, period: u64) -> Row {
    Row { name, kind, budget, period }
}

/// Of each processor, from the most urgent one on.
pub(super) type Cores = &'static [&'static [Row]];

/// Of one processor, and of two.
pub(super) const ONE: Cores =
    &[&[row("sensor", "periodic", 2, 10), row("control", "deferrable", 4, 20)]];
pub(super) const TWO: Cores = &[
    &[row("sensor", "periodic", 2, 10), row("control", "deferrable", 4, 20)],
    &[row("camera", "polling", 3, 10), row("planner", "cbs-hard", 5, 20)],
];

pub(super) fn file(path: &str, cores: Cores) -> File {
    File { path: path.to_owned(), bytes: description(cores).into_bytes() }
}

pub(super) fn description(cores: Cores) -> String {
    let mut text = format!("version = 1\n[costs]\nscheduler-call = \"{DECISION}\"\n");
    for ((core, scheduler), rows) in (0..).zip(["fixed-priority", "edf"]).zip(cores) {
        let _ = write!(
            text,
            "[core.{core}]\nscheduler = \"{scheduler}\"\ncpu = {core}\n\
             [interrupt.look-{core}]\non = \"core.{core}\"\nisr = \"{DECISION}\"\nmin-interarrival = \"1ms\"\n"
        );
        for (place, Row { name, kind, budget, period }) in rows.iter().enumerate() {
            let [budget, period] = [budget, period].map(|&us| Duration::from_us(us));
            let priority = if core == 0 {
                format!("priority = {}\n", rows.len() - place)
            } else {
                String::new()
            };
            let _ = write!(
                text,
                "[server.{name}]\non = \"core.{core}\"\nserver = \"{kind}\"\nbudget = \"{budget}\"\nperiod = \"{period}\"\n\
                 {priority}thread = \"process:load/{name}\"\n\
                 [task.{name}]\non = \"server.{name}\"\nwcet = \"{budget}\"\nperiod = \"400ms\"\njitter = \"1ms\"\n"
            );
        }
    }
    text
}

/// Threads of these names, and one beside them on each processor, that compute all the time.
pub(super) fn computing(names: &[&str], cpus: usize) -> Step {
    // A processor of two has short turns, which what computes ends itself.
    let work = if cpus > 1 { Work::ComputeByTurns(1000 * MS) } else { Work::Compute(1000 * MS) };
    loads(names, cpus, (1, work))
}

/// The same, but for a millisecond asleep, so that time passes by leaps.
pub(super) fn sleeping(names: &[&str], cpus: usize) -> Step {
    loads(names, cpus, (10_000_000 * MS, Work::Compute(MS)))
}

pub(super) fn loads(names: &[&str], cpus: usize, (period, work): (u64, Work)) -> Step {
    let task = |name: &str, cpu: Option<usize>| LoadedTask {
        name: name.to_owned(),
        cpu,
        policy: Policy::Other,
        offset: 0,
        period,
        jobs: u32::MAX,
        work,
    };
    let beside = (0..cpus).map(|cpu| task("beside", Some(cpu)));
    let tasks = names.iter().map(|name| task(name, None)).chain(beside);
    Step::StartLoad { tasks: tasks.collect(), until: 0 }
}

/// A run of `/after.toml` that takes the place of one of `/before.toml`, killed before any call that changes something.
pub(super) fn killed(load: Step) -> Plan {
    Plan {
        steps: vec![
            load,
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
    }
}

/// When the schedules of a run began, by what was printed: one instant, or one of each processor.
pub(super) fn origins(evidence: &Evidence, place: usize) -> Option<Vec<u64>> {
    let mut texts = evidence.records.iter().filter_map(|record| match record {
        Record::Ran { output, .. } => output.split_once("from ")?.1.split_once(" ns of CLOCK"),
        _ => None,
    });
    texts.nth(place)?.0.split(", ").map(|text| text.parse().ok()).collect()
}

/// When anything ran first, and when last.
pub(super) fn traced(evidence: &Evidence) -> (u64, u64) {
    let runs = || evidence.schedule.all_runs();
    (runs().map(|run| run.begin).min().unwrap_or(0), runs().map(|run| run.end).max().unwrap_or(0))
}

/// The supply in each period since `begin` that lies between two instants, and, if `is_cut`, in the one that the second one cuts.
pub(super) fn given(
    row: &Row,
    [begin, first, end]: [u64; 3],
    is_cut: bool,
    evidence: &Evidence,
) -> Vec<u64> {
    let period = row.period * US;
    let from = begin + first.saturating_sub(begin).next_multiple_of(period);
    let count = end.saturating_sub(from) / period + u64::from(is_cut);
    let given = |place: u64| {
        let at = from + place * period;
        evidence.schedule.received(row.name, at, (at + period).min(end))
    };
    (0..count).map(given).collect()
}

/// The supply in each of these periods beside the budget.
pub(super) fn supplied(what: &str, row: &Row, given: &[u64]) -> Check {
    let budget = row.budget * US;
    let lacks = || given.iter().map(|given| budget.saturating_sub(*given));
    let late = lacks().filter(|short| *short > SHORT).count();
    let short = lacks().filter(|short| *short <= SHORT).max().unwrap_or(budget);
    let over = || given.iter().map(|given| given.saturating_sub(budget));
    let (most, often) = (over().max().unwrap_or(0), over().filter(|over| *over > SHORT).count());
    let beyond = over().filter(|over| *over <= SHORT).max().unwrap_or(0);
    let seen = format!(
        "short by at most {short} ns{}, over by at most {most} ns in {} periods; over by more than {SHORT} ns {often} times, else by at most {beyond} ns",
        match late {
            0 => String::new(),
            _ => format!(" but for {late} by up to {} ns", lacks().max().unwrap_or(budget)),
        },
        given.len()
    );
    let seconds = (given.len() as u64 * row.period + 500_000) / 1_000_000;
    let is_seldom = often as u64 <= OFTEN * seconds.max(1);
    let holds = given.len() > 1 && late <= given.len() / STOOD_STILL && is_seldom && most <= PARKED;
    Check::new(format!("{}: {what}", row.name), seen, holds)
}

/// The supply of each server before a change of the description, and after it: no budget is lost. A change has an instant of each
/// processor, or one of all.
pub(super) fn changed(evidence: &Evidence, before: Cores, after: Cores) -> Vec<Check> {
    let (Some(begins), Some(changes)) = (origins(evidence, 0), origins(evidence, 1)) else {
        return vec![Check::new("both say when they begin", "they do not", false)];
    };
    let (first, last) = traced(evidence);
    let mut checks = Vec::new();
    for (core, (before, after)) in before.iter().zip(after).enumerate() {
        let (begin, change) = (begins[core % begins.len()], changes[core % changes.len()]);
        checks.push(Check::new(
            format!("the change of processor {core} lies in the trace"),
            format!("{first}, {change}, {last} ns"),
            first + 60 * MS < change && change + 200 * MS < last,
        ));
        for row in *before {
            let given = given(row, [begin, first, change], true, evidence);
            checks.push(supplied("its budget in every period before the change", row, &given));
        }
        for row in *after {
            let given = given(row, [change, change, last], false, evidence);
            checks.push(supplied("its budget in every period after the change", row, &given));
        }
    }
    checks
}
