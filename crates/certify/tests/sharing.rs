//! Certified bounds where interrupts share a guest and have pseudo-VCPUs of all rules, beside histories of the simulator.
//!
//! **Model.** The cores of `shared`. No response is longer than its certified bound. Errors that are planted are noticed: as if
//! others in the guest did not come before, as if a request were never held back, as if less came back to a pseudo-VCPU.

use crate::shared::{drawn, system};
use vorrang_certificate::{Certificate, Order};
use vorrang_certify::{Search as Windows, of_interrupt, of_task};
use vorrang_model::System;
use vorrang_model::system::PseudoVcpuRule;
use vorrang_sim::{Search, search};

const SYSTEMS: u64 = 100;

fn systems() -> u64 {
    let stated = std::env::var("VORRANG_SYSTEMS").ok().and_then(|text| text.parse().ok());
    stated.unwrap_or(SYSTEMS)
}

/// Of tasks, then of interrupts.
fn certified(system: &System) -> Vec<Option<Certificate>> {
    let mut windows = Windows::new(1_000_000);
    let tasks = system.task_ids().map(|id| of_task(system, id, &mut windows).ok());
    let mut all: Vec<_> = tasks.collect();
    all.extend(system.interrupt_ids().map(|id| of_interrupt(system, id, &mut windows).ok()));
    all
}

/// The longest responses of the same in histories that were looked for.
fn seen(system: &System, seed: u64) -> Vec<Option<u64>> {
    let limits = Search { seed, runs: 40, climbs: 40, work: 60_000, ..Search::default() };
    let found = search(system, &limits);
    let all = found.tasks.iter().chain(&found.interrupts);
    all.map(|of| of.as_ref().map(|worst| worst.response.as_ns())).collect()
}

/// Sharing, alone; beside an interrupt that pays by another rule; that pays by another rule itself.
fn kinds(system: &System, place: usize, of: &Certificate) -> [bool; 4] {
    let otherwise = |id: usize| {
        let to = system.interrupts.get(id).and_then(|of| of.delivery.as_ref());
        to.and_then(|to| to.pseudo_vcpu).is_some_and(|of| of.rule != PseudoVcpuRule::Arrival)
    };
    let own = place.checked_sub(system.tasks.len());
    let beside = (0..system.interrupts.len()).any(|id| own != Some(id) && otherwise(id));
    let (shares, alone) =
        (matches!(of.order, Order::Sharing(_)), matches!(of.order, Order::Credit(_)));
    [shares, alone, beside, own.is_some_and(otherwise)]
}

/// As if interrupts without a pseudo-VCPU were not in the guest.
fn alone(text: &str) -> String {
    let stays = ["pseudo", "wakes"];
    let delivered =
        |line: &&str| !line.starts_with("virtual") || stays.iter().any(|word| line.contains(word));
    text.lines().filter(delivered).collect::<Vec<_>>().join("\n")
}

/// As if all credits came with requests, and were back at once.
fn at_once(text: &str) -> String {
    text.replace("\"deferrable\", budget", "\"arrival\", budget")
        .replace("\"released\", budget", "\"arrival\", budget")
}

#[test]
fn no_history_exceeds_a_certified_bound_of_a_guest_with_pseudo_vcpus() {
    let (mut compared, mut nearest, mut planted) = ([0_u32; 4], [0; 4], [0_u32; 2]);
    for seed in 0..systems() {
        let text = drawn(seed);
        let of = system(&text);
        let longest = seen(&of, seed);
        for (place, (found, response)) in certified(&of).iter().zip(&longest).enumerate() {
            let (Some(found), &Some(response)) = (found, response) else { continue };
            assert!(response <= found.bound, "{seed}: {response} > {}: {text}", found.bound);
            for (kind, is_so) in kinds(&of, place, found).into_iter().enumerate() {
                compared[kind] += u32::from(is_so);
                nearest[kind] =
                    nearest[kind].max(if is_so { response * 100 / found.bound } else { 0 });
            }
        }
        for (which, wrong) in [alone(&text), at_once(&text)].iter().enumerate() {
            for (found, response) in certified(&system(wrong)).iter().zip(&longest) {
                let (Some(found), &Some(response)) = (found, response) else { continue };
                planted[which] += u32::from(response > found.bound);
            }
        }
    }
    println!("{compared:?}, {nearest:?}, {planted:?}");
    assert!(compared.iter().all(|&count| count > 5), "{compared:?}");
    assert!(nearest.iter().all(|&percent| percent > 50), "{nearest:?} of {compared:?}");
    assert!(planted.iter().all(|&count| count > 3), "{planted:?}");
}

/// Deadlines count from arrivals: a request that comes late has a task that is due as early as if it had come in time.
#[test]
fn what_is_due_early_beside_a_task_is_counted_from_arrivals() {
    let text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[interrupt.a]\non = \"core.0\"\nisr = \"1ns\"\n\
         min-interarrival = \"200ns\"\njitter = \"60ns\"\nvirtual = { vcpu = \"vcpu.v\", isr = \"1ns\", \
         wakes = \"task.woken\", pseudo-vcpu = { rule = \"arrival\", budget = \"31ns\", period = \"200ns\", \
         priority = 2 } }\n[vcpu.v]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"90ns\"\n\
         period = \"100ns\"\npriority = 5\nscheduler = \"edf\"\n[task.woken]\non = \"vcpu.v\"\nwcet = \"30ns\"\n\
         deadline = \"100ns\"\n[task.other]\non = \"vcpu.v\"\nwcet = \"20ns\"\nperiod = \"300ns\"\ndeadline = \"60ns\"\n";
    let of = system(text);
    let (found, longest) = (certified(&of), seen(&of, 1));
    let bound = found[1].as_ref().map(|of| of.bound);
    assert_eq!((bound, longest[1]), (Some(62), Some(52)));
}
