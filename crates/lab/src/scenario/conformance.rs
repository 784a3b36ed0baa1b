//! All cases of conformance in one boot, one after the other.

use super::{BOTH, Check, Scenario};
use crate::conformance::body::{Kernel, Simulator, conform, examine};
use crate::conformance::case::{Case, MS};
use crate::conformance::{cases, simulated};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use vorrang_guest::{Plan, Step};

/// From the last completion to the end of the threads, so that none ends while another one runs.
const REST: u64 = 5 * MS;
/// Between two cases: what a reservation that has ended held is free again.
const PAUSE: u64 = 100 * MS;
/// How long a turn of `SCHED_RR` is, in milliseconds.
const TURN: (&str, &str) = ("/proc/sys/kernel/sched_rr_timeslice_ms", "20");

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "conformance",
        shows: "simulator and kernel do the same: reservations, priorities, equal ones, turns",
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

/// Threads of different cases have different names.
fn prefix(number: usize) -> String {
    format!("{number:02}.")
}

fn plan() -> Plan {
    let events = vec!["sched/sched_switch".to_owned()];
    let turn = Step::Write { path: TURN.0.to_owned(), text: TURN.1.to_owned() };
    let mut steps = vec![turn, Step::StartTrace { events }];
    for (number, case) in cases::all().iter().enumerate() {
        steps.push(script(case, number));
        steps.push(Step::Sleep { time: PAUSE });
    }
    steps.push(Step::EndTrace);
    Plan { steps }
}

fn script(case: &Case, number: usize) -> Step {
    let last = simulated::course(case).completions.iter().map(|one| one.at).max();
    let until = last.unwrap_or_default() + REST + case.tolerance;
    Step::Script { threads: case.threads(&prefix(number), None), until }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    for (number, case) in cases::all().iter().enumerate() {
        let (simulated, drawn) = examine(case, &Simulator);
        checks.extend(drawn);
        let (seen, drawn) = examine(case, &Kernel { evidence, prefix: prefix(number) });
        checks.extend(drawn);
        checks.extend(conform(case, &simulated, &seen));
    }
    checks
}
