//! Interrupts on which no decision depends wake nothing, and that changes nothing.

use crate::drawn::Draw;
use crate::memory::{Memory, Ran};
use crate::simulated::service;
use crate::stated::{job, server};
use vorrang_host::control::Unattended;
use vorrang_host::processor::Order;
use vorrang_host::{Processor, dispatch, rule};
use vorrang_mechanisms::interrupt::{PseudoVcpu, Rule};
use vorrang_model::system::ServerKind;
use vorrang_time::{Duration, Instant};

const HORIZON: Instant = Instant::from_ns(200_000_000);

/// What ran, the decisions, and how often each interrupt was raised and held back.
type Course = (Vec<Ran>, u64, Vec<(u64, u64)>);

/// A guest below a server that computes, with a pseudo-VCPU for its first interrupt, and a second one without.
fn processor(guest: ServerKind, credits: u64) -> Processor {
    let servers = [(ServerKind::Deferrable, [8_000, 20_000], 2), (guest, [4_000, 20_000], 1)];
    let empty = Processor::new(Order::FixedPriority, Duration::from_ms(1), Duration::ZERO);
    let with = |processor: Processor, (kind, times, priority)| {
        let mechanism = rule::mechanism(&server(kind, times, priority)).expect("it is run");
        processor.with(mechanism, priority, rule::wake_ups(kind).expect("it is run"))
    };
    let (credit, period) = (Duration::from_us(300), Duration::from_ms(10));
    let own = PseudoVcpu::new(Rule::Arrival, credit * credits, period, credit, Duration::ZERO);
    servers.into_iter().fold(empty, with).with_pseudo_vcpu(1, own, 3).with_interrupt(1)
}

fn run(mut processor: Processor, mut machine: Memory, hears_all: bool) -> Course {
    machine.hears_all = hears_all;
    let course = dispatch::run(&mut processor, &mut machine, HORIZON, Unattended);
    let counts = processor.interrupts().iter().map(|one| (one.raised, one.held_back)).collect();
    (machine.ran, course.steps, counts)
}

/// 20 kHz on a guest that computes: as it would be if all of them were told, with fewer decisions.
#[test]
fn a_storm_wakes_nothing_beyond_its_credits() {
    let storm: Vec<_> = (0..3900).map(|count| job(2_000 + 50 * count, 5)).collect();
    let machine = Memory::of(&[vec![job(0, 10_000_000)], vec![job(0, 10_000_000)]]);
    let machine = machine.with_interrupts(&[(1, storm)]);
    let both =
        [false, true].map(|all| run(processor(ServerKind::Deferrable, 1), machine.clone(), all));
    let [(ran, steps, counts), (all_ran, all_steps, all_counts)] = both;
    assert_eq!(ran, all_ran);
    assert!(all_steps > 3900, "{all_steps}");
    assert!(steps < 200, "{steps}");
    // The last ones are told with the next, which does not come.
    assert_eq!(all_counts[0], (3900, 3899));
    assert!((3600..=3900).contains(&counts[0].0), "{counts:?}");
}

/// The same on a guest that halts, in all the time that the other leaves: its loan stands in between, and its budget is served.
#[test]
fn a_guest_that_halts_needs_no_decision_for_each_interrupt() {
    let storm: Vec<_> = (0..3900).map(|count| job(2_000 + 50 * count, 10)).collect();
    let machine = Memory::of(&[vec![job(0, 10_000_000)], Vec::new()]);
    let machine = machine.with_interrupts(&[(1, storm)]);
    let both =
        [false, true].map(|all| run(processor(ServerKind::Deferrable, 1), machine.clone(), all));
    let [(ran, steps, _), (all_ran, all_steps, _)] = both;
    assert_eq!(ran, all_ran);
    assert!(all_steps > 3900, "{all_steps}");
    assert!(steps < 3900 / 8, "{steps}");
    let guest = service(&ran, 1, Duration::from_ms(20), HORIZON);
    assert!(guest.iter().all(|&ns| ns > 2_300_000), "{guest:?}");
}

/// Random ones, of both interrupts, on guests that compute or sleep in between.
#[test]
fn nothing_else_runs_if_all_are_told() {
    let kinds = [ServerKind::Deferrable, ServerKind::Polling, ServerKind::Periodic];
    let mut fewer = 0;
    for seed in 0..700 {
        let mut draw = Draw::new(seed);
        let kind = kinds[usize::try_from(draw.below(3)).expect("few")];
        let own = processor(kind, 1 + draw.below(3));
        let jobs = |draw: &mut Draw, pause: u64, longest: u64| {
            let mut at = draw.below(pause);
            let mut jobs = Vec::new();
            while at < 200_000 {
                jobs.push(job(at, 1 + draw.below(longest)));
                at += 1 + draw.below(pause);
            }
            jobs
        };
        let threads = [jobs(&mut draw, 30_000, 12_000), jobs(&mut draw, 30_000, 9_000)];
        let (first, second) = ([100, 3_000, 30_000], [200, 20_000]);
        let pauses = (
            first[usize::try_from(draw.below(3)).expect("few")],
            second[usize::try_from(draw.below(2)).expect("few")],
        );
        let interrupts = [(1, jobs(&mut draw, pauses.0, 40)), (1, jobs(&mut draw, pauses.1, 40))];
        let machine = Memory::of(&threads).with_interrupts(&interrupts);
        let both = [false, true].map(|all| run(own.clone(), machine.clone(), all));
        let [(ran, steps, _), (all_ran, all_steps, _)] = both;
        assert_eq!(ran, all_ran, "seed {seed}: {kind:?}");
        assert!(steps <= all_steps, "seed {seed}");
        fewer += u64::from(steps < all_steps);
    }
    assert!(fewer > 175, "{fewer}");
}
