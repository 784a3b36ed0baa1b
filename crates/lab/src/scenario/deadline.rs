//! `SCHED_DEADLINE`: a thread receives its runtime in every period, and no more.
//!
//! ```text
//! reserved  ██········██········█         runtime 2 ms every 10 ms, jobs of 5 ms
//! hog         ████████  ████████  ██████  SCHED_OTHER, always ready
//!           0         10        20     [ms]
//! ```

use super::{BOTH, Check, Scenario, TOLERANCE};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use vorrang_guest::{LoadedTask, Plan, Policy, Step, Work};

const MS: u64 = 1_000_000;
const JOBS: u32 = 5;

pub(super) fn throttling() -> Scenario {
    Scenario {
        name: "deadline-throttling",
        shows: "a SCHED_DEADLINE thread that wants more than its runtime waits for the next period",
        lines: BOTH,
        takes_long: false,
        machine: Machine::default(),
        modules: &[],
        programs: &[],
        files: super::no_files,
        of_kernel: None,
        plan: || plan(2 * MS, 5 * MS, 40 * MS),
        checks: |evidence| {
            let mut checks = general(evidence);
            // Two whole runtimes and their waits, then the last millisecond.
            checks.extend(responses(evidence, 21 * MS));
            checks.push(windows(evidence));
            checks
        },
    }
}

pub(super) fn wakeup() -> Scenario {
    Scenario {
        name: "deadline-wakeup",
        shows: "a SCHED_DEADLINE thread that wakes up with runtime left runs before all others",
        lines: BOTH,
        takes_long: false,
        machine: Machine::default(),
        modules: &[],
        programs: &[],
        files: super::no_files,
        of_kernel: None,
        plan: || plan(2 * MS, MS, 10 * MS),
        checks: |evidence| {
            let mut checks = general(evidence);
            checks.extend(responses(evidence, MS));
            checks
        },
    }
}

fn plan(runtime: u64, work: u64, period: u64) -> Plan {
    let policy = Policy::Deadline { runtime, deadline: 10 * MS, period: 10 * MS };
    let reserved = LoadedTask {
        name: "reserved".to_owned(),
        cpu: None,
        policy,
        offset: 0,
        period,
        jobs: JOBS,
        work: Work::Compute(work),
    };
    let hog = LoadedTask {
        name: "hog".to_owned(),
        policy: Policy::Other,
        jobs: 1,
        work: Work::Compute(u64::from(JOBS) * period / 2),
        ..reserved.clone()
    };
    let events = vec!["sched/sched_switch".to_owned(), "sched/sched_wakeup".to_owned()];
    Plan {
        steps: vec![
            Step::StartTrace { events },
            Step::Load { tasks: vec![reserved, hog] },
            Step::EndTrace,
        ],
    }
}

fn general(evidence: &Evidence) -> Vec<Check> {
    let jobs = evidence.jobs("reserved").0.len();
    vec![
        Check::nothing_refused(evidence),
        Check::new("all jobs are complete", jobs.to_string(), jobs == JOBS as usize),
    ]
}

fn responses(evidence: &Evidence, expected: u64) -> Vec<Check> {
    let jobs = evidence.jobs("reserved").0.iter().enumerate();
    jobs.map(|(number, job)| {
        let what = format!("job {number} is complete {} us after its release", expected / 1000);
        Check::time(what, expected, job.finish - job.release)
    })
    .collect()
}

/// From each beginning of a job, in 10 ms no more than the runtime, by the trace.
fn windows(evidence: &Evidence) -> Check {
    let jobs = evidence.jobs("reserved").0.iter();
    let starts = jobs.flat_map(|job| [0, 10, 20].map(|offset| job.start + offset * MS));
    let most = starts.map(|at| evidence.schedule.received("reserved", at, at + 10 * MS)).max();
    let most = most.unwrap_or_default();
    let what = "by the trace, 10 ms give it no more than 2 ms";
    Check::new(what, format!("{} us", most / 1000), most > MS && most <= 2 * MS + TOLERANCE)
}
