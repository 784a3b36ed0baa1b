//! What timers of threads cost a kernel, without the shield and with it: arming, cancelling, expiring, and a switch, beside
//! 1 to 10,000 pending ones, as mean, 99.9 % and largest of 1,000, in instructions.
//!
//! The part `timer_costs` measures in the kernel; here it is loaded twice.

use super::timer_shield::{HELD, counter, listen, load_module, no_warning, read, unload_module};
use super::{BOTH, Check, Scenario};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::image::File;
use crate::workshop::Workshop;
use vorrang_guest::{Plan, Step};

const COSTS: &str = "timer_costs";
const FILE: &str = "/proc/timer_costs";
/// Arming and waking up for a sleep may take so many thousandths more with the shield.
const MOST_MORE: u64 = 250;
/// A switch where nothing is held back may take so many nanoseconds more: 1 % of 200 us.
const SWITCH_MORE: u64 = 2_000;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "timer-shield-costs",
        shows: "what arming, cancelling, expiring and switching cost beside 1 to 10,000 timers, without the shield and with it",
        lines: BOTH,
        in_ci: BOTH,
        machine: Machine::default(),
        modules: &[],
        programs: &[],
        files: super::no_files,
        of_kernel: Some(modules),
        plan,
        checks,
    }
}

fn modules(kernel: &crate::kernel::Kernel) -> Result<Vec<File>, crate::failure::Failure> {
    let mut files = super::timer_shield::module(kernel)?;
    let bytes = Workshop::of(kernel)?.module(COSTS)?;
    files.push(File { path: format!("/kernel/{COSTS}.ko"), bytes });
    Ok(files)
}

fn plan() -> Plan {
    let measure = || {
        [
            Step::LoadModule { path: format!("/kernel/{COSTS}.ko"), parameters: String::new() },
            read(FILE),
            Step::UnloadModule { name: COSTS.to_owned() },
        ]
    };
    let mut steps = vec![listen()];
    steps.extend(measure());
    steps.push(load_module("cpus=0"));
    steps.extend(measure());
    steps.extend([read(HELD), unload_module()]);
    Plan { steps }
}

/// A line: what, beside how many, how many times, mean, 99.9 %, largest.
struct Line<'a> {
    what: &'a str,
    pending: u64,
    took: [u64; 3],
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let line = |line| {
        let words: Vec<&str> = str::split_whitespace(line).collect();
        let numbers: Vec<u64> =
            words.get(1..)?.iter().map(|word| word.parse()).collect::<Result<_, _>>().ok()?;
        let [pending, _, mean, permille, most] = numbers.try_into().ok()?;
        Some(Line { what: words[0], pending, took: [mean, permille, most] })
    };
    text.lines().filter_map(line).collect()
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence), no_warning(evidence)];
    let texts: Vec<&str> = evidence.texts(FILE).collect();
    let [stock, shielded] = texts.as_slice() else {
        checks.push(Check::new("costs are measured twice", texts.len().to_string(), false));
        return checks;
    };
    let (stock, shielded) = (lines(stock), lines(shielded));
    for (stock, shielded) in stock.iter().zip(&shielded) {
        let Line { what, pending, took } = stock;
        let own = shielded.took;
        let holds = match *what {
            "switch" => own[0] <= took[0] + SWITCH_MORE,
            "arm" if *pending == 1 => own[0] * 1000 <= (took[0] + SWITCH_MORE) * (1000 + MOST_MORE),
            _ => own[0] > 0,
        };
        checks.push(Check::new(
            format!("{what}, {pending} timers: mean, 99.9 %, largest [instructions]"),
            format!(
                "{} {} {} without the shield, {} {} {} with it",
                took[0], took[1], took[2], own[0], own[1], own[2]
            ),
            holds,
        ));
    }
    checks.push(Check::new(
        "all was measured",
        stock.len().to_string(),
        stock.len() == 21 && shielded.len() == 21,
    ));
    let held = evidence.texts(HELD).next().and_then(|text| counter(text, 0, "held"));
    checks.push(Check::new("timers that were held", format!("{held:?}"), held > Some(10_000)));
    checks
}
