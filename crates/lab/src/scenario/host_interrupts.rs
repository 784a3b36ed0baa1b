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

use super::raised::{self, LENGTH_MS, Raiser};
use super::rival::{self, SHORT};
use super::{Check, Scenario};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::host::MS;
use crate::host::guest::{counted, file, told};
use crate::host::interrupted::{TRIALS, Trial};
use vorrang_guest::{Plan, Step};
use vorrang_probe::Told as Counted;
use vorrang_vcpu::{Interrupt, Told};

/// Interrupts, which come for as long as the servers are run.
const COUNT: usize = 72;
/// So many are raised meanwhile at least.
const ENOUGH: usize = 50;
/// From the beginning of the schedule on, and to its end, others are left aside.
const EDGE: u64 = 100 * MS;
/// Turns of the handler, two instructions each.
pub(super) const TURNS: u32 = 5000;
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
            let file = |trial: &Trial| (trial.name, trial.description());
            raised::files(TRIALS.iter().map(file))
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
    for Trial { name, work, reserved, .. } in &TRIALS {
        let counted = counted(name);
        let raiser = Raiser {
            told: told(name),
            work,
            turns: TURNS,
            delay_ms: 0,
            count: COUNT,
            apart: "20ms",
            spread: "20ms",
            how: "",
        };
        steps.extend([raised::counting(&counted), raiser.start(), raised::settled()]);
        steps.push(raised::run(&file(name), *reserved));
        steps.extend(raised::read(&counted, "read"));
        steps.extend(raiser.ended());
    }
    steps.push(Step::CompareState);
    Plan { steps }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let mut said = raised::said(evidence);
    let mut middle = Vec::new();
    for trial in &TRIALS {
        let name = trial.name;
        let Some(said) = said.next() else {
            checks.push(raised::not_run(name));
            continue;
        };
        checks.push(said.check(name));
        if trial.reserved {
            checks.push(said.holds(name, raised::CARD));
        }
        match raised::told::<Told>(name, &told(name), evidence) {
            Ok(told) => {
                let card = Answered {
                    name,
                    description: &trial.description(),
                    interrupt: raised::CARD,
                    reserved: trial.reserved,
                    uncertain: told.uncertain,
                    origin: said.origin(),
                };
                let (found, typical) = card.checks(told.interrupts.first());
                checks.extend(found);
                middle.push(typical);
            }
            Err(why) => checks.push(why),
        }
        let rival = |told: Counted| rival::supplied(name, trial.rival, SHORT, said.origin(), &told);
        checks.push(raised::told(name, &counted(name), evidence).map_or_else(|why| why, rival));
    }
    if let [off, on, ..] = middle[..] {
        let seen = format!("{} us without, {} us with", off / 1000, on / 1000);
        let what = "in the middle, from raising to the end of the handler";
        checks.push(Check::new(what, seen, 20 * on < off));
    }
    checks.extend(super::apply::differences(evidence));
    checks
}

/// An interrupt of a run.
pub(super) struct Answered<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    pub(super) interrupt: &'a str,
    /// Whether it has a pseudo-VCPU.
    pub(super) reserved: bool,
    pub(super) uncertain: u64,
    /// When the schedule began.
    pub(super) origin: u64,
}

impl Answered<'_> {
    /// From raising to the end of the handler: all of them, the longest beside bound and simulation; and the one in the
    /// middle.
    pub(super) fn checks(&self, seen: Option<&Interrupt>) -> (Vec<Check>, u64) {
        let Self { name, description, interrupt, reserved, uncertain, origin } = *self;
        let nothing = Interrupt::default();
        let Interrupt { raised: at, handled } = seen.unwrap_or(&nothing);
        let (mut took, mut begins, mut raised) = (Vec::new(), 0, 0);
        let run = origin + EDGE..origin + LENGTH_MS * MS - EDGE;
        for (place, &at_one) in at.iter().enumerate().filter(|(_, at)| run.contains(at)) {
            raised += 1;
            // Now and then the emulator delivers one twice, the second time at once.
            let next = at.get(place + 1).copied().unwrap_or(u64::MAX);
            let own = |&&(begin, _): &&(u64, u64)| (at_one..next).contains(&(begin + uncertain));
            if let Some((begin, end)) = handled.iter().find(own) {
                took.push(end.saturating_sub(at_one));
                begins = begins.max(begin.saturating_sub(at_one));
            }
        }
        took.sort_unstable();
        let (middle, longest) = (
            took.get(took.len() / 2).copied().unwrap_or(u64::MAX),
            took.last().copied().unwrap_or(u64::MAX),
        );
        let all = Check::new(
            format!("{name}: every {interrupt} is handled before the next"),
            format!("{} of {raised}", took.len()),
            raised >= ENOUGH && took.len() == raised,
        );
        let seen = format!(
            "the handler begins after {} us at most; in the middle {} us",
            begins / 1000,
            middle / 1000
        );
        let bounded = raised::bounded(name, description, (interrupt, reserved), longest, &seen);
        (vec![all, bounded], middle)
    }
}
