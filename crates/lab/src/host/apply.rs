//! Servers that Linux does not have, by `vorrang apply`: their budgets, and the privileges of what runs them.

use super::dispatcher::MS;
use super::rows::{Row, given, origins, rows, supplied};
use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::{Scenario, words};
use vorrang_guest::Record;

/// How long it is traced.
const TRACED: u64 = 1000 * MS;

/// With processors in parallel: the part of all budgets that may be missing or too much, one in so many.
const ONE_IN: u64 = 5;
/// What runs, and what tells the privileges of its threads.
const SERVERS: &str = "/servers.toml";
const PRIVILEGES: &str = "/bin/busybox sh /privileges.sh";

/// Of every server, in each period that was traced as a whole.
pub(crate) fn in_each_period(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    rows(of, SERVERS).iter().map(|row| of_periods(row, evidence)).collect()
}

/// Of every server, in the whole time that was traced.
pub(crate) fn all_together(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    rows(of, SERVERS).iter().map(|row| supplied_at_all(row, evidence)).collect()
}

/// What a command printed.
fn printed<'a>(line: &str, evidence: &'a Evidence) -> Option<&'a str> {
    let wanted = words(line);
    evidence.records.iter().find_map(|record| match record {
        Record::Ran { command, output, .. } if *command == wanted => Some(output.as_str()),
        _ => None,
    })
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
pub(crate) fn privileges(evidence: &Evidence) -> Check {
    let told = printed(PRIVILEGES, evidence);
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
pub(crate) fn decisions_are_measured(evidence: &Evidence) -> Check {
    let profile = evidence.texts("/run/machine.toml").next().unwrap_or_default();
    let cost = profile.lines().find_map(|line| line.trim().strip_prefix("scheduler-call = "));
    let numbers = profile.matches("decision-cpu-").count();
    let seen = format!("{} for a call, {numbers} processors", cost.unwrap_or("nothing"));
    Check::new("what decisions take is measured", seen, cost.is_some() && numbers > 0)
}

/// Where the kernel stops parked threads by the tick, that is assumed, and said.
pub(crate) fn parked_as_assumed(evidence: &Evidence) -> Check {
    let output = printed("/bin/vorrang apply /servers.toml", evidence);
    let said = output.and_then(|output| output.lines().find(|line| line.contains("assumed: ")));
    let by_the_tick = evidence.line() == Some("6.12-rt");
    Check::new(
        "what is assumed of parked threads, on 6.12 alone",
        said.unwrap_or("nothing").trim(),
        said.is_some() == by_the_tick,
    )
}

/// When a row's thread ran first and last, by the trace.
fn traced(row: &Row, evidence: &Evidence) -> Option<(u64, u64)> {
    let runs = || evidence.schedule.runs_of(&row.name);
    Some((runs().next()?.begin, runs().last()?.begin))
}

/// The supply in each period that was traced as a whole.
fn of_periods(row: &Row, evidence: &Evidence) -> Check {
    let what = "its budget in every period";
    let (Some((first, last)), Some(origins)) = (traced(row, evidence), origins(evidence, 0)) else {
        return Check::new(format!("{}: {what}", row.name), "it did not run", false);
    };
    let given = given(row, [origins[0], first, last], false, evidence);
    if (given.len() as u64) < TRACED / (row.period) / 2 {
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
