//! `vorrang apply` and `vorrang restore`, killed or refused at every call that may change something.
//!
//! Whatever happens, `vorrang restore` returns the machine to what it was, twice in a row. `run ci` tries
//! every few calls, always the same ones.

use super::{BOTH, Check, Scenario, apply};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use vorrang_guest::{Fault, Plan, Record, Step};

const MS: u64 = 1_000_000;
const EPERM: i32 = 1;

/// Calls that apply, and restore, make at least.
const FEWEST: u32 = 40;

pub(super) fn kill() -> Scenario {
    scenario(
        "faults-killed",
        "apply, killed before any call that changes something, leaves nothing that restore does not undo",
        || plan(Fault::Kill),
    )
}

pub(super) fn refuse() -> Scenario {
    scenario(
        "faults-refused",
        "apply, refused any call that changes something, leaves nothing that restore does not undo",
        || plan(Fault::Refuse(EPERM)),
    )
}

pub(super) fn kill_restore() -> Scenario {
    scenario(
        "faults-restore-killed",
        "restore, killed before any call that changes something, can be done again",
        || plan(Fault::KillRestore),
    )
}

fn scenario(name: &'static str, shows: &'static str, plan: fn() -> Plan) -> Scenario {
    Scenario {
        name,
        shows,
        lines: BOTH,
        in_ci: BOTH,
        machine: Machine { cpus: 2, ..Machine::default() },
        modules: &[],
        programs: &["vorrang"],
        files: apply::files,
        of_kernel: None,
        plan,
        checks,
    }
}

fn plan(fault: Fault) -> Plan {
    Plan {
        steps: vec![
            // Nothing computes, so that time passes by leaps.
            apply::load(false),
            Step::Sleep { time: 200 * MS },
            Step::RememberState,
            Step::Faults {
                before: Vec::new(),
                change: apply::vorrang("apply /system.toml --yes --look 0s"),
                restore: apply::vorrang("restore"),
                fault,
                stride: 1,
            },
        ],
    }
}

pub(super) fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let (mut all, mut expected, mut tried) = (0, 0, 0);
    for record in &evidence.records {
        match record {
            Record::Calls { all: of, stride } => {
                all += *of;
                expected += of.div_ceil(*stride);
            }
            Record::Fault { at, call, exit, restored, differences, said } => {
                tried += 1;
                if *restored != [0, 0] || !differences.is_empty() {
                    let what = format!(
                        "call {at}, {call}, exit code {exit}: restore ends with 0, twice, and nothing differs"
                    );
                    let seen = format!("{restored:?} {} {said}", differences.join("; "));
                    checks.push(Check::new(what, seen, false));
                }
            }
            _ => {}
        }
    }
    let seen = format!("{tried} of {all}");
    let holds = all >= FEWEST && tried == expected;
    checks.push(Check::new("calls at which it was tried", seen, holds));
    checks
}
