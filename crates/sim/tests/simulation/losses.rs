//! How much of three virtual machines' time cold caches take, against the length of their turns:
//! the measured recovery of a Celeron with a working set of 64 KB in dirty caches (Kaiser 2008),
//! under virtual-time round-robin. What is expected was computed independently.

use crate::build::{self, core, task, time};
use crate::drawing::at;
use vorrang_model::system::{Cache, CacheId, CacheModel, Scheduler, SupplyId, System};
use vorrang_sim::{Cause, Context, History, Observer, Pattern, Running, simulate};
use vorrang_time::{Duration, Instant};

const CORE: SupplyId = SupplyId(0);
/// (1 − 0.09) of 85 us.
const PER_SWITCH: Duration = Duration::from_ns(77_350);

fn machines(quantum: Duration, shares: [u32; 3]) -> System {
    let mut system = core(Scheduler::Vtrr);
    system.supplies[0].quantum = quantum;
    system.caches.push(Cache {
        name: "cache.celeron".into(),
        model: CacheModel::Flood,
        useful_ppm: 90_000,
        sustained: time("85us"),
    });
    for (place, share) in shares.into_iter().enumerate() {
        let name = format!("vcpu.{place}");
        let id = build::share(&mut system, &name, CORE, share);
        let supply = &mut system.supplies[id.0];
        (supply.vm, supply.cache) = (Some(name), Some(CacheId(0)));
        task(&mut system, &format!("task.{place}"), id, ["900s", "1000s"], 1);
    }
    system
}

/// Losses, switches, and the longest time each machine waited for the core.
#[derive(Default)]
struct Account {
    lost: Duration,
    switches: u64,
    since: [Instant; 3],
    waited: [Duration; 3],
}

impl Observer for Account {
    fn lost(&mut self, _context: Option<Context>, cause: Cause, amount: Duration, _at: Instant) {
        assert_eq!(cause, Cause::ColdCache);
        self.lost += amount;
    }
    fn switched(&mut self, _from: Option<Context>, _to: Context, _at: Instant) {
        self.switches += 1;
    }
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        let Running::Task(id) = what else { panic!("{what:?}") };
        self.waited[id.0] = self.waited[id.0].max(from - self.since[id.0]);
        self.since[id.0] = to;
    }
}

fn account(quantum: Duration, shares: [u32; 3], horizon: Instant) -> Account {
    let system = machines(quantum, shares);
    let history = Pattern::parse("synchronous", &system).unwrap();
    let history: History = history.history(&system, CORE).unwrap();
    let mut account = Account::default();
    simulate(&system, CORE, &history, horizon, &mut account).unwrap();
    account
}

/// Shares, switches of so many turns, longest wait in turns, parts per thousand lost at turns of
/// 10, 3, 1, 0.3 and 0.1 ms.
type Row = ([u32; 3], (u64, u64), [u64; 3], [u64; 5]);

const ROWS: [Row; 4] = [
    ([1, 1, 1], (3, 3), [2, 2, 2], [7, 25, 77, 257, 773]),
    ([2, 1, 1], (3, 4), [2, 3, 3], [5, 19, 58, 193, 580]),
    ([3, 2, 1], (5, 6), [2, 2, 5], [6, 21, 64, 214, 644]),
    ([6, 3, 1], (7, 10), [2, 4, 9], [5, 18, 54, 180, 541]),
];

#[test]
fn losses_grow_with_the_frequency_of_switches() {
    let quanta = ["10ms", "3ms", "1ms", "300us", "100us"].map(time);
    for (shares, (switches, turns), waits, lost) in ROWS {
        for (quantum, lost) in quanta.into_iter().zip(lost) {
            let cycles = 50;
            let length = quantum * turns * cycles;
            let seen = account(quantum, shares, Instant::ZERO + length);
            // A cycle begins as it ends if the first machine has several turns in a row.
            let continued = u64::from(shares[0] > 1);
            assert_eq!(seen.switches, switches * cycles + continued, "{shares:?} {quantum}");
            assert_eq!(seen.lost, PER_SWITCH * seen.switches, "{shares:?} {quantum}");
            let whole = PER_SWITCH * (switches * cycles);
            assert_eq!((whole * 1_000).div_floor(length), lost, "{shares:?} {quantum}");
            assert_eq!(seen.waited, waits.map(|turns| quantum * turns), "{shares:?} {quantum}");
        }
    }
}

#[test]
fn turns_shorter_than_the_recovery_leave_only_the_useful_share() {
    for quantum in [time("50us"), time("85us")] {
        let turns = 300;
        let seen = account(quantum, [1, 1, 1], Instant::ZERO + quantum * turns);
        let length = quantum * turns;
        assert_eq!(seen.lost * 100, length * 91, "{quantum}");
    }
    assert_eq!(account(time("10ms"), [1, 1, 1], at(10)).lost, PER_SWITCH);
}
