//! Rounds of the guest, timed.

use super::guest::{Guest, port};
use super::{Measured, Outcome, Plan, Sample};
use crate::machine::Unable;
use crate::machine::conditions::{self, Interrupted, Steal};
use crate::machine::counter::{self, Counter};
use crate::machine::place::Pinned;
use crate::machine::policy::Fifo;
use std::time::Instant;

/// Warm-up rounds: pages of the guest are mapped.
const SETTLING: usize = 100;

/// More rounds add no information.
const MOST_ROUNDS: usize = 1_000_000;

/// By how many parts of a million two counters may differ and have one rate.
const SAME_RATE: f64 = 500e-6;

/// Runs rounds until the time of the plan is over or `go_on`, which receives the finished part, returns
/// false; at least once.
///
/// # Errors
/// There is no virtualisation for this process, or it may not stay on the CPU of the plan.
pub fn measure(plan: &Plan, mut go_on: impl FnMut(f64) -> bool) -> Result<Measured, Unable> {
    let place = Pinned::to(plan.cpu)?;
    let mut conditions = conditions::of(place.cpu);
    let mut guest = Guest::new()?;
    let (fifo, refused) = match plan.priority.map(Fifo::at).transpose() {
        Ok(fifo) => (fifo, None),
        Err(Unable(why)) => (None, Some(why)),
    };
    let counter = Counter::calibrate();
    let steal = Steal::watch(place.cpu);
    for _ in 0..SETTLING {
        round(&mut guest, counter)?;
    }
    let mut samples = Vec::new();
    let since = Instant::now();
    loop {
        samples.push(round(&mut guest, counter)?);
        let part = since.elapsed().as_secs_f64() / plan.time.as_secs_f64();
        if !go_on(part.min(1.0)) || part >= 1.0 || samples.len() == MOST_ROUNDS {
            break;
        }
    }
    let guest_khz = guest.counter_khz();
    let rate = |khz: u32| f64::from(khz) / 1e6 / counter.ticks_per_ns();
    let counters_agree = guest_khz.is_some_and(|khz| (rate(khz) - 1.0).abs() < SAME_RATE);
    let policy = if fifo.is_some() { "real-time" } else { "normal" };
    let priority = plan.priority.filter(|_| fifo.is_some());
    conditions.extend([
        ("nested", nested()),
        ("kvm", virtualisation()),
        ("priority", priority.map_or(policy.to_owned(), |priority| priority.to_string())),
        ("counter", counter.text()),
        ("guest-counter-khz", guest_khz.map_or("unknown".to_owned(), |khz| khz.to_string())),
    ]);
    let outcome = Outcome::of(&samples);
    let remarks = remarks(&conditions, &steal, refused, counters_agree, outcome.is_none());
    Ok(Measured { outcome, counters_agree, conditions, remarks })
}

fn remarks(
    conditions: &[conditions::Condition],
    steal: &Steal,
    refused: Option<String>,
    counters_agree: bool,
    nothing: bool,
) -> Vec<String> {
    let mut remarks = conditions::remarks(conditions, steal.part(), Interrupted::LeftOut);
    if conditions.contains(&("nested", "yes".to_owned())) {
        remarks.push(
            "The guest runs in a virtual machine: each of its exits may go through the host's \
             host, and costs more than on the bare processor."
                .to_owned(),
        );
    }
    if conditions.contains(&("kvm", SOFTWARE.to_owned())) {
        remarks.push(
            "The kernel does without virtualisation by the processor: it stands in for the guest's \
             instructions one by one, which is in every number."
                .to_owned(),
        );
    }
    if !counters_agree {
        remarks.push(
            "Whether the guest's counter has the rate of the host's is not known: `kernel` and `end` \
             may be off by their ratio."
                .to_owned(),
        );
    }
    remarks.extend(refused.map(|why| format!("{why}; other threads may have run in between.")));
    if nothing {
        remarks.push("Every round was interrupted: there is no number.".to_owned());
    }
    remarks
}

/// Whether this machine is a guest itself.
fn nested() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let is_guest = info.split_whitespace().any(|word| word == "hypervisor");
    (if is_guest { "yes" } else { "no" }).to_owned()
}

/// The kernel's module for virtual processors.
fn virtualisation() -> String {
    let mut modules = ["kvm_intel", "kvm_amd"].into_iter();
    let is_loaded = |name: &&str| std::path::Path::new("/sys/module").join(name).exists();
    modules.find(is_loaded).unwrap_or(SOFTWARE).to_owned()
}

/// If no module uses the processor's support.
const SOFTWARE: &str = "software";

/// One round, from its first port to its last.
fn round(guest: &mut Guest, counter: Counter) -> Result<Sample, Unable> {
    let reach = |guest: &mut Guest, place: Option<u16>| {
        let from = counter::now();
        let found = guest.enter()?;
        let ticks = counter::now() - from;
        if found == place { Ok(ticks) } else { Err(lost(place, found)) }
    };
    reach(guest, Some(port::BEGIN))?;
    let program = reach(guest, Some(port::PROGRAM))?;
    let memory = reach(guest, None)?;
    reach(guest, Some(port::WAITS))?;
    let from = counter::now();
    guest.send()?;
    let sent = counter::now() - from;
    let handled = reach(guest, Some(port::HANDLES))? + sent;
    reach(guest, Some(port::END))?;
    let [stamps, kernel, end] = guest.ticks().map(u64::from);
    let ns = |ticks| counter.ns(ticks);
    Ok(Sample {
        program_ns: ns(program),
        memory_ns: ns(memory),
        handled_ns: ns(handled),
        stamps_ns: ns(stamps),
        kernel_ns: ns(kernel),
        end_ns: ns(end),
    })
}

fn lost(expected: Option<u16>, found: Option<u16>) -> Unable {
    Unable(format!("the guest is at {found:?} where {expected:?} was expected"))
}
