//! An interrupt of a guest is lent to before the thread that is lent to, whose loan goes on.

use crate::memory::Change::{Begins, BeginsFirst, Ends};
use crate::memory::{Change, Job, Memory, Ran};
use crate::simulated::service;
use crate::stated::{job, server};
use vorrang_host::control::Unattended;
use vorrang_host::processor::Order;
use vorrang_host::{Processor, dispatch, rule};
use vorrang_mechanisms::interrupt::{PseudoVcpu, Rule};
use vorrang_model::system::ServerKind;
use vorrang_time::{Duration, Instant};

const PERIOD: Duration = Duration::from_ms(20);

/// Deferrable servers with so many µs of every 20 ms, the first one with the highest priority: it is 2 for the last, 4 for the one
/// before it.
fn servers(budgets: &[u64]) -> Processor {
    servers_of(ServerKind::Deferrable, budgets)
}

/// The same of this kind.
fn servers_of(kind: ServerKind, budgets: &[u64]) -> Processor {
    let last = u32::try_from(budgets.len()).expect("few");
    let places = budgets.iter().zip((1..=last).rev());
    let servers: Vec<_> = places.map(|(&budget, place)| (kind, budget, 2 * place)).collect();
    of_kinds(&servers, Duration::ZERO)
}

/// Servers with kinds, µs of every 20 ms, and priorities; less than a grain is not lent.
fn of_kinds(servers: &[(ServerKind, u64, u32)], grain: Duration) -> Processor {
    let empty = Processor::new(Order::FixedPriority, Duration::from_ms(1), grain);
    servers.iter().fold(empty, |processor, &(kind, budget, priority)| {
        let mechanism = rule::mechanism(&server(kind, [budget, 20_000], priority));
        let wake_ups = rule::wake_ups(kind).expect("it is run");
        processor.with(mechanism.expect("it is run"), priority, wake_ups)
    })
}

/// A pseudo-VCPU of the server at this place: 300 µs every 20 ms.
fn with_credit(processor: Processor, of: usize, priority: u32) -> Processor {
    let credit = Duration::from_us(300);
    let rule = PseudoVcpu::new(Rule::Arrival, credit, PERIOD, credit, Duration::ZERO);
    processor.with_pseudo_vcpu(of, rule, priority)
}

/// Threads that compute all the time, up to an instant in µs; interrupts of theirs, in µs.
fn run(mut processor: Processor, raised: &[(usize, &[u64])], end: u64) -> Memory {
    let threads = processor.accounts().count() - raised.len();
    let routines = |at: &[u64]| at.iter().map(|&at| job(at, 200)).collect();
    let raised: Vec<(usize, Vec<Job>)> =
        raised.iter().map(|&(thread, at)| (thread, routines(at))).collect();
    let mut machine = Memory::of(&vec![vec![job(0, 10_000_000)]; threads]);
    machine = machine.with_interrupts(&raised);
    let end = Instant::from_ns(end * 1000);
    let course = dispatch::run(&mut processor, &mut machine, end, Unattended);
    assert_eq!(course.changes, machine.changes.len() as u64);
    let begun = machine.changes.iter().filter(|(_, change)| !matches!(change, Ends(_))).count();
    assert_eq!(begun * 2, machine.changes.len(), "no loan is left");
    machine
}

/// A thread that computes from an instant in µs on.
fn computing(from: u64) -> Vec<Job> {
    vec![job(from, 10_000_000)]
}

/// The same with a single interrupt of a thread, which is decided about at an instant in ns: behind the core's routine.
fn raised_at(mut processor: Processor, jobs: &[Vec<Job>], of: usize, decided: u64) -> Memory {
    let release = Instant::from_ns(decided - 1);
    let routine = Job { release, execution: Duration::from_us(200) };
    let mut machine = Memory::of(jobs).with_interrupts(&[(of, vec![routine])]);
    dispatch::run(&mut processor, &mut machine, Instant::from_ns(60_000_000), Unattended);
    machine
}

/// The changes in an interval, in µs.
fn changes(machine: &Memory, from: u64, to: u64) -> Vec<(u64, Change)> {
    let changes = machine.changes.iter().map(|(at, change)| (at.as_ns() / 1000, *change));
    changes.filter(|(at, _)| (from..to).contains(at)).collect()
}

#[test]
fn the_loan_of_the_interrupted_thread_goes_on() {
    let machine = run(with_credit(servers(&[14_000, 4_000]), 1, 5), &[(1, &[25_000])], 40_000);
    assert_eq!(
        changes(&machine, 20_000, 40_000),
        [
            (20_000, Begins(0)),
            (25_000, BeginsFirst(1)),
            (25_300, Ends(1)),
            (34_300, Ends(0)),
            (34_300, Begins(1)),
            (38_300, Ends(1)),
        ]
    );
}

/// The thread of a server whose rule does not depend on the instant is not sampled when an interrupt takes the processor from it, but
/// when that is handled; with a sporadic server it is.
#[test]
fn the_interrupted_thread_is_sampled_afterwards() {
    let kinds = [ServerKind::Deferrable, ServerKind::Periodic, ServerKind::Polling];
    for (kind, at_once) in
        kinds.map(|kind| (kind, false)).into_iter().chain([(ServerKind::Sporadic, true)])
    {
        let guest = with_credit(servers_of(kind, &[14_000, 4_000]), 1, 5);
        let machine = run(guest, &[(1, &[25_000])], 40_000);
        let is_sampled = |at: u64| {
            machine.samples.iter().any(|(when, who)| when.as_ns() / 1000 == at && *who == 0)
        };
        assert_eq!((is_sampled(25_000), is_sampled(25_300)), (at_once, true), "{kind:?}");
        assert_eq!(service(&machine.ran, 0, PERIOD, Instant::from_ns(40_000_000))[1], 14_000_000);
    }
}

/// Nor beside a sporadic server, whose level counts at each decision.
#[test]
fn beside_a_sporadic_server_the_interrupted_thread_is_sampled_at_once() {
    let kinds = [(ServerKind::Deferrable, 14_000, 4), (ServerKind::Sporadic, 4_000, 2)];
    let guest = of_kinds(&kinds, Duration::ZERO);
    let machine = run(with_credit(guest, 1, 5), &[(1, &[25_000])], 40_000);
    // Behind the core's routine.
    assert!(machine.samples.contains(&(Instant::from_ns(25_000_001), 0)), "{:?}", machine.samples);
}

/// A budget that comes at the instant of an interrupt, and is more urgent, is lent to at once.
#[test]
fn what_is_due_at_an_interrupt_comes_first() {
    let processor = with_credit(servers(&[1_000, 19_000, 4_000]), 2, 5);
    let machine = raised_at(processor, &[computing(0), computing(0), computing(0)], 2, 40_000_000);
    let expected = [(40_000, Ends(1)), (40_000, Begins(0)), (41_000, Ends(0)), (41_000, Begins(2))];
    assert_eq!(changes(&machine, 40_000, 41_100), expected);
}

/// What is left of a budget when an interrupt comes is too little to be lent. So it loses its place, though it is back at the
/// instant at which the interrupt is handled: its equal is next.
#[test]
fn too_little_that_is_left_at_the_interrupt_loses_its_place() {
    let kind = ServerKind::Deferrable;
    let equals = [(kind, 19_705, 4), (kind, 1_000, 4), (kind, 0, 2)];
    let processor = with_credit(of_kinds(&equals, Duration::from_us(10)), 2, 5);
    let jobs = [computing(0), computing(35_000), computing(0)];
    let machine = raised_at(processor, &jobs, 2, 39_700_000);
    let at = |ns: u64| machine.ran.iter().find(|ran| ran.2.as_ns() > ns).map(|ran| ran.0);
    assert_eq!((at(39_600_000), at(39_900_000), at(40_000_000)), (Some(0), Some(2), Some(1)));
}

/// An interrupt of the thread that has the loan takes a credit and changes no loan, and what is left of its budget is served.
#[test]
fn an_interrupt_of_the_thread_with_the_loan_changes_none() {
    let machine = run(with_credit(servers(&[14_000, 4_000]), 1, 5), &[(1, &[35_000])], 40_000);
    assert_eq!(changes(&machine, 34_000, 40_000).len(), 3, "{:?}", machine.changes);
    assert_eq!(service(&machine.ran, 1, PERIOD, Instant::from_ns(40_000_000))[1], 4_300_000);
}

/// The budget of the interrupted thread ends with its loan: it does not run behind the interrupt, nor afterwards.
#[test]
fn a_budget_that_is_used_up_at_that_instant_is_not_exceeded() {
    for early in [0, 1, 2] {
        let processor = with_credit(servers(&[14_000, 4_000]), 1, 5);
        let mut machine = Memory::of(&vec![vec![job(0, 10_000_000)]; 2]);
        let at = Job {
            release: Instant::from_ns(34_000_000 - early),
            execution: Duration::from_us(200),
        };
        machine = machine.with_interrupts(&[(1, vec![at])]);
        let end = Instant::from_ns(60_000_000);
        dispatch::run(&mut processor.clone(), &mut machine, end, Unattended);
        let own = service(&machine.ran, 0, PERIOD, end);
        assert!(own.iter().all(|&ns| ns == 14_000_000), "{early}: {own:?}");
        assert_eq!(service(&machine.ran, 1, PERIOD, end)[1], 4_300_000, "{early}");
    }
}

/// Two guests below a third thread: the interrupt of the one is handled within that of the other, in this order or the other.
#[test]
fn interrupts_of_two_guests_take_turns_before_the_same_loan() {
    let guests = with_credit(servers(&[12_000, 3_000, 3_000]), 1, 8);
    let guests = with_credit(guests, 2, 7);
    for (raised, expected) in [
        ([25_000, 25_100], [(1, 25_000, 300), (2, 25_300, 300)]),
        ([25_100, 25_000], [(2, 25_000, 100), (1, 25_100, 300)]),
    ] {
        let [one, other] = raised.map(|at| [at]);
        let machine = run(guests.clone(), &[(1, &one), (2, &other)], 40_000);
        for (thread, at, length) in expected {
            let (from, to) = (at * 1000, (at + length) * 1000);
            let within = |ran: &&Ran| ran.0 == thread && ran.1.as_ns() >= from;
            let within = machine.ran.iter().filter(within);
            let time: u64 =
                within.map(|ran| ran.2.as_ns().min(to).saturating_sub(ran.1.as_ns())).sum();
            // But for the routines of the core.
            assert!(time + 4 >= length * 1000, "{thread} at {at} has {time} ns: {:?}", machine.ran);
        }
        let loans = changes(&machine, 25_000, 26_000);
        assert!(
            !loans.iter().any(|(_, change)| matches!(change, Ends(0) | Begins(_))),
            "{loans:?}"
        );
        assert_eq!(service(&machine.ran, 0, PERIOD, Instant::from_ns(40_000_000))[1], 12_000_000);
    }
}

/// A server above the pseudo-VCPU has its budget again in the middle of the interrupt: it is lent to alone, and the rest of the
/// credit comes afterwards, with no loan behind it: that budget is used up then.
#[test]
fn a_server_above_the_interrupt_has_the_only_loan() {
    let guest = with_credit(servers(&[1_000, 14_950, 1_000]), 2, 5);
    let machine = run(guest, &[(2, &[35_900])], 60_000);
    assert_eq!(changes(&machine, 35_000, 40_000)[0], (35_900, BeginsFirst(2)));
    let guest = with_credit(servers(&[1_000, 18_950, 0]), 2, 5);
    let machine = run(guest, &[(2, &[39_900])], 60_000);
    let expected = [
        (39_900, BeginsFirst(2)),
        (40_000, Ends(2)),
        (40_000, Ends(1)),
        (40_000, Begins(0)),
        (41_000, Ends(0)),
        (41_000, Begins(2)),
        (41_200, Ends(2)),
        (41_200, Begins(1)),
    ];
    assert_eq!(changes(&machine, 39_000, 42_000), expected);
}

/// A thread that sleeps keeps a loan that stands, but not behind an interrupt of another one.
#[test]
fn a_loan_that_stands_ends_with_an_interrupt_of_another_guest() {
    let mut processor = with_credit(servers(&[6_000, 4_000]), 1, 5);
    let mut machine = Memory::of(&[vec![job(0, 1_000), job(26_050, 1_000)], Vec::new()]);
    machine = machine.with_interrupts(&[(1, vec![job(26_000, 200)])]);
    dispatch::run(&mut processor, &mut machine, Instant::from_ns(40_000_000), Unattended);
    let loans = changes(&machine, 25_000, 40_000);
    assert_eq!(loans[..2], [(26_000, Ends(0)), (26_000, Begins(1))], "{loans:?}");
}
