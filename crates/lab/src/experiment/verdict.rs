//! What must hold of the cases.
//!
//! **Model.** Of each case: what is reserved is received, within a tenth, by the kernel's own account;
//! what polls is not done elsewhere; and the order *bound ≥ simulation ≥ kernel* of the task's longest
//! response. Where nothing bounds it, jobs are later than the next release, and so later without limit.
//!
//! **Assumption.** A runtime ends when it is used up, or with the tick that follows: then analysis and
//! simulation are of a description that has so much more in it ([`excess`]).

use super::case::{Case, PERIOD};
use super::measured::{Outcome, outcomes};
use super::predicted::{Predicted, predict};
use crate::evidence::Evidence;
use crate::scenario::Check;
use vorrang_guest::Record;

/// The kernels' tick.
const TICK: u64 = 4_000_000;
/// The part of the time that may be spent on packets where nobody reserved it: one in so many.
pub(super) const ELSEWHERE: u64 = 100;

/// The checks of all cases.
pub(super) fn checks(cases: &[Case], evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence), commands(evidence)];
    let outcomes = outcomes(cases, evidence);
    let seen = format!("{} of {}", outcomes.len(), cases.len());
    checks.push(Check::new("cases that are complete", seen, outcomes.len() == cases.len()));
    let excess = excess(evidence);
    for (case, outcome) in cases.iter().zip(&outcomes) {
        checks.extend(accounts(case, outcome));
        checks.extend(responses(case, outcome, &predict(case, excess)));
    }
    checks.extend(more_for_more(cases, &outcomes));
    checks
}

/// What a kernel may exceed runtimes by. 6.12 looks at them with the tick; told to use a timer, it loses it
/// when the scheduler is called and chooses the same thread again, until the tick.
pub fn excess(evidence: &Evidence) -> u64 {
    let by_tick = |record: &Record| matches!(record, Record::Started { kernel, .. } if kernel.starts_with("6.12."));
    if evidence.records.iter().any(by_tick) { TICK } else { 0 }
}

/// Every program that was run did what it was told.
pub(super) fn commands(evidence: &Evidence) -> Check {
    let failed = |record: &Record| match record {
        Record::Ran { command, exit, errors, .. } if *exit != 0 => {
            Some(format!("{}: {exit} {errors}", command.join(" ")))
        }
        _ => None,
    };
    let failed: Vec<String> = evidence.records.iter().filter_map(failed).collect();
    let seen = if failed.is_empty() { "none".to_owned() } else { failed.join("; ") };
    Check::new("commands that failed", seen, failed.is_empty())
}

/// Of those that differ in nothing but the budget, more of it takes more packets.
fn more_for_more(cases: &[Case], outcomes: &[Outcome]) -> Vec<Check> {
    let alike = |case: &Case| case.reservation().is_some() && !case.task.is_reserved();
    let rows: Vec<_> = cases.iter().zip(outcomes).filter(|(case, _)| alike(case)).collect();
    let rate = |outcome: &Outcome| outcome.rate(outcome.taken);
    let check = |pair: &[(&Case, &Outcome)]| {
        let (less, more) = (rate(pair[0].1), rate(pair[1].1));
        let what = format!("{}: more packets than with {}", pair[1].0.name, pair[0].0.name);
        Check::new(what, format!("{more} a second, not {less}"), more > less)
    };
    rows.windows(2).map(check).collect()
}

/// Who received time.
fn accounts(case: &Case, outcome: &Outcome) -> Vec<Check> {
    let of = |what: &str| format!("{}: {what}", case.name);
    let Some((budget, period)) = case.reservation() else { return Vec::new() };
    let reserved = budget * 10_000 / period;
    let received = outcome.share(outcome.handler);
    let seen = format!("{received} of {reserved} hundredths of a percent");
    let kept = received.abs_diff(reserved) * 10 <= reserved;
    let elsewhere = outcome.soft + outcome.interrupt;
    let moved = format!("{} us of {} ms", elsewhere / 1000, outcome.elapsed / 1_000_000);
    let stays = elsewhere * ELSEWHERE <= outcome.elapsed;
    vec![
        Check::new(of("it receives its budget, within a tenth"), seen, kept),
        Check::new(
            of("ksoftirqd and the interrupt's thread do nothing in its place"),
            moved,
            stays,
        ),
    ]
}

fn responses(case: &Case, outcome: &Outcome, predicted: &Predicted) -> Vec<Check> {
    let of = |what: &str| format!("{}: {what}", case.name);
    let longest = outcome.response(100);
    let us = |time: u64| format!("{} us", time / 1000);
    let Some(simulated) = predicted.simulated else {
        return vec![Check::new(of("it is simulated"), "no", false)];
    };
    let Some(bound) = predicted.bound else {
        let seen = format!("{}; {}", us(longest), predicted.reason.as_deref().unwrap_or_default());
        let what = of("nothing bounds it, and jobs end after the next release");
        return vec![Check::new(what, seen, longest > PERIOD)];
    };
    let ordered = Check::new(
        of("bound >= simulation"),
        format!("{} and {}", us(bound), us(simulated)),
        bound >= simulated,
    );
    let seen = format!("{} and {}", us(simulated), us(longest));
    vec![ordered, Check::new(of("simulation >= kernel"), seen, simulated >= longest)]
}
