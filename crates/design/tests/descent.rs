//! More orders and kinds than can be looked at: one design, made better step by step.

use crate::chance::Chance;
use std::fmt::Write as _;
use vorrang_design::{Answer, Cost, Design, Limits, Optimality, accepts, design};
use vorrang_model::system::Supply;
use vorrang_model::{Format, read_open};

const SERVERS: u64 = 8;

/// Servers of one task each on one core.
fn system(costs: &str, kinds: &str) -> String {
    let mut text = format!("version = 1\n{costs}[core.0]\nscheduler = \"fixed-priority\"\n");
    for server in 0..SERVERS {
        let (work, period) = (350 + 40 * (server * 3 % 8), 5 + 3 * (server * 5 % 8));
        writeln!(
            text,
            "[server.s{server}]\non = \"core.0\"\nserver = {kinds}\nbudget = \"?\"\nperiod = \"?\"\n\
             priority = \"?\"\n[task.t{server}]\non = \"server.s{server}\"\nwcet = \"{work}us\"\n\
             period = \"{period}ms\""
        )
        .unwrap();
    }
    text
}

fn designed(text: &str, steps: u64) -> Option<Design> {
    let mut open = read_open(text, Format::Toml, |_| Err("none".into()))
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    match design(&mut open, Limits::of(steps)) {
        Answer::Design(found) => Some(*found),
        Answer::Absent(_) => None,
    }
}

const SWITCHING: &str = "[costs]\ncontext-switch = \"2us\"\nscheduler-call = \"1us\"\n";

#[test]
fn what_is_found_first_is_made_better() {
    let text = system(SWITCHING, "[\"deferrable\", \"sporadic\"]");
    let [early, late] = [1_500, 10_000].map(|steps| designed(&text, steps).expect("there is room"));
    assert!(accepts(&early.system) && accepts(&late.system));
    assert!(late.least <= late.cost && late.cost < early.cost);
    let [late, least] = [late.cost, late.least].map(|cost| cost.share().hundredths_floor());
    assert!(late * 4 <= least * 5, "{late} of {least} at least");
}

/// Timers make one kind dearer than the other; the bound counts what either takes.
#[test]
fn a_bound_counts_every_kind() {
    let costs =
        "[costs]\ninterrupt-entry = \"5us\"\ninterrupt-exit = \"5us\"\ntimer-expiry = \"10us\"\n";
    let of = |kinds| designed(&system(costs, kinds), 10_000);
    let both = [of("[\"deferrable\", \"sporadic\"]"), of("[\"sporadic\", \"deferrable\"]")];
    let one = [of("\"deferrable\""), of("\"sporadic\"")];
    let least_of_one = one.iter().flatten().map(|found| found.cost).min().expect("one does");
    for found in both {
        let found = found.expect("one kind does");
        assert!(found.least <= least_of_one, "{:?} {least_of_one:?}", found.least);
        assert!(found.cost <= least_of_one, "{:?} {least_of_one:?}", found.cost);
        assert_eq!(found.optimality(), Optimality::Within);
    }
}

/// Of the servers below; `None`: open.
const PERIODS: [Option<u64>; 4] = [None, Some(5), None, Some(2)];

/// Four servers with these kinds, priorities and periods.
fn four(seed: u64, kinds: [&str; 4], priorities: [&str; 4], periods: [Option<u64>; 4]) -> String {
    let mut chance = Chance(seed);
    let mut text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n".to_owned();
    for place in 0..4 {
        let [work, period, early] =
            [300 + chance.below(900), 10 + chance.below(20), chance.below(6)];
        let deadline = period - early;
        let open = "[\"2ms\", \"5ms\"]".to_owned();
        let time = periods[place].map_or(open, |period| format!("\"{period}ms\""));
        write!(
            text,
            "[server.s{place}]\non = \"core.0\"\nserver = {}\npriority = {}\n\
             budget = {{ from = \"50us\", to = \"5ms\", step = \"50us\" }}\nperiod = {time}\n\
             [task.t{place}]\non = \"server.s{place}\"\nwcet = \"{work}us\"\nperiod = \"{period}ms\"\n\
             deadline = \"{deadline}ms\"\npriority = 1\n",
            kinds[place], priorities[place]
        )
        .unwrap();
    }
    text
}

fn all_orders() -> Vec<[usize; 4]> {
    let all = (0..256_usize).map(|code| [code / 64, code / 16 % 4, code / 4 % 4, code % 4]);
    all.filter(|order| (0..4).all(|place| order.contains(&place))).collect()
}

/// Kinds and orders that are not all looked at: what is found is accepted and takes what is said, the bound is no more
/// than the best of all of them takes, each searched for by itself, and the design not much more.
#[test]
fn what_is_climbed_to_is_near_the_best_of_all_kinds_and_orders() {
    let many = "[\"deferrable\", \"sporadic\", \"polling\", \"periodic\"]";
    let mut apart: Vec<i128> = Vec::new();
    for seed in 0..3 {
        let own = ["1", "2", "3", "4"];
        let text = four(seed, [many; 4], ["\"?\""; 4], PERIODS);
        // 256 kinds are more than are looked at one by one with so few steps.
        let found = designed(&text, 6_000).unwrap_or_else(|| panic!("none is found\n{text}"));
        assert!(accepts(&found.system), "{text}");
        let taken = found.system.supplies.iter().filter_map(Supply::server);
        let taken = taken.fold(Cost::ZERO, |sum, own| sum.plus(Cost::of(own.budget, own.period)));
        assert_eq!(found.cost, taken, "what is said to be taken is\n{text}");
        // Of each pair that is bounded alike (deferrable and sporadic, polling and periodic) one.
        let mut best: Option<Cost> = None;
        for order in all_orders() {
            let priorities = order.map(|place| own[place]);
            for kinds in 0..16_usize {
                let kind = |place: usize| ["\"deferrable\"", "\"polling\""][kinds >> place & 1];
                let text = four(seed, [0, 1, 2, 3].map(kind), priorities, PERIODS);
                best = best.into_iter().chain(designed(&text, 200).map(|other| other.cost)).min();
            }
        }
        let best = best.expect("there is one");
        assert!(found.least <= best, "seed {seed}: the bound is above\n{text}");
        let share = |cost: Cost| cost.share().hundredths_ceil();
        println!("seed {seed}: {} beside {}", share(found.cost), share(best));
        apart.push(share(found.cost) * 100 / share(best));
    }
    assert!(apart.iter().all(|percent| *percent <= 103), "{apart:?}");
}
