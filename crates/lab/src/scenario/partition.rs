//! Reservations of a thread that is pinned to one of two processors: only a partition admits them.

use super::conformance::{ALONE, check_case, performed, prefix, sharp_budgets, taken};
use super::{BOTH, Check, Scenario};
use crate::conformance::admission::{LIMIT, TRIALS};
use crate::conformance::case::Case;
use crate::conformance::{calibration, cases};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use vorrang_guest::{Plan, Policy, Record, ScriptedThread, Step};

const MS: u64 = 1_000_000;
const EPERM: i32 = 1;
/// The processor of the partition.
const CPU: usize = 1;
/// A thread that is pinned without a partition.
const OUTSIDE: &str = "outside";
const GROUP: &str = "/sys/fs/cgroup/conformance";
/// The members of the partition: a server and another thread of every kind.
const CASES: &[&str] = &["throttling", "wakeup-revised", "earliest-deadline", "deadline-over-fifo"];

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "conformance-partition",
        shows: "on one of two processors a reservation needs a partition, and there all is the same",
        lines: BOTH,
        in_ci: BOTH,
        machine: Machine { cpus: 2, command_line: ALONE, ..Machine::default() },
        modules: &[],
        programs: &[],
        files: super::no_files,
        of_kernel: None,
        plan,
        checks,
    }
}

fn cases() -> impl Iterator<Item = (usize, Case)> {
    cases::all().into_iter().enumerate().filter(|(_, case)| CASES.contains(&case.name.as_str()))
}

fn plan() -> Plan {
    let write = |file: &str, text: &str| Step::Write {
        path: format!("{GROUP}/{file}"),
        text: text.to_owned(),
    };
    let policy =
        Policy::Deadline { runtime: MS, deadline: 10 * MS, period: 10 * MS, reclaims: false };
    let outside =
        ScriptedThread { name: OUTSIDE.to_owned(), cpu: Some(CPU), policy, jobs: Vec::new() };
    let mut steps = vec![
        Step::Read { path: LIMIT.to_owned() },
        Step::Script { threads: vec![outside], until: 0 },
        Step::Write {
            path: "/sys/fs/cgroup/cgroup.subtree_control".to_owned(),
            text: "+cpuset".to_owned(),
        },
        Step::MakeFolder { path: GROUP.to_owned() },
        write("cpuset.cpus", &CPU.to_string()),
        write("cpuset.cpus.partition", "root"),
        // The first process itself; its threads follow.
        write("cgroup.procs", "0"),
        sharp_budgets(),
    ];
    let pause = || Step::Sleep { time: 100 * MS };
    for (number, trial) in TRIALS.iter().enumerate() {
        steps.extend([trial.step(number, CPU), pause()]);
    }
    steps.push(Step::StartTrace { events: vec!["sched/sched_switch".to_owned()] });
    steps.extend(calibration::steps(CPU));
    for (number, case) in cases() {
        steps.extend(performed(&case, number, Some(CPU)));
    }
    steps.push(Step::EndTrace);
    Plan { steps }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let (shipped, taken) = taken(evidence);
    let mut checks = vec![refused(evidence), outside(evidence)];
    checks.extend(taken);
    let trials = TRIALS.iter().enumerate();
    checks.extend(trials.map(|(number, trial)| trial.check(number, evidence)));
    for (number, case) in cases() {
        let Some(shipped) = &shipped else { break };
        checks.extend(check_case(&case.on(shipped.costs()), &prefix(number), evidence).0);
    }
    checks
}

/// Reservations are refused, which is checked elsewhere; nothing else is.
fn refused(evidence: &Evidence) -> Check {
    let refusals = evidence.refusals();
    let others: Vec<String> =
        refusals.into_iter().filter(|refusal| !refusal.starts_with("task ")).collect();
    let seen = if others.is_empty() { "nothing".to_owned() } else { others.join("; ") };
    Check::new("what the guest could not do", seen, others.is_empty())
}

fn outside(evidence: &Evidence) -> Check {
    let error = evidence.records.iter().find_map(|record| match record {
        Record::Refused { what, errno, why } if *what == format!("task {OUTSIDE}") => {
            Some((*errno, why.as_str()))
        }
        _ => None,
    });
    let (errno, seen) = error.unwrap_or((0, "it was admitted"));
    Check::new("a pinned thread is not admitted without a partition", seen, errno == EPERM)
}
