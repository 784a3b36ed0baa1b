//! `vorrang-host` and a storm: interrupts of a guest at 20 kHz, four hundred times as often as its pseudo-VCPU has credits.
//!
//! ```text
//!   raiser ─► vorrang-vcpu, thread "guest": 4 ms of 20, computes, or halts; a credit every 20 ms
//!             vorrang-probe, thread "rival":     6 ms of 20 above it, computes
//! ```
//!
//! **Assumptions.** 1. Counted time. 2. One processor: what raises the interrupts is on it, above everything but the dispatcher,
//! and no description states it. Its timer is charged to the thread that it interrupts.

use super::raised::{self, LENGTH_MS, Raiser};
use super::{Check, Scenario, host_interrupts, rival};
use crate::evidence::Evidence;
use crate::host::guest::{counted, file, told};
use crate::host::interrupted::{TRIALS, Trial};
use vorrang_guest::{Plan, Step};
use vorrang_probe::Told as Counted;

/// So many interrupts, so far apart.
const COUNT: usize = 40_000;
const APART_US: u64 = 50;
const APART: &str = "50us";
/// The first one comes so long after this file, which is there shortly before the servers are run.
const DELAY_MS: u64 = 500;
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
const MOST_DECISIONS: u64 = COUNT as u64 / 2;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "host-storm",
        shows: "vorrang-host runs a pseudo-VCPU in a storm of 20 kHz: budgets are kept, and it wakes for few of the interrupts",
        files: || raised::files(trials().map(|trial| (trial.name, trial.description()))),
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
fn trials() -> impl Iterator<Item = Trial> {
    let with_room = |trial: &Trial| Trial { rival: RIVAL_MS, ..*trial };
    TRIALS.iter().filter(|trial| trial.reserved).map(with_room)
}

/// What raises the storm.
pub(super) fn raiser(trial: &Trial) -> Raiser {
    Raiser {
        told: told(trial.name),
        work: trial.work,
        turns: TURNS,
        delay_ms: DELAY_MS,
        count: COUNT,
        apart: APART,
        spread: "0ms",
        how: "",
    }
}

fn plan() -> Plan {
    let mut steps = vec![Step::RememberState];
    for trial in trials() {
        let (counted, raiser) = (counted(trial.name), raiser(&trial));
        steps.extend([raised::counting(&counted), raiser.start(), raised::settled()]);
        steps.push(raised::run(&file(trial.name), true));
        steps.extend(raised::read(&counted, "read"));
        steps.extend(raiser.ended());
    }
    steps.push(Step::CompareState);
    Plan { steps }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let mut said = raised::said(evidence);
    for Trial { name, rival, .. } in trials() {
        let Some(said) = said.next() else {
            checks.push(raised::not_run(name));
            continue;
        };
        checks.extend([said.check(name), woken(name, said.output)]);
        let most = rival::SHORT + PERIOD_US / APART_US * TIMER_NS;
        let supplied = |told: Counted| rival::supplied(name, rival, most, said.origin(), &told);
        checks.push(raised::told(name, &counted(name), evidence).map_or_else(|why| why, supplied));
    }
    checks.extend(super::apply::differences(evidence));
    checks
}

/// How often the dispatcher woke, and how many interrupts it was told of.
fn woken(name: &str, output: &str) -> Check {
    const COUNT: u64 = self::COUNT as u64;
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
