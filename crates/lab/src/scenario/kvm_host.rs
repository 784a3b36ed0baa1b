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
//! each would be the slower.
//!
//! **Does not cover** what KVM takes for entering and leaving guests: under counted time a guest in a guest stands still
//! now and then (`vm.rs`). Scenario `kvm-guest` has a real one.

use super::{Check, Scenario, apply, conformance};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::image::File;
use vorrang_guest::{DONE, Job, LoadedTask, Plan, Policy, Record, Step, Work};
use vorrang_model::system::{SupplyId, System, Task, TaskId};
use vorrang_model::{Format, read};
use vorrang_observe::comparison::{Comparison, Verdict, What};
use vorrang_observe::matching::Matching;
use vorrang_observe::observation::{Limits, Observation, Row};

const MS: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MS;

/// The example for 7.2.
const HOST: &str = include_str!("../../../../examples/kvm-host.toml");
/// The one for 6.12, whose runtimes end late.
const LATE: &str = include_str!("../../../../examples/kvm-host-6.12.toml");
/// The description that is applied, in the guest.
const DESCRIPTION: &str = "/system.toml";

/// From the beginning of the threads to their first jobs: by then the description is applied.
const APPLIED: u64 = 20 * SECOND;
/// For so long each core is loaded.
const LOADED: u64 = SECOND;
/// Until the last jobs of a core are complete, before the next one is loaded.
const REST: u64 = 300 * MS;
/// When the threads end: by then the description is taken back.
const END: u64 = 120 * SECOND;
/// The overhead of the program around the work of a job.
const AROUND: u64 = 5_000;

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

/// The tasks that threads do, with the names of these.
fn threads(system: &System) -> impl Iterator<Item = (TaskId, &Task, &str)> {
    let tasks = system.tasks.iter().enumerate();
    tasks.filter_map(|(id, task)| {
        let thread = |name: &String| system.host.threads.get(name);
        let written = thread(&task.name).or_else(|| thread(&system.supply(task.on).name))?;
        let (_, name) = written.rsplit_once('/')?;
        Some((TaskId(id), task, name))
    })
}

/// What the threads do, core by core.
fn load(system: &System) -> Vec<LoadedTask> {
    let cores: Vec<SupplyId> = system.cores().collect();
    let loaded = threads(system).map(|(_, task, name)| {
        let core = cores.iter().position(|&core| core == system.core_of(task.on));
        let cores_before = u64::try_from(core.unwrap_or_default()).unwrap_or_default();
        let period = task.min_interarrival.as_ns();
        LoadedTask {
            name: name.to_owned(),
            cpu: None,
            // So that their timers are those of urgent threads from the beginning.
            policy: Policy::Fifo(1),
            offset: APPLIED + cores_before * (LOADED + REST),
            period,
            jobs: u32::try_from(LOADED / period).unwrap_or(u32::MAX).max(1),
            work: Work::Compute(task.wcet.as_ns() - AROUND),
        }
    });
    loaded.collect()
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
    for record in &evidence.records {
        match record {
            Record::Ran { command, exit, output, errors } => {
                let seen = format!("exit code {exit}\n{output}{errors}");
                checks.push(Check::new(command.join(" "), seen, *exit == 0));
            }
            Record::Differences { lines } => {
                let seen = if lines.is_empty() { "nothing".to_owned() } else { lines.join("; ") };
                checks.push(Check::new("what differs on the machine", seen, lines.is_empty()));
            }
            _ => {}
        }
    }
    let system = system(host);
    let limits = limits(&system);
    let (responses, mut shares) = responses(&system, &limits, evidence);
    checks.extend(responses);
    let matching = Matching::in_trace(&system, &evidence.schedule);
    let observation = Observation::of(&system, &evidence.schedule, &matching, &limits);
    checks.extend(observation.rows.iter().filter_map(|row| observed(&system, row)));
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
        finding.bound.ok_or_else(|| "there is no bound".to_owned())
    });
    let interrupts = system.interrupts.iter().map(|_| Err("no device stands for it".to_owned()));
    Limits { tasks: tasks.collect(), interrupts: interrupts.collect() }
}

/// Each thread did its jobs, none later than its bound; and the longest response as thousandths of that, in
/// reservations.
fn responses(system: &System, limits: &Limits, evidence: &Evidence) -> (Vec<Check>, Vec<u64>) {
    let records = evidence.texts(DONE).flat_map(str::lines);
    let records: Vec<Record> = records.filter_map(|line| serde_json::from_str(line).ok()).collect();
    let (mut checks, mut shares) = (Vec::new(), Vec::new());
    for ((id, task, name), load) in threads(system).zip(load(system)) {
        let of_thread = records.iter().find_map(|record| match record {
            Record::Jobs { task, jobs, .. } if task == name => Some(jobs),
            _ => None,
        });
        let jobs = of_thread.map_or(&[][..], Vec::as_slice);
        let longest = jobs.iter().map(response).max().unwrap_or_default();
        let all = jobs.len() == load.jobs as usize;
        let said = format!("{} jobs, the longest response {} us", jobs.len(), longest / 1_000);
        let (bound, holds) = match &limits.tasks[id.0] {
            Ok(bound) => (format!("{} us", bound.as_ns() / 1_000), longest <= bound.as_ns()),
            // Of best effort nothing is required.
            Err(why) => (why.clone(), task.deadline.is_none()),
        };
        let is_reserved = system.supply(task.on).server.is_some();
        if let (Ok(bound), true) = (&limits.tasks[id.0], is_reserved && task.deadline.is_some()) {
            shares.push(longest * 1_000 / bound.as_ns());
        }
        let what = format!("{}: at most the bound, {bound}", task.name);
        checks.push(Check::new(what, said, all && holds));
    }
    (checks, shares)
}

fn response(job: &Job) -> u64 {
    job.finish - job.release
}

/// The report of `vorrang observe` about an entity: its processor, its responses and its budget.
fn observed(system: &System, row: &Row) -> Option<Check> {
    let what = format!("observe: {}", row.name);
    let seen = match &row.seen {
        Ok(seen) => seen,
        // The inside of a guest, or a timer.
        Err(_) if !system.host.threads.contains_key(&row.name) => return None,
        Err(why) => return Some(Check::new(what, why.as_str(), false)),
    };
    let of_time = |one: &&Comparison| one.what != What::Execution;
    let comparisons: Vec<&Comparison> = seen.comparisons.iter().filter(of_time).collect();
    let said = comparisons.iter().map(|one| {
        let longest = one.worst.map_or_else(String::new, |worst| {
            format!(", {} of {} us", worst.time / 1_000, worst.bound / 1_000)
        });
        format!("{} {}{longest}", one.what.word(), one.verdict.word())
    });
    let said: Vec<String> = said.chain(seen.notes.iter().cloned()).collect();
    let within = |one: &&Comparison| matches!(one.verdict, Verdict::Below | Verdict::AtTheBound);
    let holds = comparisons.iter().all(within) && seen.notes.is_empty();
    Some(Check::new(what, said.join("; "), holds))
}
