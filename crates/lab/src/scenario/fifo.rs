//! `SCHED_FIFO`: the higher priority runs as soon as it is ready, and the lower one goes on after it.
//!
//! ```text
//! high     ···██········██     priority 50: 2 ms every 10 ms, from 3 ms on
//! low      ███··███            priority 10: 6 ms every 40 ms
//!          0       8   13  [ms]
//! ```

use super::{BOTH, Check, Scenario, TOLERANCE};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use vorrang_guest::{LoadedTask, Plan, Policy, Step, Work};

const MS: u64 = 1_000_000;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "fifo",
        shows: "of two SCHED_FIFO threads the higher priority runs, and the lower one is preempted",
        lines: BOTH,
        takes_long: false,
        machine: Machine::default(),
        modules: &[],
        programs: &[],
        files: super::no_files,
        of_kernel: None,
        plan,
        checks,
    }
}

fn plan() -> Plan {
    let task = |name: &str, priority, offset, period, jobs, work| LoadedTask {
        name: name.to_owned(),
        cpu: Some(0),
        policy: Policy::Fifo(priority),
        offset,
        period,
        jobs,
        work: Work::Compute(work),
    };
    let tasks =
        vec![task("high", 50, 3 * MS, 10 * MS, 12, 2 * MS), task("low", 10, 0, 40 * MS, 3, 6 * MS)];
    let events = vec!["sched/sched_switch".to_owned(), "sched/sched_wakeup".to_owned()];
    Plan { steps: vec![Step::StartTrace { events }, Step::Load { tasks }, Step::EndTrace] }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    for (name, jobs, expected) in [("high", 12, 2 * MS), ("low", 3, 8 * MS)] {
        let done = evidence.jobs(name).0;
        checks.push(Check::new(
            format!("all jobs of {name} are complete"),
            done.len().to_string(),
            done.len() == jobs,
        ));
        let worst = done.iter().map(|job| job.finish - job.release).max().unwrap_or_default();
        checks.push(Check::time(
            format!("{name} takes {} us at the longest", expected / 1000),
            expected,
            worst,
        ));
    }
    checks.push(preempted(evidence));
    checks
}

/// By the trace, `low` is preempted once a job, and nothing runs but `high` until it goes on.
fn preempted(evidence: &Evidence) -> Check {
    let count = evidence
        .schedule
        .runs_of("low")
        .filter(|run| run.preempted && run.end - run.begin > TOLERANCE)
        .count();
    Check::new(
        "by the trace, low is preempted once in each of its 3 jobs",
        count.to_string(),
        count == 3,
    )
}
