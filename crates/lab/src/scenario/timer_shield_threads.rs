//! What happens to threads whose timers the shield holds: each case a scene on the second of two processors.
//!
//! In most of them a thread of priority 80 computes for 10 ms, and one of priority 10 sleeps until 1 ms: its timer is held until
//! the other has computed, or until what the case does lets it through at 3 ms.

use super::timer_shield::{
    HELD, counter, listen, load_module, module, no_warning, read, unload_module,
};
use super::timer_shield_case::{CPU, Case, Expected, US};
use super::timer_shield_cases::cases;
use super::timer_shield_ends::SUSPENDED;
use super::{BOTH, Check, Scenario};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use vorrang_guest::{Plan, Record, Step, Urgent};

/// What a wake-up with its switches and interrupts takes at most, on one of two processors that take turns.
const TOLERANCE: u64 = 500 * US;
/// And each thread of a case that ends meanwhile.
const EACH: u64 = 50 * US;
const RT_RUNTIME: &str = "/proc/sys/kernel/sched_rt_runtime_us";
/// Suspended, it comes back at once, not after five seconds.
const BRIEFLY: &str = "suspend.pm_test_delay=0";

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "timer-shield-threads",
        shows: "priorities, inheritance, processors and clocks change while the shield holds timers",
        lines: BOTH,
        in_ci: BOTH,
        machine: Machine { cpus: 2, turns: Some(10), command_line: BRIEFLY, ..Machine::default() },
        modules: &[],
        programs: &[],
        files: super::no_files,
        of_kernel: Some(module),
        plan,
        checks,
    }
}

fn plan() -> Plan {
    // SCHED_DEADLINE is for threads of one processor only where the kernel admits without looking.
    let all = Step::Write { path: RT_RUNTIME.to_owned(), text: "-1".to_owned() };
    let mut steps = vec![listen(), all, load_module("cpus=1")];
    for Case { scene, before, after, .. } in cases() {
        steps.extend(before);
        steps.extend([read(HELD), Step::Play { scene }, read(HELD)]);
        steps.extend(after);
    }
    steps.push(unload_module());
    Plan { steps }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence), no_warning(evidence)];
    let mut records = evidence.records.iter();
    for case in cases() {
        // The file before it, what a scene read, what its threads did, and the file afterwards.
        let (mut texts, mut woke) = (Vec::new(), Vec::new());
        for record in records.by_ref() {
            match record {
                Record::Slept { thread, woke: at, .. } => woke.push((thread.as_str(), *at)),
                Record::Text { path, text } if path == HELD => {
                    texts.push(text.as_str());
                    if !woke.is_empty() {
                        break;
                    }
                }
                _ => {}
            }
        }
        checks.push(match texts.as_slice() {
            [before, during @ .., after] => of_case(&case, &woke, during, before, after),
            _ => Check::new(case.name, "was not played", false),
        });
    }
    let suspended = evidence.texts(SUSPENDED).next().unwrap_or("nothing").trim();
    checks.push(Check::new("how often the machine was suspended", suspended, suspended == "1"));
    checks
}

fn of_case(case: &Case, woke: &[(&str, u64)], texts: &[&str], before: &str, after: &str) -> Check {
    let busy_until = woke.iter().find(|(thread, _)| *thread == "urgent").map(|(_, at)| *at);
    let asleep: Vec<u64> =
        woke.iter().filter(|(thread, _)| *thread != "urgent").map(|(_, at)| *at).collect();
    let tolerance = TOLERANCE + asleep.len() as u64 * EACH;
    let in_time = |at: &u64| match case.expected {
        Expected::Afterwards => busy_until.is_some_and(|end| *at >= end && *at <= end + tolerance),
        Expected::At(due) => *at >= due && *at <= due + tolerance,
        Expected::NotBefore(due) => *at >= due,
    };
    let is_fifo = |urgent: &Urgent| !urgent.policy.is_reserved();
    let of_urgent = u64::from(case.scene.urgent.as_ref().is_some_and(is_fifo));
    let of_meddler = if case.scene.from == CPU { case.scene.meddling.len() as u64 } else { 0 };
    let grown = |name: &str| {
        let number = |text| counter(text, CPU, name).unwrap_or(0);
        let own = if name == "held" { of_urgent + of_meddler } else { 0 };
        number(after).saturating_sub(number(before)).saturating_sub(own)
    };
    let counted =
        case.counters.iter().all(|(name, least, most)| (*least..=*most).contains(&grown(name)));
    let shown: Vec<usize> = texts
        .iter()
        .map(|text| text.lines().filter(|line| line.starts_with("timer cpu")).count())
        .collect();
    let numbers: Vec<String> =
        case.counters.iter().map(|(name, ..)| format!("{name} {}", grown(name))).collect();
    let (first, last) = (asleep.iter().min(), asleep.iter().max());
    let span = [first, last].map(|at| at.map_or(0, |at| at / US));
    Check::new(
        case.name,
        format!("runs again at {span:?} us; {}; timers shown {shown:?}", numbers.join(", ")),
        asleep.len() == case.scene.sleepers.len()
            && asleep.iter().all(in_time)
            && counted
            && shown == case.shown
            && !after.contains("timer cpu"),
    )
}
