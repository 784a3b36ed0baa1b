//! `vorrang-host` and a Linux in a virtual machine: it is pinged while it computes and its budget is exhausted.
//!
//! ```text
//! lab's machine   7.2-rt   ping ─► tap0 ─► QEMU's main loop ─► "CPU 0/KVM": 4 ms of 20, computes
//!                          vorrang-probe, thread "rival": 10 ms of 20 above it, computes
//!   guest in it   7.2-rt   eth0 (virtio): interrupt, its thread, answer
//! ```
//!
//! Guest and host are the same stock kernel, QEMU is Debian's, all of them unmodified.
//!
//! **Assumptions.** 1. One processor: QEMU's main loop and what pings are on it, above lent threads. 2. Between two
//! pings lie 37 ms, so that they meet the period of 20 ms at 20 places.

use super::raised::{self, LENGTH_MS, RUNNING};
use super::rival::{self, SHORT};
use super::{Check, Scenario, host_interrupts, linux_guest, vm};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::experiment::ping::round_trip;
use crate::host::MS;
use crate::host::guest::{counted, file, told};
use crate::host::pinged::{AS_ONE, EACH, ON_6_12, TRIALS, Trial, between};
use vorrang_guest::{Plan, Policy, Step};
use vorrang_probe::Told as Counted;

const PINGS: usize = 40;
/// A round trip that waits for no budget takes less.
const SOON: u64 = 300_000;
/// The file of those before any server is run.
const ALONE: &str = "/run/alone";
/// The thread of QEMU's main loop; above lent threads and what wakes the dispatcher for interrupts.
const MAIN_LOOP_NAME: &str = "qemu-system-x86";
const MAIN_LOOP: u32 = 30;
const PINGING: u32 = 40;
/// What is said of interrupts that come more often than their description allows.
const SOONER: &str = " came sooner than described, so no bound holds";

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "host-guest",
        shows: "vorrang-host runs a Linux under QEMU: with a pseudo-VCPU it answers pings at once, its budget exhausted",
        lines: &["7.2-rt"],
        // As `kvm-guest`.
        in_ci: &[],
        machine: Machine { cpus: 1, ..vm::scenario().machine },
        modules: &["kvm_amd", "tun"],
        programs: &["vorrang-host", "vorrang-probe"],
        files: || raised::files(TRIALS[0].iter().map(described)),
        of_kernel: Some(linux_guest::files),
        plan: || plan(&TRIALS[0]),
        checks: |evidence| checks(&TRIALS[..1], evidence),
    }
}

/// The same on 6.12, whose guest has two interrupts for each ping; and where its description has them as one.
pub(super) fn on_6_12() -> Scenario {
    Scenario {
        name: "host-guest-6.12",
        shows: "vorrang-host runs a Linux under QEMU on 6.12: the same, and it says that interrupts come more often than described",
        lines: &["6.12-rt"],
        machine: Machine { memory: vm::scenario().machine.memory, ..host_interrupts::vmware() },
        files: || raised::files(on_6_12_all().iter().map(described)),
        plan: || plan(&on_6_12_all()),
        checks: |evidence| {
            let mut checks = checks(&ON_6_12, evidence);
            checks.extend(as_one(evidence));
            checks.extend(each(evidence));
            checks
        },
        ..scenario()
    }
}

pub(super) fn with_budgets() -> Scenario {
    Scenario {
        name: "host-guest-budgets",
        shows: "the same with budgets of 36 to 70 % of a processor",
        files: || raised::files(TRIALS[1..].iter().flatten().map(described)),
        plan: || plan(TRIALS[1..].as_flattened()),
        checks: |evidence| checks(&TRIALS[1..], evidence),
        ..scenario()
    }
}

/// Those of 6.12, with both interrupts as one, and with two.
fn on_6_12_all() -> Vec<Trial> {
    ON_6_12.iter().flatten().copied().chain([AS_ONE, EACH]).collect()
}

fn described(trial: &Trial) -> (&'static str, String) {
    (trial.name, trial.description())
}

/// Pings by the clock, with the time before and after them, once something is there; into a file.
fn pings(file: &str, once: &str) -> Vec<Step> {
    let sleep = "/bin/busybox sleep 0.1";
    // The schedule begins 100 to 200 ms after that.
    let begun = "/bin/busybox sleep 0.4";
    let uptime = "/bin/busybox cat /proc/uptime";
    let ping = format!("/bin/busybox ping -c {PINGS} -i 0.037 -W 3 10.9.0.2");
    let line = format!(
        "{sleep}; until [ -e {once} ]; do {sleep}; done; {begun}; ({uptime}; {ping}; {uptime}) > {file} 2>&1"
    );
    vec![
        Step::Start { command: ["/bin/busybox", "sh", "-c", &line].map(str::to_owned).to_vec() },
        Step::Sleep { time: 50 * MS },
        // Its children have what it has.
        Step::SetThread { name: "busybox".to_owned(), cpu: None, policy: Policy::Fifo(PINGING) },
    ]
}

/// The guest answers, and its main loop is above lent threads.
fn started() -> Vec<Step> {
    let main_loop = Policy::Fifo(MAIN_LOOP);
    let main_loop =
        Step::SetThread { name: MAIN_LOOP_NAME.to_owned(), cpu: None, policy: main_loop };
    linux_guest::started().into_iter().chain([main_loop]).collect()
}

fn plan(trials: &[Trial]) -> Plan {
    let mut steps = started();
    steps.extend(pings(ALONE, "/proc/uptime"));
    steps.extend([Step::Sleep { time: 2600 * MS }, Step::Read { path: ALONE.to_owned() }]);
    for trial in trials {
        let (counted, pinged) = (counted(trial.name), told(trial.name));
        // It may have died by itself (docs/lab-reference.md), but not while it is served.
        steps.extend(started());
        steps.push(Step::RememberState);
        steps.extend([raised::counting(&counted), raised::settled()]);
        steps.extend(pings(&pinged, RUNNING));
        steps.push(raised::run(&file(trial.name), trial.reserved));
        steps.extend(raised::read(&counted, "read"));
        steps.extend([Step::Read { path: pinged }, Step::Sleep { time: 50 * MS }]);
        steps.push(Step::CompareState);
    }
    steps.push(Step::Read { path: linux_guest::CONSOLE.to_owned() });
    Plan { steps }
}

fn checks(pairs: &[[Trial; 2]], evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence), linux_guest::is_started(evidence)];
    let text = |path: &str| evidence.texts(path).next().unwrap_or_default().to_owned();
    checks.push(answered("without reservations", &text(ALONE)));
    let mut said = raised::said(evidence);
    let mut soon = Vec::new();
    for trial in pairs.iter().flatten() {
        let name = trial.name;
        let Some(said) = said.next() else {
            checks.push(raised::not_run(name));
            continue;
        };
        let pinged = text(&told(name));
        let trips = round_trips(&pinged);
        checks.extend([said.check(name), answered(name, &pinged)]);
        checks.push(meanwhile(name, &pinged, said.origin()));
        if trial.reserved {
            checks.push(said.holds(name, raised::CARD));
        }
        let longest = trips.last().copied().unwrap_or(u64::MAX);
        let (description, reserved) = (trial.description(), trial.reserved);
        checks.push(raised::bounded(
            name,
            &description,
            (raised::CARD, reserved),
            longest,
            "with its way",
        ));
        soon.push(100 * trips.iter().filter(|trip| **trip <= SOON).count() / PINGS);
        let rival = |told: Counted| rival::supplied(name, trial.rival, SHORT, said.origin(), &told);
        checks.push(raised::told(name, &counted(name), evidence).map_or_else(|why| why, rival));
    }
    for ([off, on], trials) in soon.as_chunks().0.iter().zip(pairs) {
        let seen = format!("{off} % without a pseudo-VCPU, {on} % with one");
        let what = format!(
            "{} and {}: answered within {} us",
            trials[0].name,
            trials[1].name,
            SOON / 1000
        );
        checks.push(Check::new(what, seen, off < on && *on == 100));
    }
    checks.extend(super::apply::differences(evidence));
    checks
}

/// Where two interrupts are described as one, budgets are kept, some pings are late, and it is said why.
fn as_one(evidence: &Evidence) -> Vec<Check> {
    let (name, rival) = (AS_ONE.name, AS_ONE.rival);
    let Some(said) = raised::said(evidence).nth(2) else { return vec![raised::not_run(name)] };
    let line = said.interrupt(raised::CARD);
    let file = told(name);
    let pinged = evidence.texts(&file).next().unwrap_or_default();
    let supplied = |told: Counted| rival::supplied(name, rival, SHORT, said.origin(), &told);
    vec![
        said.check(name),
        answered(name, pinged),
        Check::new(format!("{name}: a wrong description is noticed"), line, line.contains(SOONER)),
        raised::told(name, &counted(name), evidence).map_or_else(|why| why, supplied),
    ]
}

/// Where both interrupts are described, and each has a pseudo-VCPU, everything is as with one.
fn each(evidence: &Evidence) -> Vec<Check> {
    let (name, rival) = (EACH.name, EACH.rival);
    let Some(said) = raised::said(evidence).nth(3) else { return vec![raised::not_run(name)] };
    let file = told(name);
    let pinged = evidence.texts(&file).next().unwrap_or_default();
    let longest = round_trips(pinged).last().copied().unwrap_or(u64::MAX);
    let supplied = |told: Counted| rival::supplied(name, rival, SHORT, said.origin(), &told);
    vec![
        said.check(name),
        answered(name, pinged),
        said.holds(name, raised::CARD),
        said.holds(name, "interrupt.sent"),
        Check::new(
            format!("{name}: answered within {} us", SOON / 1000),
            format!("{} us at most", longest / 1000),
            longest <= SOON,
        ),
        raised::bounded(name, &EACH.description(), (raised::CARD, true), longest, "with its way"),
        raised::told(name, &counted(name), evidence).map_or_else(|why| why, supplied),
    ]
}

/// The shortest first.
fn round_trips(text: &str) -> Vec<u64> {
    let mut trips: Vec<u64> = text.lines().filter_map(round_trip).collect();
    trips.sort_unstable();
    trips
}

fn answered(name: &str, said: &str) -> Check {
    let trips = round_trips(said);
    let middle = trips.get(trips.len() / 2).copied().unwrap_or_default() / 1000;
    let summary: Vec<&str> =
        said.lines().filter(|line| line.contains("transmitted") || line.contains("min/")).collect();
    let seen = format!("{}; in the middle {middle} us", summary.join("; "));
    Check::new(format!("{name}: every ping is answered"), seen, trips.len() == PINGS)
}

/// All pings are of the time of the schedule.
fn meanwhile(name: &str, text: &str, origin: u64) -> Check {
    let end = origin + LENGTH_MS * MS;
    let seen = between(text).map(|(from, to)| (from >= origin && to <= end, from, to));
    let what = format!("{name}: it is pinged while the servers are run");
    let (holds, from, to) = seen.unwrap_or_default();
    let ms = |at: u64| at / MS;
    let seen = format!("{} to {} ms of {} to {} ms", ms(from), ms(to), ms(origin), ms(end));
    Check::new(what, seen, holds)
}
