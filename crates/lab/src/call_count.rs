//! A module that counts the calls of a function by ftrace, beside the kernel's own count of interrupts.

use crate::check::Check;
use crate::evidence::Evidence;

const NAME: &str = "call_count";
const FUNCTION: &str = "hrtimer_interrupt";
const CALLS: &str = "/sys/module/call_count/parameters/calls";
const INTERRUPTS: &str = "/proc/interrupts";
const HOOKED: &str = "/sys/kernel/tracing/enabled_functions";
const MODULES: &str = "/proc/modules";
/// Timers that expire one after the other.
const JOBS: u32 = 100;

/// It is hooked, counts the calls, and can be unloaded.
pub(crate) fn counted(evidence: &Evidence) -> Vec<Check> {
    let mut checks = Vec::new();
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
pub(crate) fn local_timer(interrupts: &str) -> Option<u64> {
    let row = interrupts.lines().find_map(|line| line.trim_start().strip_prefix("LOC:"))?;
    row.split_whitespace().next()?.parse().ok()
}
