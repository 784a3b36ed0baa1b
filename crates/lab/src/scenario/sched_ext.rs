//! A scheduler of BPF is built, loaded into the stock kernel, schedules threads, and unloads cleanly.
//!
//! Three threads of `SCHED_EXT` on one processor, by nice values. The urgent one is woken while another
//! computes: by the scheduler's rule it preempts at once; the two others, of equal nice values, do not preempt each other.
//!
//! ```text
//! first   ████|██|██████     ready from the beginning; computes 8 ms
//! second      |  |      ████ ready 1 ms later, computes 8 ms
//! urgent      █  █           every 3 ms, 1 ms
//! ```
//!
//! **Not covered.** On these kernels timers wake from a thread of their own; that a thread of `SCHED_EXT` is
//! preempted by one that it wakes itself is not tried.

use super::{Check, Scenario};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::image::File;
use crate::workshop::Workshop;
use vorrang_guest::{LoadedTask, Plan, Policy, Record, Step, Work};

const MS: u64 = 1_000_000;
const NAME: &str = "fixed_priority";
const STATE: &str = "/sys/kernel/sched_ext/state";
const OPERATIONS: &str = "/sys/kernel/sched_ext/root/ops";
const VARIABLES: [&str; 6] =
    ["enqueued", "dispatched", "preempting", "started", "stopped", "exit_kind"];
/// The kernel's exit code of a scheduler that was unloaded in an orderly manner (`SCX_EXIT_UNREG`).
const UNREGISTERED: u64 = 64;
/// Threads of the kernel of all other policies go before those of `SCHED_EXT`.
const TOLERANCE: u64 = 200_000;
/// Of the urgent one.
const JOBS: u32 = 8;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "sched-ext",
        shows: "a scheduler of BPF, built from source, schedules threads of SCHED_EXT and unloads cleanly",
        lines: &["7.2-rt"],
        in_ci: &["7.2-rt"],
        machine: Machine::default(),
        modules: &[],
        programs: &[],
        files: super::no_files,
        of_kernel: Some(|kernel| {
            let bytes = Workshop::of(kernel)?.bpf(NAME)?;
            Ok(vec![File { path: format!("/kernel/{NAME}.bpf.o"), bytes }])
        }),
        plan,
        checks,
    }
}

fn plan() -> Plan {
    let task = |name: &str, nice, offset, period, jobs, work| LoadedTask {
        name: name.to_owned(),
        cpu: Some(0),
        policy: Policy::Ext(nice),
        offset,
        period,
        jobs,
        work: Work::Compute(work),
    };
    let read = |path: &str| Step::Read { path: path.to_owned() };
    let variables = Step::ReadBpf { variables: VARIABLES.map(str::to_owned).to_vec() };
    Plan {
        steps: vec![
            read(STATE),
            Step::LoadBpf { path: format!("/kernel/{NAME}.bpf.o") },
            read(STATE),
            read(OPERATIONS),
            Step::StartTrace {
                events: vec!["sched/sched_switch".to_owned(), "sched/sched_wakeup".to_owned()],
            },
            Step::Load {
                tasks: vec![
                    task("first", 0, 0, 100 * MS, 1, 8 * MS),
                    task("second", 0, MS, 100 * MS, 1, 8 * MS),
                    task("urgent", -10, 2 * MS, 3 * MS, JOBS, MS),
                ],
            },
            Step::EndTrace,
            variables.clone(),
            Step::UnloadBpf,
            read(STATE),
            variables,
        ],
    }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let states: Vec<&str> = evidence.texts(STATE).map(str::trim).collect();
    checks.push(Check::new(
        "it is in effect while it is loaded",
        states.join(", "),
        states == ["disabled", "enabled", "disabled"],
    ));
    let operations: Vec<&str> = evidence.texts(OPERATIONS).map(str::trim).collect();
    checks.push(Check::new(
        "it is this one",
        operations.join(", "),
        operations.concat().starts_with(NAME),
    ));
    counts(evidence, &mut checks);
    schedule(evidence, &mut checks);
    checks
}

/// The counters of the scheduler.
fn counts(evidence: &Evidence, checks: &mut Vec<Check>) {
    let told: Vec<&Vec<(String, u64)>> = evidence
        .records
        .iter()
        .filter_map(|record| match record {
            Record::Variables { values } => Some(values),
            _ => None,
        })
        .collect();
    let value = |at: usize, name: &str| {
        let values = told.get(at)?;
        values.iter().find_map(|(known, value)| (known == name).then_some(*value))
    };
    let shown = |value: Option<u64>| value.map_or("none".to_owned(), |value| value.to_string());
    let dispatched = value(0, "dispatched");
    // Each job of the urgent thread, and the two others.
    let fewest = u64::from(JOBS) + 2;
    let what = format!("it dispatched {fewest} times at least, by its own count");
    checks.push(Check::new(what, shown(dispatched), dispatched >= Some(fewest)));
    let (started, stopped) = (value(0, "started"), value(0, "stopped"));
    checks.push(Check::new(
        "every thread that it started it stopped, once each time",
        format!("{} and {}", shown(started), shown(stopped)),
        started.is_some() && started == stopped && started >= dispatched,
    ));
    let exit = value(1, "exit_kind");
    let what =
        format!("the kernel unloaded it on request, not because of an error ({UNREGISTERED})");
    checks.push(Check::new(what, shown(exit), exit == Some(UNREGISTERED)));
}

/// The check of its rule by the kernel's trace.
fn schedule(evidence: &Evidence, checks: &mut Vec<Check>) {
    let (jobs, _) = evidence.jobs("urgent");
    let complete = u64::try_from(jobs.len()) == Ok(u64::from(JOBS));
    checks.push(Check::new("all jobs of urgent are complete", jobs.len().to_string(), complete));
    if let Some(longest) = jobs.iter().map(|job| job.finish - job.release).max() {
        let what = "urgent takes 1000 us at the longest, and 200 us for what goes before";
        checks.push(Check::new(what, format!("{} us", longest / 1000), longest <= MS + TOLERANCE));
    }
    let end = |name: &str| evidence.jobs(name).0.first().map(|job| job.finish);
    let (first, second) = (end("first"), end("second"));
    let second_began = evidence.schedule.runs_of("second").map(|run| run.begin).max();
    checks.push(Check::new(
        "first is complete before second goes on: equals do not preempt each other",
        match first.zip(second_began) {
            Some((first, began)) => format!("{} us after it", began.saturating_sub(first) / 1000),
            None => "not seen".to_owned(),
        },
        first.is_some() && first < second && first <= second_began,
    ));
}
