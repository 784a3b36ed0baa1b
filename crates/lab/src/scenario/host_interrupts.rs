//! `vorrang-host` and interrupts of a guest under KVM: with and without a pseudo-VCPU.
//!
//! ```text
//!   raiser ─► vorrang-vcpu, thread "guest": 4 ms of 20, computes, or halts
//!             vorrang-probe, thread "rival":     10 ms of 20 above it, computes
//!   raised ── handler begins ── handler ends       instants of the host, and of the guest's own counter
//! ```
//!
//! **Assumptions.** 1. Counted time: the counter of the guest and the clock of the host go alike, an instruction a
//! nanosecond. 2. One processor: what raises interrupts is on it, above everything but the dispatcher.

use super::host_kinds::words;
use super::{Check, Scenario};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::host::handled;
use crate::host::interrupted::{TRIALS, Trial};
use crate::host::{MS, READ_MS};
use crate::image::File;
use vorrang_analysis::bounds;
use vorrang_guest::{Plan, Record, Step, TICK};
use vorrang_model::system::InterruptId;
use vorrang_probe::Told as Counted;
use vorrang_time::Duration;
use vorrang_vcpu::Told;

/// For so long the servers are run.
pub(super) const LENGTH_MS: u64 = 2800;
/// From the start of the guest to its first interrupt; by the last of them the servers have been run.
const DELAY_MS: u64 = 1000;
const COUNT: usize = 320;
/// So many are raised meanwhile at least.
const ENOUGH: usize = 50;
/// From the beginning of the schedule on, and to its end, others are left aside.
const EDGE: u64 = 100 * MS;
const PERIOD_MS: u64 = 20;
const SPREAD_MS: u64 = 20;
/// Turns of the handler, two instructions each.
const TURNS: u32 = 5000;
const RIVAL_MS: u64 = 10;
/// Decisions at its beginning and its end, and less than is lent.
const SHORT: u64 = 60_000;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "host-interrupts",
        shows: "vorrang-host runs a pseudo-VCPU: a guest without budget answers at once, and no other budget is charged",
        lines: &["7.2-rt"],
        in_ci: &["7.2-rt"],
        machine: Machine {
            features: &["+svm"],
            // Without it a real-time kernel has no KVM: an emulated processor does not promise it.
            command_line: "setcpuid=constant_tsc",
            ..Machine::default()
        },
        modules: &["kvm_amd"],
        programs: &["vorrang-host", "vorrang-probe", "vorrang-vcpu"],
        files: || {
            let file =
                |trial: &Trial| File { path: trial.file(), bytes: trial.description().into() };
            TRIALS.iter().map(file).chain(super::busybox()).collect()
        },
        of_kernel: None,
        plan,
        checks,
    }
}

/// The same on 6.12, which takes the promise of a constant counter only where the hypervisor says `VMware`: this machine does.
pub(super) fn on_6_12() -> Scenario {
    Scenario {
        name: "host-interrupts-6.12",
        lines: &["6.12-rt"],
        in_ci: &[],
        machine: vmware(),
        ..scenario()
    }
}

/// A machine on which real-time kernels of 6.12 have KVM.
pub(super) fn vmware() -> Machine {
    Machine {
        features: &["+svm", "-hypervisor"],
        devices: &["-machine", "pc,vmport=on", "-smbios", "type=1,serial=VMware-56"],
        ..Machine::default()
    }
}

fn plan() -> Plan {
    let mut steps = vec![Step::RememberState];
    for trial in &TRIALS {
        let (counted, told) = (trial.counted(), trial.told());
        let readings = (LENGTH_MS + 11_000) / READ_MS;
        let probe = format!("/bin/vorrang-probe {counted} {READ_MS}ms {readings} rival=always");
        let guest = format!(
            "/bin/vorrang-vcpu {told} {} {TURNS} {DELAY_MS}ms {COUNT} {PERIOD_MS}ms {SPREAD_MS}ms",
            trial.work
        );
        let unproven = if trial.reserved { "" } else { " --unproven" };
        let run =
            format!("/bin/vorrang-host run {}{unproven} --yes --for {LENGTH_MS}ms", trial.file());
        steps.extend([
            Step::Start { command: words(&probe) },
            Step::Start { command: words(&guest) },
            Step::Sleep { time: 1500 * MS },
            Step::Run { command: words(&run) },
            Step::Await { path: told.clone(), text: "raised".to_owned(), limit: 20_000 * MS },
            Step::Await { path: counted.clone(), text: "read".to_owned(), limit: 20_000 * MS },
            Step::Read { path: told },
            Step::Read { path: counted },
            Step::Run { command: words("/bin/busybox killall -9 vorrang-vcpu") },
            Step::Sleep { time: 50 * MS },
        ]);
    }
    steps.push(Step::CompareState);
    Plan { steps }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let mut ran = evidence.records.iter().filter_map(|record| match record {
        Record::Ran { command, exit, output, errors }
            if command.iter().any(|word| word == "/bin/vorrang-host") =>
        {
            Some((*exit, output, errors))
        }
        _ => None,
    });
    let mut middle = Vec::new();
    for trial in &TRIALS {
        let name = trial.name;
        let Some((exit, output, errors)) = ran.next() else {
            checks.push(Check::new(format!("{name}: it is run"), "it did not run", false));
            continue;
        };
        let said = output.lines().find(|line| line.contains(" decisions, ")).unwrap_or_default();
        let seen = if exit == 0 { said.to_owned() } else { format!("{exit}: {errors}") };
        checks.push(Check::new(format!("{name}: it is run"), seen, exit == 0));
        let told = evidence.texts(&trial.told()).next().unwrap_or_default().to_owned();
        match serde_json::from_str::<Told>(&told) {
            Ok(told) => {
                let (found, typical) = answered(*trial, &told, origin(output));
                checks.extend(found);
                middle.push(typical);
            }
            Err(why) => {
                checks.push(Check::new(format!("{name}: it tells"), why.to_string(), false));
            }
        }
        let counted = evidence.texts(&trial.counted()).next().unwrap_or_default().to_owned();
        if let Ok(counted) = serde_json::from_str::<Counted>(&counted) {
            checks.push(rival(name, RIVAL_MS, &counted, output));
        }
    }
    if let [off, on, ..] = middle[..] {
        let seen = format!("{} us without, {} us with", off / 1000, on / 1000);
        let what = "in the middle, from raising to the end of the handler";
        checks.push(Check::new(what, seen, 20 * on < off));
    }
    checks.extend(super::apply::differences(evidence));
    checks
}

/// From raising to the end of the handler: all of them, the longest beside bound and simulation; and the one in the
/// middle.
fn answered(trial: Trial, told: &Told, origin: u64) -> (Vec<Check>, u64) {
    let Trial { name, reserved, .. } = trial;
    let (mut took, mut begins, mut raised) = (Vec::new(), 0, 0);
    let run = origin + EDGE..origin + LENGTH_MS * MS - EDGE;
    for (place, &at) in told.raised.iter().enumerate().filter(|(_, at)| run.contains(at)) {
        raised += 1;
        // Now and then the emulator delivers one twice, the second time at once.
        let next = told.raised.get(place + 1).copied().unwrap_or(u64::MAX);
        let own = |&&(begin, _): &&(u64, u64)| (at..next).contains(&(begin + told.uncertain));
        if let Some((begin, end)) = told.handled.iter().find(own) {
            took.push(end.saturating_sub(at));
            begins = begins.max(begin.saturating_sub(at));
        }
    }
    took.sort_unstable();
    let (middle, longest) = (
        took.get(took.len() / 2).copied().unwrap_or(u64::MAX),
        took.last().copied().unwrap_or(u64::MAX),
    );
    let all = Check::new(
        format!("{name}: every interrupt is handled before the next"),
        format!("{} of {raised}", took.len()),
        raised >= ENOUGH && took.len() == raised,
    );
    let system = trial.system();
    let bound = bounds(&system).interrupt(InterruptId(1)).bound().map(Duration::as_ns);
    let spread = Duration::from_ms(SPREAD_MS);
    let simulated =
        handled::simulated(&system, InterruptId(1), (spread, Duration::from_ms(LENGTH_MS)));
    let seen = format!(
        "{} us, the handler begins after {} us at most; in the middle {} us; simulated {} us; bound {}",
        longest / 1000,
        begins / 1000,
        middle / 1000,
        simulated / 1000,
        bound.map_or("none".to_owned(), |bound| format!("{} us", bound / 1000))
    );
    let what = format!("{name}: the longest from raising to the end, at most the bound");
    let holds = bound.map_or(!reserved, |bound| longest <= bound && simulated <= bound);
    (vec![all, Check::new(what, seen, holds)], middle)
}

/// When the schedule began.
pub(super) fn origin(output: &str) -> u64 {
    let origin = output.lines().find_map(|line| line.strip_prefix("from ")?.split_once(" ns"));
    origin.and_then(|(at, _)| at.parse().ok()).unwrap_or_default()
}

/// The budget of the rival in every period: what the guest has more, it has from idle time only.
pub(super) fn rival(name: &str, budget_ms: u64, counted: &Counted, output: &str) -> Check {
    rival_but_for(SHORT, name, budget_ms, counted, output)
}

/// The same, where it may be short by something else.
pub(super) fn rival_but_for(
    most: u64,
    name: &str,
    budget_ms: u64,
    counted: &Counted,
    output: &str,
) -> Check {
    let what = format!("{name}: the rival has its {budget_ms} ms in every period");
    let origin = origin(output);
    let readings = usize::try_from(LENGTH_MS / READ_MS).expect("few");
    let first = counted.read.iter().position(|(at, _)| *at == origin);
    let Some(first) = first.filter(|first| first + readings < counted.read.len()) else {
        let read = counted.read.iter().map(|(at, _)| at / MS);
        let (begin, end) = (read.clone().min(), read.max());
        let seen = format!("run from {} ms on, read from {begin:?} to {end:?} ms", origin / MS);
        return Check::new(what, seen, false);
    };
    let every = usize::try_from(PERIOD_MS / READ_MS).expect("few");
    let periods = usize::try_from(LENGTH_MS / PERIOD_MS).expect("few");
    let given = |period: usize| -> u64 {
        let readings = first + period * every..first + (period + 1) * every;
        readings.map(|reading| counted.between(&counted.threads[0], reading)).sum()
    };
    let given: Vec<u64> = (0..periods).map(given).collect();
    let budget = budget_ms * MS;
    let short = given.iter().map(|given| budget.saturating_sub(*given)).max().unwrap_or_default();
    let over: u64 = given.iter().map(|given| given.saturating_sub(budget)).sum();
    let seen = format!(
        "short by at most {}.{} us, {} us above it in {LENGTH_MS} ms",
        short / 1000,
        short % 1000 / 100,
        over / 1000
    );
    // Parked threads have a millisecond of every second, which a tick ends.
    let parked = (LENGTH_MS.div_ceil(1000) + 1) * (MS + TICK);
    Check::new(what, seen, short <= most && over <= parked)
}
