//! Timers that anyone may arm, on kernels without `PREEMPT_RT`: an urgent task beside 1,000 timers of one task of
//! `SCHED_OTHER` without privileges, without the module, with it, and after it is gone.
//!
//! On these kernels the callbacks of all of them run in the timer interrupt, whatever runs: files that become readable, signals
//! that are sent, and signals that are ignored, whose timers until 6.12 go on by themselves.

use super::files::{Run, beside_timers, runs};
use super::module::{HELD, MODULES, US, counter, microseconds};
use crate::check::Check;
use crate::evidence::Evidence;
use vorrang_guest::{Step, Told};

/// How the one task is told, and how many timers it has.
const CASES: [(&str, Told, u64); 4] = [
    ("no timers", Told::File, 0),
    ("1,000 of timerfd", Told::File, 1_000),
    ("1,000 of timer_create", Told::Signal, 1_000),
    ("1,000 of timer_create, their signal is ignored", Told::Ignored, 1_000),
];
/// Of the urgent task.
const JOBS: u32 = 200;
/// By how much they may make a job longer that has started, while they are held: by a tick.
const MOST: u64 = 3 * US;
/// And its longest response: what begins before its own timer expires is not preempted.
const MOST_OF_ALL: u64 = 20 * US;
/// And by how much they do at least while they are not; on 7.2 timers whose signal is ignored rest.
const LEAST: u64 = 30 * US;

/// The urgent task in each case.
pub(crate) fn steps() -> Vec<Step> {
    CASES.into_iter().flat_map(|(_, told, number)| beside_timers(number, told, JOBS)).collect()
}

/// The responses in the three runs.
pub(crate) fn checks(evidence: &Evidence) -> Vec<Check> {
    let runs = runs(evidence);
    let by: Vec<&[Run]> = runs.chunks(CASES.len()).collect();
    let mut checks = Vec::new();
    for (at, (name, told, number)) in CASES.into_iter().enumerate() {
        let of = |run: usize| by.get(run).and_then(|runs| runs.get(at));
        let (Some(without), Some(with), Some(after)) = (of(0), of(1), of(2)) else {
            checks.push(Check::new(name, "was not run", false));
            continue;
        };
        let more = |run: &Run, which: usize| run.longest.saturating_sub(by[which][0].longest);
        let hurts =
            |run: &Run, which| number == 0 || told == Told::Ignored || more(run, which) >= LEAST;
        let expire = |run: &Run| (run.expired > 0) == (number > 0 && told != Told::Ignored);
        let all = [without, with, after];
        let shown: Vec<String> = all
            .iter()
            .map(|run| {
                let Run { interrupts, expired, .. } = run;
                let longest = microseconds(run.longest);
                let computed = microseconds(run.computed);
                format!("{longest} ({computed} from its start, {interrupts} timer interrupts, {expired} expirations)")
            })
            .collect();
        checks.push(Check::new(
            format!("{name}: longest response without the module, with it, after it is gone [us]"),
            shown.join(", "),
            hurts(without, 0)
                && hurts(after, 2)
                && more(with, 1) <= MOST_OF_ALL
                && with.computed <= by[1][0].computed + MOST
                && all.iter().all(|run| run.jobs == JOBS as usize && expire(run)),
        ));
    }
    let files = evidence.texts(HELD).next().and_then(|text| counter(text, 0, "files"));
    checks.push(Check::new(
        "timers that no thread sleeps on which were held",
        format!("{files:?}"),
        files > Some(10_000),
    ));
    let gone = evidence.texts(MODULES).last().is_some_and(|text| !text.contains("timer_shield"));
    checks.push(Check::new("the module is gone at the end", gone.to_string(), gone));
    checks
}
