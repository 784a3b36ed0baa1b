//! The thread of an interrupt with a budget: [`conformance::interrupt`](crate::conformance::interrupt).

use super::conformance::{ALONE, sharp_budgets, taken};
use super::{BOTH, Check, Scenario};
use crate::conformance::body::{Simulator, conform, examine};
use crate::conformance::calibration;
use crate::conformance::interrupt::{self, Kernel, THREAD};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use vorrang_guest::{Plan, Step};

const MS: u64 = 1_000_000;
/// Prefix of the threads while the runtime of the interrupt's is ample.
const FREE: &str = "free.";
/// What is reserved then.
const BUDGET: u64 = MS / 2;
/// The processor.
const CPU: usize = 0;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "conformance-irq",
        shows: "simulator and kernel do the same with the thread of an interrupt that has a budget",
        lines: BOTH,
        in_ci: BOTH,
        machine: Machine { command_line: ALONE, ..Machine::default() },
        modules: &[],
        programs: &[],
        files: super::no_files,
        of_kernel: None,
        plan,
        checks,
    }
}

fn plan() -> Plan {
    let script =
        |prefix: &str| Step::Script { threads: interrupt::threads(prefix), until: 100 * MS };
    let reserve = |policy| Step::SetPolicy { thread: THREAD.to_owned(), policy };
    let pause = || Step::Sleep { time: 100 * MS };
    let mut steps =
        vec![sharp_budgets(), Step::StartTrace { events: vec!["sched/sched_switch".to_owned()] }];
    steps.extend(calibration::steps(CPU));
    steps.extend([reserve(interrupt::AMPLE), script(FREE), pause()]);
    steps.push(reserve(interrupt::policy()));
    for (prefix, case) in interrupt::cases(&interrupt::unmeasured()) {
        steps.extend(case.source.and_then(|source| source.begin(CPU)));
        steps.push(script(&prefix));
        steps.extend(case.source.and_then(|source| source.end(CPU)));
        steps.push(pause());
    }
    steps.push(Step::EndTrace);
    Plan { steps }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let (shipped, taken) = taken(evidence);
    checks.extend(taken);
    let Some(shipped) = shipped else { return checks };
    let Some(most) = interrupt::burst(evidence, FREE) else {
        checks.push(Check::new("a burst is measured", "nothing was sent", false));
        return checks;
    };
    checks.push(shipped.holds_burst(most));
    let taken = shipped.burst();
    checks.push(Check::new(
        "a burst takes more than one runtime and less than two",
        format!("{} us", taken / 1000),
        (BUDGET * 5 / 4..BUDGET * 2).contains(&taken),
    ));
    for (prefix, case) in interrupt::cases(&interrupt::taking(taken).on(shipped.costs())) {
        let (simulated, drawn) = examine(&case, &Simulator);
        checks.extend(drawn);
        let (seen, drawn) = examine(&case, &Kernel { evidence, prefix: &prefix });
        checks.extend(drawn);
        checks.extend(conform(&case, &simulated, &seen).0);
    }
    checks
}
