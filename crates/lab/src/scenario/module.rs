//! A module is built for a stock kernel, loaded, and counts calls of one of its functions by ftrace.
//!
//! Its counters are compared with the kernel's own: every call of `hrtimer_interrupt` is one local
//! timer interrupt (`LOC` of `/proc/interrupts`), so that it lies below what that grows by from before
//! until after. A task that wakes up by a timer is the least that it must count.

use super::{BOTH, Check, Scenario};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::image::File;
use crate::workshop::Workshop;
use vorrang_guest::{LoadedTask, Plan, Policy, Step, Work};

const MS: u64 = 1_000_000;
const NAME: &str = "call_count";
const FUNCTION: &str = "hrtimer_interrupt";
const CALLS: &str = "/sys/module/call_count/parameters/calls";
const INTERRUPTS: &str = "/proc/interrupts";
const HOOKED: &str = "/sys/kernel/tracing/enabled_functions";
const MODULES: &str = "/proc/modules";
/// Timers that expire one after the other.
const JOBS: u32 = 100;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "module-ftrace",
        shows: "a module, built for the stock kernel, counts the calls of a function and unloads cleanly",
        lines: BOTH,
        in_ci: BOTH,
        machine: Machine::default(),
        modules: &[],
        programs: &[],
        files: super::no_files,
        of_kernel: Some(|kernel| {
            let bytes = Workshop::of(kernel)?.module(NAME)?;
            Ok(vec![File { path: format!("/kernel/{NAME}.ko"), bytes }])
        }),
        plan,
        checks,
    }
}

fn plan() -> Plan {
    let read = |path: &str| Step::Read { path: path.to_owned() };
    let load = Step::Load {
        tasks: vec![LoadedTask {
            name: "woken".to_owned(),
            cpu: None,
            policy: Policy::Fifo(50),
            offset: 0,
            period: MS,
            jobs: JOBS,
            work: Work::Compute(1),
        }],
    };
    Plan {
        steps: vec![
            Step::LoadModule {
                path: format!("/kernel/{NAME}.ko"),
                parameters: format!("function={FUNCTION}"),
            },
            read(HOOKED),
            read(INTERRUPTS),
            read(CALLS),
            load,
            read(CALLS),
            read(INTERRUPTS),
            Step::UnloadModule { name: NAME.to_owned() },
            read(HOOKED),
            read(MODULES),
        ],
    }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let hooked: Vec<bool> = evidence.texts(HOOKED).map(|text| text.contains(FUNCTION)).collect();
    let seen = format!("{hooked:?}");
    let what = format!("{FUNCTION} is hooked while the module is there, and then no more");
    checks.push(Check::new(what, seen, hooked == [true, false]));
    let grown = |numbers: Vec<Option<u64>>| match numbers.as_slice() {
        [Some(before), Some(after)] => after.checked_sub(*before),
        _ => None,
    };
    let calls = grown(evidence.texts(CALLS).map(|text| text.trim().parse().ok()).collect());
    let interrupts = grown(evidence.texts(INTERRUPTS).map(local_timer).collect());
    checks.push(Check::new(
        format!("it counts a call for each of {JOBS} timers at least"),
        shown(calls),
        calls >= Some(u64::from(JOBS)),
    ));
    checks.push(Check::new(
        "it counts no more calls than the processor had timer interrupts",
        format!("{} of {}", shown(calls), shown(interrupts)),
        calls.is_some() && calls <= interrupts,
    ));
    let gone = evidence.texts(MODULES).all(|text| !text.contains(NAME));
    checks.push(Check::new(
        "it can be unloaded",
        if gone { "it is gone" } else { "it is still there" },
        gone,
    ));
    checks
}

fn shown(number: Option<u64>) -> String {
    number.map_or_else(|| "none".to_owned(), |number| number.to_string())
}

/// Local timer interrupts of the first processor.
pub(super) fn local_timer(interrupts: &str) -> Option<u64> {
    let row = interrupts.lines().find_map(|line| line.trim_start().strip_prefix("LOC:"))?;
    row.split_whitespace().next()?.parse().ok()
}
