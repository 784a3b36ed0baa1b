//! The thread of an interrupt with a budget: [`conformance::interrupt`](crate::conformance::interrupt).

use super::conformance::{ALONE, sharp_budgets};
use super::{BOTH, Check, Scenario};
use crate::conformance::body::{Simulator, conform, examine};
use crate::conformance::interrupt::{self, Kernel, THREAD};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use vorrang_guest::{Plan, Step};

const MS: u64 = 1_000_000;
/// Prefixes of the threads while the interrupt's is not reserved, and while it is.
const FREE: &str = "free.";
const RESERVED: &str = "reserved.";

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
    Plan {
        steps: vec![
            sharp_budgets(),
            Step::StartTrace { events: vec!["sched/sched_switch".to_owned()] },
            script(FREE),
            Step::Sleep { time: 100 * MS },
            Step::SetPolicy { thread: THREAD.to_owned(), policy: interrupt::policy() },
            script(RESERVED),
            Step::EndTrace,
        ],
    }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let Some(case) = interrupt::case(evidence, FREE) else {
        checks.push(Check::new("a burst is measured", "nothing was sent", false));
        return checks;
    };
    let taken = case.measured.map_or(0, |(_, taken)| taken);
    checks.push(Check::new(
        "a burst takes more than one runtime and less than two",
        format!("{} us", taken / 1000),
        (MS..2 * MS * 8 / 10).contains(&taken),
    ));
    let (simulated, drawn) = examine(&case, &Simulator);
    checks.extend(drawn);
    let (seen, drawn) = examine(&case, &Kernel { evidence, prefix: RESERVED });
    checks.extend(drawn);
    checks.extend(conform(&case, &simulated, &seen));
    checks
}
