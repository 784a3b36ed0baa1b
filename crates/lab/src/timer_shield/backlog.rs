//! Many less urgent timers that are due at once, when an urgent job ends: the interrupts that fire them end, each of them.
//!
//! ```text
//!   urgent, 80     [######## 14 ms ########]                       [####
//!   80 sleepers, 10   | | | | their timers    [ 16 ][ 16 ] … a backlog
//!   watch, 90      |  |  |  |  |  |  |  |  |  |  |  |  |  every 197 us
//! ```
//!
//! An interrupt of the kernel's that finds something expired three times takes itself for a hang: it puts its next event
//! off by as long as it took, that of the most urgent thread too. So it is counted how often that happened
//! (`/proc/timer_list`), and how late the watch comes.

use super::module::{HELD, MS, US, counter, load_module, microseconds, never_early, read, task};
use crate::check::Check;
use crate::evidence::Evidence;
use vorrang_guest::{Record, Step};

const TIMERS: &str = "/proc/timer_list";
const SLEEPERS: u64 = 80;
/// Of the urgent task; within one each sleeper wakes up once.
const JOBS: u64 = 6;
const PERIOD: u64 = 20 * MS;
/// Of the watch.
const EVERY: u64 = 197 * US;
/// A timer that fires, its thread's switches and its next sleep; and between two batches.
const EACH: u64 = 20 * US;
const GAP: u64 = 10 * US;
/// How late the watch may come: what one timer that fires takes, and the switch to it.
const LATE: u64 = 16 * US;

/// The tasks beside each other, with the usual `batch` and a smaller one.
pub(crate) fn steps() -> Vec<Step> {
    let with = |parameters: &str| [load_module(parameters), read(TIMERS), beside(), read(TIMERS)];
    let unload = || [read(HELD), super::module::unload_module()];
    let run = |parameters| with(parameters).into_iter().chain(unload());
    run("cpus=0").chain(run("cpus=0 batch=4")).collect()
}

fn beside() -> Step {
    let jobs = u32::try_from(JOBS).unwrap_or(0);
    let watches = u32::try_from(JOBS * PERIOD / EVERY).unwrap_or(0);
    let sleeper = |number: u64| {
        let mut sleeper = task(format!("sleeper-{number}"), 10, PERIOD, jobs, 1);
        sleeper.offset = MS + number * 16 * US;
        sleeper
    };
    let urgent = task("urgent".to_owned(), 80, PERIOD, jobs, 14 * MS);
    let watch = task("watch".to_owned(), 90, EVERY, watches, 1);
    Step::MeanwhileOf {
        tasks: (0..SLEEPERS).map(sleeper).chain([urgent, watch]).collect(),
        told: vec!["urgent".to_owned(), "watch".to_owned()],
        steps: Vec::new(),
    }
}

/// Of the first processor: how often an interrupt took itself for a hang, and the longest time of one.
fn hangs(text: &str) -> Option<(u64, u64)> {
    let number = |name: &str| {
        let row = text.lines().find_map(|line| line.trim_start().strip_prefix(name))?;
        row.trim_start_matches([' ', ':']).split_whitespace().next()?.parse().ok()
    };
    Some((number(".nr_hangs")?, number(".max_hang_time")?))
}

/// No interrupt was taken for a hang, the watch came in time, and all woke up in time.
pub(crate) fn checks(evidence: &Evidence) -> Vec<Check> {
    let seen: Vec<_> = evidence.texts(TIMERS).map(hangs).collect();
    let none = seen.len() == 4 && seen.iter().all(|seen| *seen == Some((0, 0)));
    let mut checks = vec![Check::new(
        "interrupts that were taken for hangs, and the longest, in ns, before and after each run",
        format!("{seen:?}"),
        none,
    )];
    let late: Vec<u64> = evidence.records.iter().filter_map(latest).collect();
    checks.push(Check::new(
        "the watch is late by at most, in each run [us]",
        late.iter().copied().map(microseconds).collect::<Vec<_>>().join(", "),
        late.len() == 2 && late.iter().all(|late| *late <= LATE),
    ));
    let held_back: Vec<_> =
        evidence.texts(HELD).map(|text| counter(text, 0, "held-back")).collect();
    checks.push(Check::new(
        "timers that were held back, in each run",
        format!("{held_back:?}"),
        held_back.len() == 2 && held_back.iter().all(|held| *held >= Some(SLEEPERS * JOBS)),
    ));
    checks.push(never_early(evidence));
    checks.extend(ends(evidence));
    checks
}

/// The backlog ends: the last sleeper runs no later after the urgent job than what all of them take, and the gaps between the batches.
fn ends(evidence: &Evidence) -> Option<Check> {
    let longest = |task: &Record| match task {
        Record::Jobs { task, jobs, .. } if task == "urgent" => {
            jobs.iter().map(|job| job.finish - job.release).max()
        }
        _ => None,
    };
    let latest = |others: &Record| match others {
        Record::Others { latest, .. } => Some(*latest),
        _ => None,
    };
    let urgent = evidence.records.iter().filter_map(longest).max()?;
    let others = evidence.records.iter().filter_map(latest).max()?;
    // A sleeper fires and runs; with four at once there are the most gaps.
    let bound = urgent - MS + SLEEPERS * EACH + SLEEPERS.div_ceil(4) * GAP + SLEEPERS / 4 * EACH;
    let seen = format!("{} us late, at most {}", microseconds(others), microseconds(bound));
    Some(Check::new("the last of the backlog", seen, others <= bound))
}

/// How late the watch began at most.
fn latest(record: &Record) -> Option<u64> {
    match record {
        Record::Jobs { task, jobs, .. } if task == "watch" => {
            jobs.iter().map(|job| job.start.saturating_sub(job.release)).max()
        }
        _ => None,
    }
}
