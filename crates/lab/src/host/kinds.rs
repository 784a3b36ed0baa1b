//! `vorrang-host`: each kind of server on a stock kernel, beside the simulator and the bounds.
//!
//! The excess of a thread over its budget is its share of the millisecond that the group of all parked
//! threads has of every second, besides loans. The kernel charges that by the tick: so it may be one tick
//! more.

use super::answered::{Longest, longest};
use super::dispatcher::{MS, decisions, last_line, origin};
use super::served::{self, Periods};
use super::trial::{LENGTH_MS, LOOK_US, READ_MS, Row, Trial, trials};
use crate::check::Check;
use crate::conformance::shipped::Shipped;
use crate::evidence::Evidence;
use crate::written::{Scenario, words};
use vorrang_guest::counted::Told;
use vorrang_guest::{Record, Step, TICK};

/// The longest turn.
const QUANTUM: u64 = 2 * MS;
/// Budget below that is not lent (docs/apply-measurements.md).
const GRAIN: u64 = 8000;
/// So many loans of a thread begin and end in a period at most.
const LOANS: u64 = 3;
/// The supply of all parked threads together in every second.
const PARKED: u64 = MS;
/// In so many periods of a second it may lie.
const OFTEN: u64 = 2;

/// Each trial, one after the other.
pub(crate) fn steps(of: &Scenario) -> Vec<Step> {
    let mut steps = Vec::new();
    for trial in trials(of) {
        let (counted, threads) = (trial.counted(), trial.threads());
        let readings = (LENGTH_MS + 4000) / READ_MS;
        let probe = format!("/bin/vorrang-probe {counted} {READ_MS}ms {readings} {threads}");
        // None states the cost of the dispatcher.
        let run = format!(
            "/bin/vorrang-host run {} --unproven --yes --for {LENGTH_MS}ms --look {LOOK_US}us",
            trial.file()
        );
        steps.extend([
            Step::Start { command: words(&probe) },
            Step::Sleep { time: 200 * MS },
            Step::Run { command: words(&run) },
            Step::CompareState,
            Step::Await { path: counted.clone(), text: "read".to_owned(), limit: 20_000 * MS },
            Step::Read { path: counted },
            Step::Sleep { time: 50 * MS },
        ]);
    }
    steps
}

/// What each trial was given, or answered.
pub(crate) fn checks(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut ran = evidence.records.iter().filter_map(|record| match record {
        Record::Ran { exit, output, errors, .. } => Some((*exit, output, errors)),
        _ => None,
    });
    for trial in &trials(of) {
        let name = &trial.name;
        let Some((exit, output, errors)) = ran.next() else {
            checks.push(Check::new(format!("{name}: it is run"), "it did not run", false));
            continue;
        };
        let seen = if exit == 0 { last_line(output) } else { format!("{exit}: {errors}") };
        checks.push(Check::new(format!("{name}: it is run"), seen, exit == 0));
        let text = evidence.texts(&trial.counted()).next().unwrap_or_default().to_owned();
        let found = match (serde_json::from_str::<Told>(&text), origin(output)) {
            (Ok(told), Some(origin)) if trial.takes_turns() && trial.busy => {
                turned(trial, &told, origin)
            }
            (Ok(told), Some(origin)) if trial.busy => given(trial, &told, origin, output, evidence),
            (Ok(told), Some(origin)) => answered(trial, &told, origin, output, evidence),
            _ => vec![Check::new(format!("{name}: work is counted"), "it is not", false)],
        };
        checks.extend(found);
    }
    checks
}

/// The cost of the kernel for each loan: a timer's interrupt, and a switch to and from the dispatcher.
fn each_loan(evidence: &Evidence) -> u64 {
    let costs = Shipped::of(evidence).expect("a kernel of the lab").costs().longest;
    costs.wake + 2 * costs.switch
}

/// Threads that compute all the time.
fn given(trial: &Trial, told: &Told, origin: u64, output: &str, evidence: &Evidence) -> Vec<Check> {
    let what = |name: &str| format!("{}: {name}: simulated and given in every period", trial.name);
    let counted = match served::counted(trial, told, origin) {
        Ok(counted) => counted,
        Err(why) => return vec![Check::new(what("all"), why, false)],
    };
    let mut tolerance = GRAIN + LOANS * each_loan(evidence);
    if trial.has_slots() {
        // It ends by the clock, so what the decision at its beginning takes is missing.
        tolerance += decisions(output).map_or(0, |(_, each)| 2 * each);
    }
    // Both ends of the run may lie in the middle of a second.
    let seconds = LENGTH_MS.div_ceil(1000) + 1;
    let mut above = 0;
    let mut checks = Vec::new();
    for ((row, simulated), given) in trial.rows.iter().zip(served::simulated(trial)).zip(&counted) {
        let (over, short) = (most(given, &simulated), most(&simulated, given));
        let beyond = |(given, simulated): (&u64, &u64)| given.saturating_sub(simulated + tolerance);
        above += given.iter().zip(&simulated).map(beyond).sum::<u64>();
        let mean = given.iter().sum::<u64>() / given.len() as u64;
        let often = given.iter().zip(&simulated).filter(|pair| beyond(*pair) > 0).count() as u64;
        let seen = format!(
            "{} us of {} ms on average of {} periods; short by at most {} us, over by at most {} us ({often} times by more than {} us)",
            micro(mean),
            row.budget,
            given.len(),
            micro(short),
            micro(over),
            micro(tolerance)
        );
        let holds = short <= tolerance && often <= OFTEN * seconds;
        checks.push(Check::new(what(&row.name), seen, holds));
    }
    let seen = format!("{} us in {LENGTH_MS} ms", micro(above));
    let holds = above <= seconds * (PARKED + TICK);
    let what = format!("{}: above the budgets of all, while parked", trial.name);
    checks.push(Check::new(what, seen, holds));
    checks
}

/// Threads that compute all the time, in servers that take turns: their shares, and how far from them they ever
/// are. The cost of the dispatcher is charged to no server, so turns come later than in the simulation, which
/// is compared with these only as a whole.
fn turned(trial: &Trial, told: &Told, origin: u64) -> Vec<Check> {
    let counted = match served::counted(trial, told, origin) {
        Ok(counted) => counted,
        Err(why) => {
            return vec![Check::new(format!("{}: turns are counted", trial.name), why, false)];
        }
    };
    let sums: Vec<u64> = counted.iter().map(|given| given.iter().sum()).collect();
    let all: u64 = sums.iter().sum();
    let shares: u64 = trial.rows.iter().map(|row| row.budget).sum();
    let share = |(row, sum): (&Row, &u64)| {
        let (found, stated) = (sum * 10_000 / all.max(1), row.budget * 10_000 / shares);
        let seen = format!("{found} of {stated} ten-thousandths of what the three have");
        let ideal = all * row.budget / shares;
        // The run ends in the middle of a cycle.
        let holds = sum.abs_diff(ideal) <= ideal / 100 + QUANTUM;
        let what = format!("{}: {}: its share, within 1 % and a turn", trial.name, row.name);
        Check::new(what, seen, holds)
    };
    let mut checks: Vec<Check> = trial.rows.iter().zip(&sums).map(share).collect();
    let simulated = served::service_error(trial, &served::simulated(trial));
    let kernel = served::service_error(trial, &counted);
    // A parked thread runs once or twice: its group has a millisecond a second, and is stopped at a tick.
    let parked = PARKED + TICK;
    checks.push(Check::new(
        format!("{}: no service error a quantum, and what a parked thread may have, above the simulated", trial.name),
        format!("{} us, simulated {} us", micro(kernel), micro(simulated)),
        kernel <= simulated + QUANTUM + parked,
    ));
    let reserved = all * 100 / (LENGTH_MS * MS);
    let stated = trial.turns_percent();
    checks.push(Check::new(
        format!("{}: {stated} % of the processor are theirs", trial.name),
        format!("{reserved} %"),
        (stated - 5..=stated + 1).contains(&reserved),
    ));
    checks
}

/// By how much one is above the other in any period.
fn most(one: &Periods, other: &Periods) -> u64 {
    one.iter().zip(other).map(|(one, other)| one.saturating_sub(*other)).max().unwrap_or(0)
}

/// Threads that have jobs. No description here states the cost of the dispatcher, so it is added to the
/// simulation: for each decision in a response the reported cost of the dispatcher, and that of the kernel.
fn answered(
    trial: &Trial,
    told: &Told,
    origin: u64,
    output: &str,
    evidence: &Evidence,
) -> Vec<Check> {
    let (decisions, each) = decisions(output).unwrap_or_default();
    let each = each + each_loan(evidence);
    let tolerance = |response: u64| (2 + response * decisions / (LENGTH_MS * MS)) * each;
    let check = |one: Longest| {
        let Longest { name, bound, simulation, kernel, jobs } = one;
        let holds = bound.is_some_and(|bound| bound >= simulation && bound >= kernel)
            && simulation + tolerance(kernel) >= kernel
            && jobs >= 10;
        let bound = bound.map_or("no bound".to_owned(), micro);
        Check::new(
            format!("{}: {name}: bound >= simulation >= kernel, of {jobs} jobs", trial.name),
            format!(
                "{bound} >= {} >= {} us; cost of the dispatcher: up to {} us",
                micro(simulation),
                micro(kernel),
                micro(tolerance(kernel))
            ),
            holds,
        )
    };
    longest(trial, told, origin).into_iter().map(check).collect()
}

fn micro(ns: u64) -> String {
    format!("{}.{:01}", ns / 1000, ns % 1000 / 100)
}
