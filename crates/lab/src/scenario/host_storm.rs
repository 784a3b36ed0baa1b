//! `vorrang-host` and a storm: interrupts of a guest at 20 kHz, four hundred times as often as its pseudo-VCPU has credits.
//!
//! ```text
//!   raiser ─► vorrang-vcpu, thread "guest": 4 ms of 20, computes, or halts; a credit every 20 ms
//!             vorrang-probe, thread "rival":     6 ms of 20 above it, computes
//! ```
//!
//! **Assumptions.** 1. Counted time. 2. One processor: what raises the interrupts is on it, above everything but the dispatcher,
//! and no description states it. Its timer is charged to the thread that it interrupts.

use super::host_interrupts::{LENGTH_MS, rival_but_for};
use super::host_kinds::words;
use super::{Check, Scenario, host_interrupts};
use crate::evidence::Evidence;
use crate::host::interrupted::{TRIALS, Trial};
use crate::host::{MS, READ_MS};
use crate::image::File;
use vorrang_guest::{Plan, Record, Step};
use vorrang_probe::Told as Counted;

/// So many interrupts, so far apart.
const COUNT: u64 = 40_000;
const APART_US: u64 = 50;
/// The first one comes so long after this file, which is there shortly before the servers are run.
const DELAY_MS: u64 = 500;
pub(super) const AFTER: &str = "/run/vorrang/host.running";
/// Turns of the handler, two instructions each.
const TURNS: u32 = 2500;
/// The other server of the core, of 20 ms. The storm itself takes a third of the processor: with more than 95 % of it taken the
/// kernel's server of `SCHED_OTHER` would precede all of this.
const RIVAL_MS: u64 = 6;
const PERIOD_US: u64 = 20_000;
/// A timer of the raiser interrupts, and its time is charged to the interrupted thread: so long at most, with what the switches
/// leave in it.
const TIMER_NS: u64 = 5_000;
/// Wake-ups of the dispatcher, for each two interrupts.
const MOST_DECISIONS: u64 = COUNT / 2;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "host-storm",
        shows: "vorrang-host runs a pseudo-VCPU in a storm of 20 kHz: budgets are kept, and it wakes for few of the interrupts",
        files: || {
            let file =
                |trial: &Trial| File { path: trial.file(), bytes: description(trial).into() };
            trials().map(file).chain(super::busybox()).collect()
        },
        in_ci: &[],
        plan,
        checks,
        ..host_interrupts::scenario()
    }
}

/// The same on 6.12.
pub(super) fn on_6_12() -> Scenario {
    Scenario {
        name: "host-storm-6.12",
        lines: &["6.12-rt"],
        machine: host_interrupts::vmware(),
        ..scenario()
    }
}

/// Those with a pseudo-VCPU.
fn trials() -> impl Iterator<Item = &'static Trial> {
    TRIALS.iter().filter(|trial| trial.reserved)
}

fn description(trial: &Trial) -> String {
    let [whole, less] = [10, RIVAL_MS].map(|ms| format!("budget = \"{ms}ms\""));
    trial.description().replacen(&whole, &less, 1)
}

fn plan() -> Plan {
    let mut steps = vec![Step::RememberState];
    for trial in trials() {
        let (counted, told) = (trial.counted(), trial.told());
        let readings = (LENGTH_MS + 11_000) / READ_MS;
        let probe = format!("/bin/vorrang-probe {counted} {READ_MS}ms {readings} rival=always");
        let guest = format!(
            "/bin/vorrang-vcpu {told} {} {TURNS} {DELAY_MS}ms {COUNT} {APART_US}us 0ms {AFTER}",
            trial.work
        );
        let run = format!("/bin/vorrang-host run {} --yes --for {LENGTH_MS}ms", trial.file());
        steps.extend([
            Step::Start { command: words(&probe) },
            Step::Start { command: words(&guest) },
            Step::Sleep { time: 1500 * MS },
            Step::Run { command: words(&run) },
            Step::Await { path: told, text: "raised".to_owned(), limit: 20_000 * MS },
            Step::Await { path: counted.clone(), text: "read".to_owned(), limit: 20_000 * MS },
            Step::Read { path: counted },
            Step::Run { command: words("/bin/busybox killall -9 vorrang-vcpu") },
            Step::Sleep { time: 50 * MS },
        ]);
    }
    steps.push(Step::CompareState);
    Plan { steps }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let mut ran = evidence.records.iter().filter_map(|record| match record {
        Record::Ran { command, exit, output, errors }
            if command.iter().any(|word| word == "/bin/vorrang-host") =>
        {
            Some((*exit, output, errors))
        }
        _ => None,
    });
    for trial in trials() {
        let name = trial.name;
        let Some((exit, output, errors)) = ran.next() else {
            checks.push(Check::new(format!("{name}: it is run"), "it did not run", false));
            continue;
        };
        let seen = if exit == 0 { output } else { errors };
        checks.push(Check::new(format!("{name}: it is run to its end"), seen, exit == 0));
        checks.push(woken(name, output));
        let counted = evidence.texts(&trial.counted()).next().unwrap_or_default().to_owned();
        match serde_json::from_str::<Counted>(&counted) {
            Ok(counted) => {
                let most = 60_000 + PERIOD_US / APART_US * TIMER_NS;
                checks.push(rival_but_for(most, name, RIVAL_MS, &counted, output));
            }
            Err(why) => {
                checks.push(Check::new(format!("{name}: it tells"), why.to_string(), false));
            }
        }
    }
    checks.extend(super::apply::differences(evidence));
    checks
}

/// How often the dispatcher woke, and how many interrupts it was told of.
fn woken(name: &str, output: &str) -> Check {
    let number = |line: &str, place| line.split(' ').nth(place)?.parse::<u64>().ok();
    let decisions = output.lines().find(|line| line.contains(" decisions, "));
    let decisions = decisions.and_then(|line| number(line, 0)).unwrap_or(u64::MAX);
    let told = output.lines().find_map(|line| line.strip_prefix("interrupt.card: raised "));
    let told = told.and_then(|line| number(line, 0)).unwrap_or(0);
    let seen = format!(
        "{decisions} decisions in {LENGTH_MS} ms, {} thousandths for each of {COUNT}; {told} were counted",
        decisions.saturating_mul(1000) / COUNT
    );
    let what = format!("{name}: at most a decision for each two interrupts");
    // Those after the last one that it was told of are not.
    let holds = decisions <= MOST_DECISIONS && told > COUNT * 9 / 10 && told <= COUNT;
    Check::new(what, seen, holds)
}
