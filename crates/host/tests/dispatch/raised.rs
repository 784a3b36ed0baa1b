//! Interrupts of guests: seen at once, paid by credits, and never by more than these.

use crate::memory::{Memory, Ran};
use crate::simulated::service;
use crate::stated::{job, server};
use vorrang_host::control::Unattended;
use vorrang_host::processor::Order;
use vorrang_host::rule::{mechanism, wake_ups};
use vorrang_host::{Processor, dispatch};
use vorrang_mechanisms::interrupt::{PseudoVcpu, Rule};
use vorrang_model::system::ServerKind;
use vorrang_time::{Duration, Instant};

const HORIZON: Instant = Instant::from_ns(200_000_000);

/// Two servers whose threads compute all the time: 14 of 20 ms, and below it 4 of 20 ms of a guest.
fn guest() -> Processor {
    guest_of(ServerKind::Deferrable)
}

/// The same with a guest in a server of this kind.
fn guest_of(kind: ServerKind) -> Processor {
    let servers = [(ServerKind::Deferrable, [14_000, 20_000], 2), (kind, [4_000, 20_000], 1)];
    let empty = Processor::new(Order::FixedPriority, Duration::from_ms(1), Duration::ZERO);
    servers.into_iter().fold(empty, |processor, (kind, times, priority)| {
        let server = server(kind, times, priority);
        let mechanism = mechanism(&server).expect("a kind that is run");
        processor.with(mechanism, priority, wake_ups(kind).expect("a kind that is run"))
    })
}

/// A pseudo-VCPU of that guest, above all: credits of 300 µs, so many of them every 10 ms.
fn reserved(credits: u64) -> Processor {
    with_credits(guest(), credits)
}

fn with_credits(guest: Processor, credits: u64) -> Processor {
    let credit = Duration::from_us(300);
    let rule = PseudoVcpu::new(
        Rule::Arrival,
        credit * credits,
        Duration::from_ms(10),
        credit,
        Duration::ZERO,
    );
    guest.with_pseudo_vcpu(1, rule, 3)
}

/// What runs if an interrupt of `routine` µs is raised at these instants, in µs.
fn run(mut processor: Processor, raised: &[u64], routine: u64) -> (Vec<Ran>, Processor) {
    let interrupts = raised.iter().map(|&at| job(at, routine)).collect();
    let machine = Memory::of(&[vec![job(0, 10_000_000)], vec![job(0, 10_000_000)]]);
    let mut machine = machine.with_interrupts(&[(1, interrupts)]);
    dispatch::run(&mut processor, &mut machine, HORIZON, Unattended);
    (machine.ran, processor)
}

/// Of the guest from an instant on: when it first runs, in ns.
fn first(ran: &[Ran], from: u64) -> u64 {
    let from = Instant::from_ns(from * 1000);
    ran.iter()
        .filter(|run| run.0 == 1 && run.2 > from)
        .map(|run| run.1.max(from).as_ns())
        .min()
        .unwrap()
}

#[test]
fn an_interrupt_runs_at_once_on_its_credit_and_not_without_one() {
    let (with, _) = run(reserved(1), &[25_000], 200);
    let (without, _) = run(guest().with_interrupt(1), &[25_000], 200);
    // Behind the core's routine, a nanosecond.
    assert_eq!(first(&with, 25_000), 25_000_001);
    assert_eq!(first(&without, 25_000), 34_000_001, "the other has its 14 ms first");
}

/// The routine takes 200 of 300 µs: the rest pays for what else the guest does, and the budgets stay what they are.
#[test]
fn a_computing_guest_has_each_credit_and_its_budget() {
    let (ran, processor) = run(reserved(1), &[25_000, 65_000, 125_000], 200);
    let period = Duration::from_ms(20);
    let guest: Vec<u64> = service(&ran, 1, period, HORIZON);
    let expected = [4_000_000, 4_300_000, 4_000_000, 4_300_000, 4_000_000];
    assert_eq!(guest[..5], expected);
    assert!(service(&ran, 0, period, HORIZON).iter().all(|&ns| ns == 14_000_000));
    let accounts: Vec<_> = processor.accounts().collect();
    assert_eq!(accounts[2].charged, Duration::from_us(900));
}

/// A hundred in 5 ms, of which credits cover two every 10 ms: nothing more is taken from the others.
#[test]
fn what_exceeds_the_credits_is_held_back() {
    let raised = (0..100).map(|count| 45_000 + 50 * count);
    // With the last one it is told how many were not told before.
    let raised: Vec<u64> = raised.chain([195_000]).collect();
    let (ran, processor) = run(reserved(2), &raised, 10);
    let tens = service(&ran, 1, Duration::from_ms(10), HORIZON);
    let budgets = [0, 4_000, 0, 4_000, 0, 4_000, 0, 4_000, 0, 4_000];
    for (at, (given, budget)) in tens.iter().zip(budgets).enumerate() {
        assert!(*given <= budget * 1000 + 600_000, "period {at}: {given}");
    }
    let [interrupt] = processor.interrupts() else { panic!("there is one") };
    assert_eq!((interrupt.raised, interrupt.held_back), (101, 98));
    let paid = processor.accounts().nth(2).expect("the third is the pseudo-VCPU");
    assert_eq!(paid.charged, Duration::from_us(1200), "all that are held back are one");
    assert!(service(&ran, 0, Duration::from_ms(20), HORIZON).iter().all(|&ns| ns == 14_000_000));
}

/// A deferrable server whose thread sleeps has its wake-up at once, not at the next look.
#[test]
fn an_interrupt_wakes_a_server_at_once() {
    let machine = Memory::of(&[Vec::new(), Vec::new()]);
    let mut machine = machine.with_interrupts(&[(1, vec![job(25_300, 200)])]);
    let mut processor = guest().with_interrupt(1);
    dispatch::run(&mut processor, &mut machine, HORIZON, Unattended);
    let at = |ns| Instant::from_ns(ns);
    assert_eq!(machine.ran, [(1, at(25_300_001), at(25_500_001))]);
}

/// A guest that sleeps but for its interrupts, and for jobs of its own; the other computes all the time.
/// What ran, and how often a loan found its thread asleep.
fn sleeping(
    mut processor: Processor,
    raised: &[u64],
    own: &[u64],
    wakes_late: u64,
) -> (Vec<Ran>, u64) {
    let own = own.iter().map(|&at| job(at, 500)).collect();
    let interrupts = raised.iter().map(|&at| job(at, 100)).collect();
    let machine = Memory::of(&[vec![job(0, 10_000_000)], own]);
    let mut machine = machine.with_interrupts(&[(1, interrupts)]);
    machine.wakes_late = Duration::from_us(wakes_late);
    dispatch::run(&mut processor, &mut machine, HORIZON, Unattended);
    (machine.ran, processor.interrupts()[0].asleep)
}

/// The routine takes 100 of 300 µs; what the guest does after it has slept waits for its budget.
#[test]
fn the_rest_of_a_credit_is_dropped_when_the_guest_sleeps() {
    let (ran, asleep) = sleeping(reserved(1), &[25_000], &[27_000], 0);
    assert_eq!(asleep, 0);
    assert_eq!(first(&ran, 25_000), 25_000_001);
    assert_eq!(first(&ran, 26_000), 34_100_001, "behind the 14 ms of the other");
}

/// Two in a row, and a credit for one: the guest handles the second in its budget and sleeps, so the credit that is back at
/// 45 ms is for neither, and what it does after that waits.
#[test]
fn a_request_that_was_handled_takes_no_credit() {
    for own in [45_500, 47_000] {
        let (ran, asleep) = sleeping(reserved(1), &[35_000, 35_050], &[own], 0);
        assert_eq!((first(&ran, 45_400), asleep), (54_000_000, 0), "{own}");
    }
}

/// A guest that computes has the next credit at the instant at which it is back.
#[test]
fn a_request_that_is_held_back_takes_the_next_credit() {
    let (ran, _) = run(reserved(1), &[41_000, 41_050], 10);
    assert_eq!(first(&ran, 41_000), 41_000_001);
    assert_eq!(first(&ran, 42_000), 51_000_000, "a period after the first");
}

/// The thread of the guest wakes only after its interrupt was seen: the loan has no effect, and the credit is used when
/// the next look finds it awake.
#[test]
fn a_credit_waits_for_a_guest_that_wakes_late() {
    for kind in [ServerKind::Deferrable, ServerKind::Polling, ServerKind::Periodic] {
        let (ran, asleep) = sleeping(with_credits(guest_of(kind), 1), &[25_000], &[], 300);
        assert_eq!((first(&ran, 25_000), asleep), (26_000_000, 1), "{kind:?}");
    }
}

/// One that wakes only after both looks, at 26 and 27 ms, has no credit any more: it runs behind the 14 ms of the other and the
/// nanosecond of the core's routine.
#[test]
fn a_credit_waits_for_two_looks() {
    for (late, expected) in [(1_700, 27_000_000), (2_300, 34_000_001)] {
        let (ran, asleep) = sleeping(reserved(1), &[25_000], &[], late);
        assert_eq!((first(&ran, 25_000), asleep), (expected, 1));
    }
}

/// A second request has two looks of its own, at 27 and 28 ms; by the latter the thread is awake.
#[test]
fn a_credit_waits_for_two_looks_after_the_last_request() {
    let (ran, _) = sleeping(reserved(2), &[25_000, 26_500], &[], 2_300);
    assert_eq!(first(&ran, 25_000), 28_000_000);
}

/// The second of these comes 50 µs after the first, where 20 ms are described; without a description nothing is too soon.
#[test]
fn what_comes_sooner_than_described_is_counted() {
    let described = reserved(1).that_is_apart(Duration::from_ms(20), Duration::ZERO);
    for (processor, expected) in [(described, 1), (reserved(1), 0)] {
        let (_, processor) = run(processor, &[41_000, 41_050, 61_000, 195_000], 10);
        let [interrupt] = processor.interrupts() else { panic!("there is one") };
        assert_eq!((interrupt.raised, interrupt.too_soon), (4, expected));
    }
}

/// Those that were not told came too soon, too: in 150 ms from the first on 16 were possible.
#[test]
fn what_was_not_told_is_counted_with_the_next() {
    let described = reserved(2).that_is_apart(Duration::from_ms(10), Duration::ZERO);
    let raised = (0..100).map(|count| 45_000 + 50 * count);
    let raised: Vec<u64> = raised.chain([195_000]).collect();
    let (_, processor) = run(described, &raised, 10);
    let [interrupt] = processor.interrupts() else { panic!("there is one") };
    assert_eq!((interrupt.raised, interrupt.too_soon), (101, 101 - 16));
}

/// A server above the credit takes the processor in it: the guest is not done, so the rest is there when it goes on.
#[test]
fn a_credit_that_is_interrupted_goes_on() {
    let above = server(ServerKind::Deferrable, [1_000, 5_000], 4);
    let mechanism = mechanism(&above).expect("a kind that is run");
    let kind = wake_ups(ServerKind::Deferrable).expect("a kind that is run");
    let mut processor = reserved(1).with(mechanism, 4, kind);
    let thread = || vec![job(0, 10_000_000)];
    let machine = Memory::of(&[thread(), thread(), thread()]);
    let mut machine = machine.with_interrupts(&[(1, vec![job(24_900, 200)])]);
    dispatch::run(&mut processor, &mut machine, HORIZON, Unattended);
    assert_eq!(first(&machine.ran, 24_950), 24_950_000, "100 us of 300");
    assert_eq!(first(&machine.ran, 25_500), 26_000_000, "behind the other's 1 ms");
    let accounts: Vec<_> = processor.accounts().collect();
    let paid: Vec<_> = accounts.iter().map(|one| one.charged).collect();
    assert!(paid.contains(&Duration::from_us(300)), "{paid:?}");
}

/// The same where nothing else is ready: the loan does not stand on the budget while there is a credit.
#[test]
fn a_credit_pays_for_a_guest_that_wakes_late() {
    let machine = Memory::of(&[vec![job(0, 10_000_000)], Vec::new()]);
    let mut machine = machine.with_interrupts(&[(1, vec![job(35_300, 100)])]);
    machine.wakes_late = Duration::from_us(300);
    let mut processor = reserved(1);
    dispatch::run(&mut processor, &mut machine, HORIZON, Unattended);
    assert_eq!(first(&machine.ran, 35_000), 36_000_000);
    let charged: Vec<_> = processor.accounts().map(|account| account.charged).collect();
    assert_eq!(charged[1..], [Duration::ZERO, Duration::from_us(100)]);
}
