//! The shield in random histories: timers of many threads are armed, cancelled, armed again and expire, and priorities change,
//! while something more urgent computes again and again.
//!
//! ```text
//!   Exercise ──> threads of the guest ──> no sleep early, none later than the bound
//!      └──> description with `timers = "timershield"` and the kernel's profile ──> response time of the least urgent
//! ```
//!
//! **Model.** Each thread that sleeps is a task whose shortest sleep is its minimum interarrival time; the one above them is
//! another; and each of its jobs wakes one of them before its time, which is a third. Priorities change all the time, so what
//! holds for all is the bound of the least urgent.
//!
//! **Assumptions.** 1. What a thread executes between two sleeps, and the one above around what it computes, is no more than
//! [`BETWEEN`] and [`AROUND`], which are chosen amply and not measured.

use super::timer_shield::{HELD, counter, listen, load_module, no_warning, read, unload_module};
use super::{Check, Scenario, timer_shield};
use crate::evidence::Evidence;
use std::fmt::Write as _;
use vorrang_guest::{Exercise, Plan, Record, Step};
use vorrang_model::{Format, read as read_description};

const US: u64 = 1_000;
/// In continuous integration, and in `all`.
const STEPS: (u64, u64) = (200_000, 10_000_000);
/// The execution time of a thread between two sleeps, in microseconds: what is around the sleep, in instructions.
const BETWEEN: u64 = 12;
/// And of the one above, around what it computes.
const AROUND: u64 = 25;
const EXERCISE: Exercise = Exercise {
    cpu: 0,
    seed: 19,
    steps: 0,
    threads: 12,
    sleeps: (1_000 * US, 2_000 * US),
    above: 90,
    pauses: (400 * US, 800 * US),
    computes: 40 * US,
};

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "timer-shield-exercise",
        shows: "timers armed, cancelled and changed at random end no sleep early, and none later than the bound",
        plan: || plan(STEPS.0),
        checks: |evidence| checks(STEPS.0, evidence),
        ..timer_shield::scenario()
    }
}

pub(super) fn in_full() -> Scenario {
    Scenario {
        name: "timer-shield-exercise-10m",
        shows: "the same ten million times",
        in_ci: &[],
        plan: || plan(STEPS.1),
        checks: |evidence| checks(STEPS.1, evidence),
        ..scenario()
    }
}

fn plan(steps: u64) -> Plan {
    let exercise = Exercise { steps, ..EXERCISE };
    let steps = vec![
        listen(),
        load_module("cpus=0"),
        Step::Exercise { exercise },
        read(HELD),
        unload_module(),
    ];
    Plan { steps }
}

/// What the threads are, for `vorrang check`.
fn description(kernel: &str) -> String {
    let Exercise { threads, sleeps, above, pauses, computes, .. } = EXERCISE;
    let mut text = format!(
        "version = 1\n\
         [core.0]\nscheduler = \"linux\"\nkernel = \"{kernel}\"\nfair-server = \"none\"\ntimers = \"timershield\"\n"
    );
    let mut task = |name: &str, wcet: u64, period: u64, priority: u32| {
        let timer = format!(
            "[timer.{name}]\narmed-by = \"task.{name}\"\nperiod = \"{period}ns\"\nwakes = true\n"
        );
        let deadline = "deadline = \"1s\"\n";
        write!(text, "[task.{name}]\non = \"core.0\"\nwcet = \"{wcet}us\"\n{deadline}priority = {priority}\n{timer}")
            .expect("text is written");
    };
    task("above", computes / US + AROUND, pauses.0, above);
    task("woken", BETWEEN, pauses.0, above - 1);
    for priority in 1..=threads {
        // The thread `ktimers` has priority 1.
        task(&format!("sleeper-{priority}"), BETWEEN, sleeps.0, priority + 1);
    }
    text
}

/// The bound of the least urgent thread.
fn bound(kernel: &str) -> Result<u64, String> {
    let system =
        read_description(description(kernel), Format::Toml).map_err(|why| format!("{why:?}"))?;
    let bounds = vorrang_analysis::bounds(&system);
    let of_all =
        system.task_ids().map(|id| bounds.task(id).bound().map(vorrang_time::Duration::as_ns));
    let longest = of_all.collect::<Option<Vec<u64>>>().and_then(|of_all| of_all.into_iter().max());
    longest.ok_or_else(|| "there is none".to_owned())
}

fn checks(steps: u64, evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence), no_warning(evidence)];
    let exercised = evidence.records.iter().find_map(|record| match *record {
        Record::Exercised { armed, expired, cancelled, changed, early, latest } => {
            Some(([armed, expired, cancelled, changed], early, latest))
        }
        _ => None,
    });
    let Some((done, early, latest)) = exercised else {
        checks.push(Check::new("the exercise was done", "it was not", false));
        return checks;
    };
    let [armed, expired, cancelled, changed] = done;
    let of_all: u64 = done.iter().sum();
    checks.push(Check::new(
        format!("{steps} steps"),
        format!(
            "{armed} armed, {expired} expired, {cancelled} cancelled, {changed} priorities changed"
        ),
        of_all >= steps && armed == expired + cancelled && done.iter().all(|&of| of * 100 > steps),
    ));
    checks.push(Check::new("sleeps that ended early", early.to_string(), early == 0));
    let bound = bound(evidence.line().unwrap_or_default());
    let seen = format!("{} us, bound {:?} us", latest / US, bound.as_ref().map(|bound| bound / US));
    checks.push(Check::new(
        "the latest sleep is within the bound of the least urgent thread",
        seen,
        bound.is_ok_and(|bound| latest <= bound),
    ));
    let held = evidence.texts(HELD).next().and_then(|text| counter(text, 0, "held-back"));
    checks.push(Check::new(
        "timers that were held back",
        format!("{held:?}"),
        held.is_some_and(|held| held * 100 > expired),
    ));
    checks
}
