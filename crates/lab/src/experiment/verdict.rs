//! The checks of the cases.
//!
//! **Model.** For each case: the reserved time is received, within a tenth, by the kernel's own account,
//! except for waits for locks shared with another reserved program; polling is not done elsewhere; and the
//! order *bound ≥ simulation ≥ kernel* of the task's longest response. Where it has no bound, jobs are later
//! than the next release, and so late without limit.
//!
//! **Assumption.** A runtime ends when it is used up, or with the tick that follows: then analysis and
//! simulation use a description with that excess ([`excess`]), and with the cost of the additional interrupt.

use super::case::{Case, PERIOD, Taken};
use super::measured::{Outcome, outcomes};
use super::network::MEASURED_TIMER;
use super::predicted::{Predicted, predict};
use crate::check::Check;
use crate::evidence::Evidence;
use vorrang_guest::Record;

/// The kernels' tick.
const TICK: u64 = 4_000_000;
/// The share of time that may be spent on packets without a reservation: one in this many.
pub(super) const ELSEWHERE: u64 = 100;

/// The checks of all cases.
pub(super) fn checks(cases: &[Case], evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![commands(evidence)];
    let outcomes = outcomes(cases, evidence);
    let seen = format!("{} of {}", outcomes.len(), cases.len());
    checks.push(Check::new("cases that are complete", seen, outcomes.len() == cases.len()));
    let taken = taken(evidence);
    for (case, outcome) in cases.iter().zip(&outcomes) {
        checks.extend(accounts(case, outcome));
        checks.extend(responses(case, outcome, &predict(case, taken)));
    }
    checks.extend(more_for_more(cases, &outcomes));
    checks
}

/// The costs of the kernel.
pub fn taken(evidence: &Evidence) -> Taken {
    Taken { excess: excess(evidence), timer: timer(evidence) }
}

/// The measured cost of a timer interrupt.
fn timer(evidence: &Evidence) -> u64 {
    let told = evidence.records.iter().filter_map(|record| match record {
        Record::Loop { takes, .. } => Some(*takes),
        _ => None,
    });
    match told.collect::<Vec<u64>>().as_slice() {
        [_, beside, alone] => beside.saturating_sub(*alone) * MEASURED_TIMER / beside,
        _ => 0,
    }
}

/// The possible excess of runtimes. 6.12 looks at them with the tick; told to use a timer, it loses it
/// when the scheduler is called and chooses the same thread again, until the tick.
fn excess(evidence: &Evidence) -> u64 {
    let by_tick = |record: &Record| matches!(record, Record::Started { kernel, .. } if kernel.starts_with("6.12."));
    if evidence.records.iter().any(by_tick) { TICK } else { 0 }
}

/// Every program succeeded.
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
    let alike =
        |case: &Case| case.reservation().is_some() && !case.task.is_reserved() && case.timers == 0;
    let rows: Vec<_> = cases.iter().zip(outcomes).filter(|(case, _)| alike(case)).collect();
    let rate = |outcome: &Outcome| outcome.rate(outcome.taken);
    let check = |pair: &[(&Case, &Outcome)]| {
        let (less, more) = (rate(pair[0].1), rate(pair[1].1));
        let what = format!("{}: more packets than with {}", pair[1].0.name, pair[0].0.name);
        Check::new(what, format!("{more} a second, not {less}"), more > less)
    };
    rows.windows(2).map(check).collect()
}

/// The threads that received time.
fn accounts(case: &Case, outcome: &Outcome) -> Vec<Check> {
    let of = |what: &str| format!("{}: {what}", case.name);
    let Some((budget, period)) = case.reservation() else { return Vec::new() };
    let elsewhere = outcome.soft + outcome.interrupt;
    let moved = format!("{} us of {} ms", elsewhere / 1000, outcome.elapsed / 1_000_000);
    let stays = elsewhere * ELSEWHERE <= outcome.elapsed;
    vec![
        share(case, outcome, budget * 10_000 / period),
        Check::new(
            of("ksoftirqd and the interrupt's thread do nothing in its place"),
            moved,
            stays,
        ),
    ]
}

/// It receives what is reserved, in hundredths of a percent. A program that is reserved, too, may have no budget
/// left while it holds the lock that the thread wants, or lend the thread its own parameters while it waits for
/// the thread: then no more is missing than the time of these waits.
fn share(case: &Case, outcome: &Outcome, reserved: u64) -> Check {
    let received = outcome.share(outcome.handler);
    let tenth = reserved / 10;
    let seen = format!("{received} of {reserved} hundredths of a percent");
    let no_more = received <= reserved + tenth;
    if !case.receiver.is_reserved() {
        let what = format!("{}: it receives its budget, within a tenth", case.name);
        return Check::new(what, seen, no_more && received + tenth >= reserved);
    }
    let [blocked, program] =
        [outcome.waited, outcome.program_waited].map(|time| outcome.share(time));
    let seen = format!("{seen}, blocked for {blocked}, the program for {program}");
    let what = format!(
        "{}: it receives its budget, but for the time that it and the program wait for locks",
        case.name
    );
    Check::new(what, seen, no_more && received + blocked + program + tenth >= reserved)
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

#[cfg(test)]
mod tests {
    use super::super::case::one;
    use super::*;

    /// Of a second, in milliseconds, with 2 ms reserved of 10: what the thread that polls received, and the
    /// waits of that thread and of the program.
    fn holds(case: &Case, received: u64, waits: [u64; 2]) -> bool {
        let [waited, program_waited] = waits.map(|wait| wait * 1_000_000);
        let outcome = Outcome {
            case: case.name.clone(),
            responses: vec![],
            elapsed: 1_000_000_000,
            taken: 0,
            delivered: 0,
            handler: received * 1_000_000,
            waited,
            program_waited,
            interrupt: 0,
            soft: 0,
        };
        share(case, &outcome, 2000).holds
    }

    #[test]
    fn only_beside_a_reserved_program_waits_explain_what_is_missing() {
        let (alone, beside) = (&one("2 ms of 10 ms"), &one("2 ms; task 5 ms, program 1 ms"));
        assert!(holds(alone, 181, [0, 0]) && !holds(alone, 119, [600, 600]));
        assert!(holds(beside, 119, [61, 0]) && holds(beside, 119, [1, 60]));
        assert!(!holds(beside, 119, [60, 0]) && !holds(beside, 119, [0, 60]));
        let more = "never more than a tenth more";
        assert!(!holds(alone, 221, [0, 0]) && !holds(beside, 221, [600, 600]), "{more}");
    }
}
