//! `vorrang-host` on two processors at once, under counted time: the budget of each server in every period, with and without
//! interrupts.
//!
//! **Model.** The processors of the emulator share its time: a turn is short, what computes ends its own every microsecond or so
//! (`Work::ComputeByTurns`), and each of two busy processors does half as many instructions in a second as one alone. So the
//! supply is that of the kernel's trace, in time, and not counted in instructions.
//!
//! **Assumption.** No processor stands still for long: a turn of the kernel ends when its work does, which is tens of microseconds.

use super::host_rows::{Cores, MS, TWO, computing, file, given, origins, short, supplied, traced};
use super::{BOTH, Check, Scenario, apply};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use vorrang_guest::{Plan, Step};

/// Interrupts of each processor in a second, beside its tick.
const RATES: [u64; 3] = [0, 1000, 20_000];
/// Servers, and how long they are traced with each.
struct Trial {
    cores: Cores,
    traced: u64,
    /// More than the usual buffer for the trace of a processor, in KiB.
    buffer: Option<&'static str>,
}

/// A hundred of the longest periods.
const USUAL: Trial = Trial { cores: TWO, traced: 2100 * MS, buffer: None };
/// Ten thousand periods, and five thousand of the longer ones.
const LONG: Trial = Trial {
    cores: &[
        &[short("sensor", "periodic", 400, 2000), short("control", "deferrable", 800, 4000)],
        &[short("camera", "polling", 600, 2000), short("planner", "cbs-hard", 1000, 4000)],
    ],
    traced: 20_100 * MS,
    buffer: Some("98304"),
};

/// What is given no processor is on the second one: a program that computes without letting it have a turn would keep the second
/// one, but not the first one, from running.
pub(super) fn machine() -> Machine {
    Machine {
        cpus: 2,
        turns: Some(10),
        command_line: "isolcpus=domain,0 noirqdebug",
        ..Machine::default()
    }
}

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "host-two",
        shows: "vorrang-host supplies every budget in every period on two processors at once, also at 1 and 20 kHz of interrupts",
        lines: BOTH,
        in_ci: &[],
        machine: machine(),
        modules: &[],
        programs: &["vorrang", "vorrang-host"],
        files: || vec![file("/servers.toml", USUAL.cores)],
        of_kernel: None,
        plan: || USUAL.plan(),
        checks: |evidence| USUAL.checks(evidence),
    }
}

pub(super) fn long() -> Scenario {
    Scenario {
        name: "host-two-long",
        shows: "vorrang-host supplies every budget in ten thousand periods on two processors at once, also at 1 and 20 kHz of interrupts",
        files: || vec![file("/servers.toml", LONG.cores)],
        plan: || LONG.plan(),
        checks: |evidence| LONG.checks(evidence),
        ..scenario()
    }
}

/// The interrupts of each processor so far.
const COUNTS: &str = "/proc/interrupts";

fn counted() -> Step {
    Step::Read { path: COUNTS.to_owned() }
}

impl Trial {
    fn plan(&self) -> Plan {
        let run = |arguments: &str| Step::Run { command: apply::vorrang(arguments) };
        let mut steps = vec![
            // A timer of these may come as often as it likes.
            Step::Write {
                path: "/proc/sys/kernel/perf_event_max_sample_rate".to_owned(),
                text: "10000000".to_owned(),
            },
            computing(&["sensor", "control", "camera", "planner"], 2),
            Step::Sleep { time: 200 * MS },
            Step::RememberState,
            run("apply /servers.toml --yes --look 0s"),
        ];
        steps.extend(self.buffer.map(|size| Step::Write {
            path: "/sys/kernel/tracing/buffer_size_kb".to_owned(),
            text: size.to_owned(),
        }));
        steps.push(Step::StartTrace { events: vec!["sched/sched_switch".to_owned()] });
        for rate in RATES {
            let started = (rate > 0).then(|| {
                (0..2).map(move |cpu| Step::StartInterrupts { cpu, every: 1_000_000_000 / rate })
            });
            steps.extend(started.into_iter().flatten());
            steps.extend([
                counted(),
                Step::Sleep { time: self.traced },
                counted(),
                Step::EndInterrupts,
            ]);
        }
        steps.extend([
            run("status --for 200ms"),
            run("restore"),
            Step::CompareState,
            Step::EndTrace,
        ]);
        Plan { steps }
    }

    fn checks(&self, evidence: &Evidence) -> Vec<Check> {
        let mut checks = vec![Check::nothing_refused(evidence)];
        let expected = [
            ("one is run", "apply /servers.toml --yes --look 0s", 0, "ns of CLOCK_MONOTONIC on"),
            ("it goes on", "status --for 200ms", 0, "dispatcher: "),
            ("it is undone", "restore", 0, "changes are undone"),
        ];
        checks.extend(apply::commands(evidence, &expected));
        checks.extend(apply::differences(evidence));
        let Some(begin) = origins(evidence, 0).and_then(|origins| origins.first().copied()) else {
            checks.push(Check::new("it says when it begins", "it does not", false));
            return checks;
        };
        let (first, _) = traced(evidence);
        let timers: Vec<[u64; 2]> = evidence.texts(COUNTS).map(timers).collect();
        for (place, rate) in RATES.into_iter().enumerate() {
            checks.push(self.interrupted(rate, timers.get(2 * place..2 * place + 2)));
            // The first periods may be those before.
            let from = first + place as u64 * self.traced + 20 * MS;
            for row in self.cores.iter().copied().flatten() {
                let what = format!("{rate} interrupts a second: its budget in every period");
                let traced = [begin, from, from + self.traced - 20 * MS];
                checks.push(supplied(&what, row, &given(row, traced, false, evidence)));
            }
        }
        checks
    }

    /// Those that came while it was traced, beside the rate.
    fn interrupted(&self, rate: u64, timers: Option<&[[u64; 2]]>) -> Check {
        let what = format!("interrupts of the timer of each processor, for {rate} a second");
        let Some([before, after]) = timers else {
            return Check::new(what, "they were not counted", false);
        };
        let came = [0, 1].map(|cpu| after[cpu].saturating_sub(before[cpu]));
        let expected = rate * self.traced / (1000 * MS);
        let seen = format!("{} and {} in {} ms", came[0], came[1], self.traced / MS);
        Check::new(what, seen, came.iter().all(|&came| came >= expected.max(1)))
    }
}

/// The interrupts of the local timer of each processor.
fn timers(text: &str) -> [u64; 2] {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix("LOC:"));
    let mut numbers = line.unwrap_or_default().split_whitespace().map_while(|one| one.parse().ok());
    [(); 2].map(|()| numbers.next().unwrap_or_default())
}
