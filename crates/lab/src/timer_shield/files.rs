//! The publication's second experiment: an urgent task beside 100 and 1,000 timers of one task of `SCHED_OTHER`, without the module and with it.
//!
//! The publication's hrtimers let each of these interrupt the urgent task, callbacks included. Under `PREEMPT_RT` the timers of
//! `timerfd` are *soft*: their callbacks run in the thread `ktimers`, later. What remains is the interrupt at each expiry, that
//! wakes `ktimers`; the module leaves these timers to the kernel, so it remains with it, too.

use super::module::{HELD, INTERRUPTS, MS, US, counter, microseconds, read, task};
use crate::call_count;
use crate::check::Check;
use crate::evidence::Evidence;
use vorrang_guest::{ManyTimers, Policy, Record, Step, Told};

/// Timers of the one task.
const TIMERS: [u64; 3] = [0, 100, 1_000];
/// Of the urgent task.
const JOBS: u32 = 600;
const SOFT: &str = "/proc/softirqs";

/// The urgent task beside each number of timers.
pub(crate) fn steps() -> Vec<Step> {
    TIMERS.into_iter().flat_map(|number| beside_timers(number, Told::File, JOBS)).collect()
}

/// So many jobs of the urgent task beside so many timers of `SCHED_OTHER`, of a program without privileges.
pub(super) fn beside_timers(number: u64, told: Told, jobs: u32) -> Vec<Step> {
    let (policy, period, apart) = (Policy::Other, 5 * MS, 7 * US);
    let (unprivileged, meddles) = (true, false);
    let timers = ManyTimers { cpu: 0, policy, number, period, apart, told, unprivileged, meddles };
    let urgent = task("urgent".to_owned(), 80, MS, jobs, 200 * US);
    vec![
        Step::StartTimers { timers },
        Step::Sleep { time: 20 * MS },
        read(INTERRUPTS),
        read(SOFT),
        Step::Load { tasks: vec![urgent] },
        read(INTERRUPTS),
        read(SOFT),
        Step::EndTimers,
    ]
}

/// One run.
#[derive(Default)]
pub(super) struct Run {
    pub(super) longest: u64,
    /// From its start on.
    pub(super) computed: u64,
    pub(super) jobs: usize,
    pub(super) interrupts: u64,
    soft: u64,
    pub(super) expired: u64,
}

pub(super) fn runs(evidence: &Evidence) -> Vec<Run> {
    let (mut runs, mut run) = (Vec::new(), Run::default());
    let (mut interrupts, mut soft) = (Vec::new(), Vec::new());
    for record in &evidence.records {
        match record {
            Record::Text { path, text } if path == INTERRUPTS => {
                interrupts.extend(call_count::local_timer(text));
            }
            Record::Text { path, text } if path == SOFT => soft.extend(softly(text)),
            Record::Jobs { jobs, .. } => {
                run.jobs = jobs.len();
                run.computed = jobs.iter().map(|job| job.finish - job.start).max().unwrap_or(0);
                run.longest = jobs.iter().map(|job| job.finish - job.release).max().unwrap_or(0);
            }
            Record::Expired { times } => {
                let grown = |numbers: &mut Vec<u64>| match numbers.drain(..).as_slice() {
                    [before, after] => after - before,
                    _ => 0,
                };
                run.expired = *times;
                run.interrupts = grown(&mut interrupts);
                run.soft = grown(&mut soft);
                runs.push(std::mem::take(&mut run));
            }
            _ => {}
        }
    }
    runs
}

/// How often soft interrupts for timers ran on the first processor.
fn softly(text: &str) -> Option<u64> {
    let row = text.lines().find_map(|line| line.trim_start().strip_prefix("HRTIMER:"))?;
    row.split_whitespace().next()?.parse().ok()
}

/// Of each run what came, and what remains of it.
pub(crate) fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = Vec::new();
    let runs = runs(evidence);
    let names = ["without the module", "with it"];
    for (name, runs) in names.iter().zip(runs.chunks(TIMERS.len())) {
        for (number, run) in TIMERS.iter().zip(runs) {
            let Run { longest, jobs, interrupts, soft, expired, .. } = run;
            let seen = format!(
                "longest response {} us; {expired} expirations, {interrupts} timer interrupts, {soft} soft ones",
                microseconds(*longest)
            );
            // Soft: the callbacks run when ktimers does, several at a time, for it waits for the urgent task.
            let are_soft = (*number == 0) == (*soft < 100) && soft <= interrupts;
            let holds = *jobs == JOBS as usize && (*number == 0) == (*expired == 0) && are_soft;
            checks.push(Check::new(format!("{name}, {number} timers"), seen, holds));
        }
    }
    let remains = |runs: &[Run]| match runs {
        [none, .., all] => all.longest.saturating_sub(none.longest),
        _ => 0,
    };
    let more: Vec<u64> = runs.chunks(TIMERS.len()).map(remains).collect();
    checks.push(Check::new(
        "1,000 timers make the longest response longer, in ns, without the module and with it, by their interrupts alone",
        format!("{more:?}"),
        matches!(more[..], [off, on] if off.min(on) > US && off.abs_diff(on) < 10 * US),
    ));
    let held = evidence.texts(HELD).next().and_then(|text| counter(text, 0, "held"));
    let seen = format!("{held:?} timers held: the urgent task's");
    let only_own = held.is_some_and(|held| held < 2 * u64::from(JOBS) * TIMERS.len() as u64);
    checks.push(Check::new("the module holds none of them", seen, only_own));
    checks
}
