//! The cases of conformance of the shield of timers: the module is loaded, and threads sleep until their releases.

use super::conformance::{check_case, performed, prefix, sharp_budgets};
use super::timer_shield::{HELD, counter, load_module, module, read, unload_module};
use super::{BOTH, Check, Scenario};
use crate::conformance::cases;
use crate::conformance::shipped::Shipped;
use crate::emulator::Machine;
use crate::evidence::Evidence;
use vorrang_guest::{Plan, Step};

/// The processor.
const CPU: usize = 0;
/// So many timers wait in the cases because something more urgent runs; others do before a case begins.
const HELD_BACK: u64 = 15;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "conformance-shield",
        shows: "simulator and kernel do the same with timers that wait while something more urgent runs",
        lines: BOTH,
        in_ci: BOTH,
        machine: Machine { command_line: super::conformance::ALONE, ..Machine::default() },
        modules: &[],
        programs: &[],
        files: super::no_files,
        of_kernel: Some(module),
        plan,
        checks,
    }
}

fn plan() -> Plan {
    let events = vec!["sched/sched_switch".to_owned()];
    let mut steps = vec![sharp_budgets(), load_module("cpus=0"), Step::StartTrace { events }];
    for (number, case) in cases::shield().iter().enumerate() {
        let write = |(path, text): &(String, String)| Step::Write {
            path: path.clone(),
            text: text.clone(),
        };
        steps.extend(case.settings.iter().map(write));
        steps.extend(performed(case, number, Some(CPU)));
    }
    steps.extend([Step::EndTrace, read(HELD), unload_module()]);
    Plan { steps }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let Some(shipped) = Shipped::of(evidence) else {
        checks.push(Check::new("a profile of the kernel is shipped", "none", false));
        return checks;
    };
    for (number, case) in cases::shield().iter().enumerate() {
        let case = case.on(shipped.costs());
        checks.extend(check_case(&case, &prefix(number), evidence).0);
    }
    let counted = |name| evidence.texts(HELD).next().and_then(|text| counter(text, CPU, name));
    let (held_back, overdue) = (counted("held-back"), counted("overdue"));
    checks.push(Check::new(
        "timers that were held back, and one that had waited for as long as it may",
        format!("{held_back:?}, {overdue:?}"),
        held_back.is_some_and(|held| held >= HELD_BACK) && overdue == Some(1),
    ));
    checks
}
