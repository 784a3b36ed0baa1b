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
//! now and then (`kvm-guest`). That scenario has a real one.

use super::compared::Compared;
use super::load::{APPLIED, LOADED, REST, SECOND, load};
use crate::check::Check;
use crate::data;
use crate::evidence::Evidence;
use crate::image::File;
use crate::written::Scenario;
use vorrang_guest::Step;
use vorrang_model::system::System;
use vorrang_model::{Format, read};
use vorrang_observe::matching::Matching;
use vorrang_observe::observation::{Limits, Observation};

/// When the threads end: by then the description is taken back.
const END: u64 = 120 * SECOND;

/// The description that is applied.
pub(crate) fn file(of: &Scenario) -> File {
    File { path: "/system.toml".to_owned(), bytes: standing_in(of).into_bytes() }
}

/// The example with the threads of the load, each called as what it stands for, and without devices.
fn standing_in(of: &Scenario) -> String {
    let host = data::text(&of.given::<String>("example"));
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

fn system(of: &Scenario) -> System {
    read(standing_in(of), Format::Toml).expect("examples are right")
}

/// The process that loads the cores.
pub(crate) fn start_load(of: &Scenario) -> Step {
    Step::StartLoad { tasks: load(&system(of)), until: END }
}

/// Until all of them have been.
pub(crate) fn until_loaded(of: &Scenario) -> Step {
    let cores = u64::try_from(system(of).cores().count()).unwrap_or_default();
    Step::Sleep { time: APPLIED + cores * (LOADED + REST) }
}

/// Responses and budgets, beside their bounds.
pub(crate) fn compared(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let system = system(of);
    let limits = limits(&system);
    let compared = Compared { system: &system, evidence };
    let (responses, mut shares) = compared.responses(&limits);
    let mut checks = responses;
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
    let chains = vorrang_analysis::chain_limits(system, &bounds);
    Limits { tasks: tasks.collect(), interrupts: interrupts.collect(), chains }
}
