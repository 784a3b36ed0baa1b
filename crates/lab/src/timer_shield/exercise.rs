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
//! **Assumptions.** Those of `scenarios/timer_shield/exercise.toml`.

use super::module::{HELD, US, counter};
use crate::check::Check;
use crate::data;
use crate::evidence::Evidence;
use crate::written::Scenario;
use vorrang_guest::{Exercise, Record, Step};
use vorrang_model::{Format, read};

/// The exercise of a scenario.
pub(crate) fn step(of: &Scenario) -> Step {
    Step::Exercise { exercise: of.given("exercise") }
}

/// The bound of the least urgent thread.
fn bound(kernel: &str) -> Result<u64, String> {
    let text = data::text("timer_shield/exercise.toml").replace("7.2-rt", kernel);
    let system = read(text, Format::Toml).map_err(|why| format!("{why:?}"))?;
    let bounds = vorrang_analysis::bounds(&system);
    let of_all =
        system.task_ids().map(|id| bounds.task(id).bound().map(vorrang_time::Duration::as_ns));
    let longest = of_all.collect::<Option<Vec<u64>>>().and_then(|of_all| of_all.into_iter().max());
    longest.ok_or_else(|| "there is none".to_owned())
}

/// No sleep ended early, none later than the bound.
pub(crate) fn checks(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let steps = of.given::<Exercise>("exercise").steps;
    let mut checks = Vec::new();
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
