//! The KVM hosts of `examples/`, each on its kernel: applied, loaded, and compared with their bounds.
//!
//! ```text
//!   example ──> threads of a process `load` instead of vm:, irq: and name: ──> vorrang apply --yes
//!      │                     │ one job after the other, as many instructions as its task has work
//!      └── bounds ≥ ─────────┴── responses (the threads' clocks), budgets and responses (vorrang observe)
//! ```
//!
//! **Model.** A thread stands for a virtual processor with its guest, for the thread of an interrupt, or for one of the
//! kernel; the timer that wakes it is its interrupt. The tasks of a core are released together, as often as the
//! description allows, and take what it states. Everything else that runs there is the kernel itself.
//!
//! **Assumptions.** 1. Cores are loaded one after the other: of several processors the emulator runs one at a time, and
//! each would be the slower. 2. The kernel's own work on the others (a `kworker` took 254 µs in one second, one for
//! vmstat 100) is no work of the description, and stops the loaded one: such responses are set aside ([`compared`]).
//!
//! **Does not cover** what KVM takes for entering and leaving guests: under counted time a guest in a guest stands still
//! now and then (`vm.rs`). Scenario `kvm-guest` has a real one.

mod compared;
mod load;

use super::{Check, Scenario, apply, conformance};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::image::File;
use compared::Compared;
use load::{APPLIED, LOADED, MS, REST, SECOND, load};
use vorrang_guest::{DONE, Plan, Step};
use vorrang_model::system::System;
use vorrang_model::{Format, read};
use vorrang_observe::matching::Matching;
use vorrang_observe::observation::{Limits, Observation};

/// The example for 7.2.
const HOST: &str = include_str!("../../../../../examples/kvm-host.toml");
/// The one for 6.12, whose runtimes end late.
const LATE: &str = include_str!("../../../../../examples/kvm-host-6.12.toml");
/// The description that is applied, in the guest.
const DESCRIPTION: &str = "/system.toml";

/// When the threads end: by then the description is taken back.
const END: u64 = 120 * SECOND;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "kvm-host",
        shows: "a KVM host with four guests is applied, and nothing is above its bound",
        lines: &["7.2-rt"],
        in_ci: &["7.2-rt"],
        machine: Machine { cpus: 3, command_line: conformance::ALONE, ..Machine::default() },
        modules: &[],
        programs: &["vorrang"],
        files: || files(HOST),
        of_kernel: None,
        plan: || plan(HOST),
        checks: |evidence| checks(HOST, evidence),
    }
}

pub(super) fn with_late_runtimes() -> Scenario {
    Scenario {
        name: "kvm-host-6.12",
        shows: "the same where runtimes end with the tick",
        lines: &["6.12-rt"],
        in_ci: &[],
        files: || files(LATE),
        plan: || plan(LATE),
        checks: |evidence| checks(LATE, evidence),
        ..scenario()
    }
}

fn files(host: &str) -> Vec<File> {
    vec![File { path: DESCRIPTION.to_owned(), bytes: standing_in(host).into_bytes() }]
}

/// The example with the threads of the load, each called as what it stands for, and without devices.
fn standing_in(host: &str) -> String {
    let mut table = "";
    let lines = host.lines().filter_map(|line| {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            table = name.split_once('.').map_or(name, |(_, name)| name);
        }
        match line.split_once(" = ") {
            Some(("thread", _)) => Some(format!("thread = \"process:load/{table}\"\n")),
            Some(("irq", _)) => None,
            _ => Some(format!("{line}\n")),
        }
    });
    lines.collect()
}

fn system(host: &str) -> System {
    read(standing_in(host), Format::Toml).expect("examples are right")
}

fn plan(host: &str) -> Plan {
    let system = system(host);
    let run = |arguments: &str| Step::Run { command: apply::vorrang(arguments) };
    let cores = u64::try_from(system.cores().count()).unwrap_or_default();
    let events = ["sched/sched_switch", "sched/sched_waking", "irq_vectors/local_timer_entry"];
    let events = events.into_iter().chain(["irq_vectors/local_timer_exit"]);
    Plan {
        steps: vec![
            Step::StartLoad { tasks: load(&system), until: END },
            Step::Sleep { time: 200 * MS },
            Step::RememberState,
            run(&format!("apply {DESCRIPTION} --yes --look 0s")),
            Step::StartTrace { events: events.map(str::to_owned).collect() },
            Step::Sleep { time: APPLIED + cores * (LOADED + REST) },
            Step::EndTrace,
            run("restore"),
            Step::CompareState,
            Step::Await { path: DONE.to_owned(), text: String::new(), limit: 2 * END },
            Step::Read { path: DONE.to_owned() },
        ],
    }
}

fn checks(host: &str, evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    checks.extend(apply::succeeded(evidence));
    checks.extend(apply::differences(evidence));
    let system = system(host);
    let limits = limits(&system);
    let compared = Compared { system: &system, evidence };
    let (responses, mut shares) = compared.responses(&limits);
    checks.extend(responses);
    let matching = Matching::in_trace(&system, &evidence.schedule);
    let observation = Observation::of(&system, &evidence.schedule, &matching, &limits);
    checks.extend(observation.rows.iter().filter_map(|row| compared.observed(row)));
    shares.sort_unstable();
    let at = |place| shares.get(place).copied().unwrap_or_default();
    let median = at(shares.len() / 2).midpoint(at(shares.len().saturating_sub(1) / 2));
    let seen = format!("{shares:?} thousandths, the median {median}");
    checks.push(Check::new("observed / bound, in reservations", seen, !shares.is_empty()));
    checks
}

/// The bounds of `vorrang check`.
fn limits(system: &System) -> Limits {
    let bounds = vorrang_analysis::bounds(system);
    let tasks = system.task_ids().map(|id| {
        let finding = bounds.task(id);
        finding.bound().ok_or_else(|| "there is no bound".to_owned())
    });
    let interrupts = system.interrupts.iter().map(|_| Err("no device stands for it".to_owned()));
    Limits { tasks: tasks.collect(), interrupts: interrupts.collect() }
}
