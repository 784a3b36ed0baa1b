//! `vorrang-host` and interrupts of two guests under KVM at the same instants, two of the one and one of the other.
//!
//! ```text
//!   rival      ####..............####        6 ms of 20, above both guests, always computes
//!   guest          | received, sent          computes; pseudo-VCPUs of one priority
//!   other          | other                   halts; a pseudo-VCPU that is more urgent
//! ```
//!
//! Each guest has a process of its own, which raises its interrupts; both raise at the same instants of the clock.
//!
//! **Assumptions.** Those of `host_interrupts.rs`.

use super::host_interrupts::{self, Answered, TURNS};
use super::host_kinds::words;
use super::raised::{self, Raiser};
use super::rival::{self, SHORT};
use super::{Check, Scenario};
use crate::evidence::Evidence;
use crate::host::MS;
use crate::host::guest::{counted, file, told};
use vorrang_guest::{Plan, Step};
use vorrang_probe::Told as Counted;
use vorrang_vcpu::{Interrupt, Told};

const NAME: &str = "both";
/// The rival's budget, in milliseconds.
const RIVAL: u64 = 6;
/// Interrupts of each, and how many instants of both at least come together.
const COUNT: usize = 72;
const TOGETHER: usize = 40;
/// What the other guest tells, and the program that it is, by another name.
const OTHER: &str = "/run/other-guest";
const PROGRAM: &str = "/bin/other-vcpu";

const DESCRIPTION: &str = r#"version = 1
[costs]
scheduler-call = "60us"
[core.0]
scheduler = "fixed-priority"
cpu = 0
[server.rival]
on = "core.0"
server = "periodic"
budget = "6ms"
period = "20ms"
priority = 3
thread = "process:vorrang-probe/rival"
[task.rival]
on = "server.rival"
wcet = "6ms"
period = "20ms"
deadline = "none"
[vcpu.guest]
on = "core.0"
server = "deferrable"
budget = "3ms"
period = "20ms"
priority = 2
thread = "process:vorrang-vcpu/guest"
[task.computing]
on = "vcpu.guest"
wcet = "3ms"
period = "20ms"
jitter = "1ms"
deadline = "none"
[vcpu.other]
on = "core.0"
server = "deferrable"
budget = "2ms"
period = "20ms"
priority = 1
thread = "process:other-vcpu/guest"
[interrupt.look]
on = "core.0"
isr = "60us"
min-interarrival = "1ms"
[interrupt.received]
on = "core.0"
isr = "60us"
min-interarrival = "20ms"
[interrupt.received.virtual]
vcpu = "vcpu.guest"
isr = "150us"
vector = "64"
pseudo-vcpu = { budget = "150us", period = "20ms", priority = 4 }
[interrupt.sent]
on = "core.0"
isr = "60us"
min-interarrival = "20ms"
[interrupt.sent.virtual]
vcpu = "vcpu.guest"
isr = "150us"
vector = "65"
pseudo-vcpu = { budget = "150us", period = "20ms", priority = 4 }
[interrupt.other]
on = "core.0"
isr = "60us"
min-interarrival = "20ms"
[interrupt.other.virtual]
vcpu = "vcpu.other"
isr = "150us"
vector = "64"
pseudo-vcpu = { budget = "150us", period = "20ms", priority = 5 }
[require.received]
of = "interrupt.received"
handled-within = "2500us"
[require.sent]
of = "interrupt.sent"
handled-within = "2500us"
[require.other]
of = "interrupt.other"
handled-within = "2500us"
"#;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "host-interrupts-two",
        shows: "vorrang-host runs pseudo-VCPUs of two guests, two of them of one guest: all interrupts of an instant are handled within their bounds",
        files: || raised::files([(NAME, DESCRIPTION.to_owned())].into_iter()),
        plan,
        checks,
        ..host_interrupts::scenario()
    }
}

/// The same on 6.12.
pub(super) fn on_6_12() -> Scenario {
    Scenario {
        name: "host-interrupts-two-6.12",
        lines: &["6.12-rt"],
        in_ci: &[],
        machine: host_interrupts::vmware(),
        ..scenario()
    }
}

fn plan() -> Plan {
    let raiser = |told: String, work, how| Raiser {
        told,
        work,
        turns: TURNS,
        delay_ms: 0,
        count: COUNT,
        apart: "20ms",
        spread: "20ms",
        how,
    };
    let guest = raiser(told(NAME), "computes", "both");
    let other = raiser(OTHER.to_owned(), "halts", "");
    let counted = counted(NAME);
    let copy = format!("/bin/busybox cp /bin/vorrang-vcpu {PROGRAM}");
    let mut steps = vec![Step::RememberState, Step::Run { command: words(&copy) }];
    steps.extend([raised::counting(&counted), guest.start(), other.start_as(PROGRAM)]);
    steps.extend([raised::settled(), raised::run(&file(NAME), true)]);
    steps.extend(raised::read(&counted, "read"));
    steps.extend(raised::read(OTHER, "raised"));
    steps.extend(guest.ended());
    steps.push(Step::Run { command: words("/bin/busybox killall -9 other-vcpu") });
    steps.extend([Step::Sleep { time: 50 * MS }, Step::CompareState]);
    Plan { steps }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let Some(said) = raised::said(evidence).next() else { return vec![raised::not_run(NAME)] };
    checks.push(said.check(NAME));
    let [guest, other] =
        [told(NAME), OTHER.to_owned()].map(|file| raised::told::<Told>(NAME, &file, evidence));
    let (guest, other) = match (guest, other) {
        (Ok(guest), Ok(other)) => (guest, other),
        (Err(why), _) | (_, Err(why)) => return vec![why],
    };
    let of_vector = |told: &Told, place: usize| told.interrupts.get(place).cloned();
    let all = [
        ("interrupt.received", of_vector(&guest, 0), guest.uncertain),
        ("interrupt.sent", of_vector(&guest, 1), guest.uncertain),
        ("interrupt.other", of_vector(&other, 0), other.uncertain),
    ];
    for (interrupt, seen, uncertain) in &all {
        let one = Answered {
            name: NAME,
            description: DESCRIPTION,
            interrupt,
            reserved: true,
            uncertain: *uncertain,
            origin: said.origin(),
        };
        checks.extend(one.checks(seen.as_ref()).0);
        checks.push(said.holds(NAME, interrupt));
    }
    if let [(_, Some(sent), _), (_, Some(other), _)] = &all[1..] {
        checks.push(together(sent, other));
    }
    let supplied = |told: Counted| rival::supplied(NAME, RIVAL, SHORT, said.origin(), &told);
    checks.push(raised::told(NAME, &counted(NAME), evidence).map_or_else(|why| why, supplied));
    checks.extend(super::apply::differences(evidence));
    checks
}

/// How often an interrupt of the one guest is raised before that of the other one is handled, or the other way round.
fn together(one: &Interrupt, other: &Interrupt) -> Check {
    let waits = |of: &Interrupt, at: u64| {
        let raised = of.raised.iter().rposition(|raised| *raised <= at);
        let handled = |from: u64| of.handled.iter().map(|(_, end)| *end).find(|end| *end >= from);
        let end = raised.and_then(|place| handled(of.raised[place]));
        raised.is_some() && end.is_none_or(|end| end > at)
    };
    let first = one.raised.iter().filter(|at| waits(other, **at)).count();
    let second = other.raised.iter().filter(|at| waits(one, **at)).count();
    let seen = format!("{first} and {second} times");
    let what = "an interrupt is raised while one of the other guest waits";
    Check::new(what, seen, first + second >= TOGETHER)
}
