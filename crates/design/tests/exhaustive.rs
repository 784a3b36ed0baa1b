//! Designs beside every choice there is: the same optimum where one is called optimal, never below the
//! lower bound, never worse than said, and none only where there is none. The simulator finds no miss.

use std::cmp::Ordering;
use std::fmt::Write as _;
use vorrang_design::{Absence, Answer, Limits, Optimality, accepts, design};
use vorrang_model::{Allowed, Chosen, Format, Open, OpenKey, read_open};
use vorrang_sim::{Search, search};
use vorrang_time::Duration;

/// Of the simulator, for each design.
const STEPS: u64 = 100_000;

/// `SplitMix64`.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.below(of.len() as u64)).unwrap()]
    }
}

/// A system of one to three servers with open budgets and periods, and perhaps kinds.
fn system(seed: u64) -> String {
    let mut chance = Chance(seed);
    let edf = chance.below(2) == 0;
    let scheduler = if edf { "edf" } else { "fixed-priority" };
    let mut text = format!("version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n");
    if chance.below(4) == 0 {
        let (call, switch) = (chance.below(4), chance.below(6));
        writeln!(text, "[costs]\nscheduler-call = \"{call}us\"\ncontext-switch = \"{switch}us\"")
            .unwrap();
    }
    if chance.below(3) == 0 {
        let isr = 1 + chance.below(30);
        let apart = 500 + chance.below(1_000);
        let keys = format!("isr = \"{isr}us\"\nmin-interarrival = \"{apart}us\"");
        writeln!(text, "[interrupt.card]\non = \"core.0\"\n{keys}").unwrap();
    }
    let servers = 1 + chance.below(3);
    let heavy = if chance.below(4) == 0 { 3_000 } else { 700 };
    for server in 0..servers {
        let kinds: &[&str] = if edf {
            &["\"cbs-hard\"", "\"periodic\"", "\"deferrable\"", "[\"cbs-hard\", \"periodic\"]"]
        } else {
            &[
                "\"deferrable\"",
                "\"sporadic\"",
                "\"periodic\"",
                "\"polling\"",
                "[\"deferrable\", \"sporadic\"]",
            ]
        };
        let kind = chance.one_of(kinds);
        let (few, many) = if servers == 3 { (2, 3) } else { (4, 4) };
        let first = 1 + chance.below(3);
        let step = 1 + chance.below(2);
        let periods = format!(
            "{{ from = \"{first}ms\", to = \"{}ms\", step = \"{step}ms\" }}",
            first + step * (few - 1)
        );
        let budgets = format!(
            "{{ from = \"100us\", to = \"{}us\", step = \"{}us\" }}",
            100 + 300 * (many - 1),
            300
        );
        writeln!(text, "[server.s{server}]\non = \"core.0\"\nserver = {kind}").unwrap();
        writeln!(text, "budget = {budgets}\nperiod = {periods}").unwrap();
        if !edf {
            writeln!(text, "priority = {}", 10 + chance.below(4)).unwrap();
        }
        writeln!(text, "scheduler = \"{}\"", chance.one_of(&["rate-monotonic", "edf"])).unwrap();
        for task in 0..=chance.below(2) {
            let (work, period) = (50 + chance.below(heavy), 4 + chance.below(12));
            let keys = format!("wcet = \"{work}us\"\nperiod = \"{period}ms\"");
            writeln!(text, "[task.t{server}-{task}]\non = \"server.s{server}\"\n{keys}").unwrap();
        }
    }
    text
}

/// Everything that may be chosen for each value.
fn choices(open: &Open) -> Vec<Vec<Chosen>> {
    let of = |allowed: &Allowed| match allowed {
        Allowed::Grid { from, to, step } => {
            let count = to.saturating_sub(*from).div_floor(*step);
            (0..=count).map(|times| Chosen::Time(*from + *step * times)).collect()
        }
        Allowed::Kinds(kinds) => kinds.iter().map(|kind| Chosen::Kind(*kind)).collect(),
        other => panic!("{other:?} is not drawn"),
    };
    open.values().iter().map(|value| of(&value.allowed)).collect()
}

/// What the servers take, as a sum of fractions of whole microseconds: budgets and switching over periods.
fn cost(open: &Open, chosen: &[Chosen], around: u64) -> (u128, u128) {
    let time = |name: &str, key: OpenKey| {
        let place = open.values().iter().position(|value| value.of == name && value.key == key);
        match chosen[place.unwrap()] {
            Chosen::Time(time) => u128::from(time.as_ns() / 1_000),
            ref other => panic!("{other:?}"),
        }
    };
    let names = open.values().iter().filter(|value| value.key == OpenKey::Budget);
    names.fold((0, 1), |(over, under), value| {
        let budget = time(&value.of, OpenKey::Budget) + u128::from(around);
        let period = time(&value.of, OpenKey::Period);
        (over * period + budget * under, under * period)
    })
}

fn compare(one: (u128, u128), other: (u128, u128)) -> Ordering {
    (one.0 * other.1).cmp(&(other.0 * one.1))
}

/// What switching takes in each period in microseconds, by the costs that a drawn system states.
fn around(open: &mut Open, first: &[Chosen]) -> u64 {
    let costs = open.resolve(first).map(|system| system.costs).unwrap_or_default();
    (costs.context_switch * 2 + costs.scheduler_call * 3).as_ns() / 1_000
}

/// The least of all that is accepted, by looking at each.
fn enumerated(open: &mut Open) -> Option<(u128, u128)> {
    let choices = choices(open);
    let first: Vec<Chosen> = choices.iter().map(|own| own[own.len() - 1].clone()).collect();
    let around = around(open, &first);
    let mut places = vec![0; choices.len()];
    let mut best: Option<(u128, u128)> = None;
    loop {
        let chosen: Vec<Chosen> =
            choices.iter().zip(&places).map(|(own, &place)| own[place].clone()).collect();
        let cost = cost(open, &chosen, around);
        if best.is_none_or(|best| compare(cost, best) == Ordering::Less)
            && open.resolve(&chosen).is_some_and(|system| accepts(&system))
        {
            best = Some(cost);
        }
        let Some(next) = (0..places.len()).find(|&at| places[at] + 1 < choices[at].len()) else {
            return best;
        };
        places[next] += 1;
        places[..next].fill(0);
    }
}

#[derive(Debug, Default)]
struct Tally {
    optimal: u32,
    best_unproven: u32,
    worse: u32,
    impossible: u32,
    not_found: u32,
}

fn compare_with_all(seed: u64, tally: &mut Tally) {
    let text = system(seed);
    let mut open = read_open(&text, Format::Toml, |_| Err("none".into()))
        .unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}\n{text}"));
    let best = enumerated(&mut open);
    match design(&mut open, Limits::default()) {
        Answer::Design(found) => {
            assert!(accepts(&found.system), "seed {seed}: not accepted\n{text}");
            let observations = search(&found.system, &Search { seed, ..Search::within(STEPS) });
            let misses = observations.tasks.iter().flatten().filter(|worst| worst.miss.is_some());
            assert_eq!(misses.count(), 0, "seed {seed}: a deadline is missed\n{text}");
            let best = best.unwrap_or_else(|| panic!("seed {seed}: there is none\n{text}"));
            let around = around(&mut open, &found.chosen);
            let cost = cost(&open, &found.chosen, around);
            let order = compare(cost, best);
            assert_ne!(order, Ordering::Less, "seed {seed}: not all was enumerated\n{text}");
            if found.optimality() == Optimality::Optimal {
                assert_eq!(order, Ordering::Equal, "seed {seed}: not optimal\n{text}");
                tally.optimal += 1;
            } else if order == Ordering::Equal {
                tally.best_unproven += 1;
            } else {
                tally.worse += 1;
            }
            // In hundredths of a percent, rounded down: never above the best.
            let least = u128::try_from(found.least.share().hundredths_floor()).unwrap();
            assert!(least * best.1 <= best.0 * 10_000, "seed {seed}: the bound is above\n{text}");
        }
        Answer::Absent(Absence::Impossible { .. }) => {
            assert_eq!(best, None, "seed {seed}: there is one\n{text}");
            tally.impossible += 1;
        }
        Answer::Absent(other) => {
            assert!(matches!(other, Absence::NotFound { .. }), "seed {seed}: {other:?}\n{text}");
            assert_eq!(best, None, "seed {seed}: it was missed\n{text}");
            tally.not_found += 1;
        }
    }
}

/// How many systems: `VORRANG_DESIGNS=1000 cargo test --release -p vorrang-design --test exhaustive`.
fn systems() -> u64 {
    std::env::var("VORRANG_DESIGNS").ok().and_then(|text| text.parse().ok()).unwrap_or(16)
}

#[test]
fn designs_agree_with_enumeration() {
    let mut tally = Tally::default();
    for seed in 0..systems() {
        compare_with_all(seed, &mut tally);
    }
    println!("{} systems: {tally:?}", systems());
    assert!(tally.optimal * 4 > u32::try_from(systems()).unwrap(), "{tally:?}");
    assert!(tally.impossible > 0 && tally.worse * 10 < tally.optimal, "{tally:?}");
}

/// Budgets in steps of a nanosecond: one less is not accepted.
#[test]
fn the_least_budget_is_the_least() {
    for seed in 0..20 {
        let mut chance = Chance(seed);
        let period = 1 + chance.below(5);
        let (work, deadline) = (100_000 + chance.below(900_000), 5 + chance.below(10));
        let text = format!(
            "version = 1\n[core.0]\nscheduler = \"edf\"\n[server.s]\non = \"core.0\"\n\
             server = \"cbs-hard\"\nbudget = {{ from = \"1ns\", to = \"1ms\", step = \"1ns\" }}\n\
             period = \"{period}ms\"\n[task.a]\non = \"server.s\"\nwcet = \"{work}ns\"\n\
             period = \"{deadline}ms\"\npriority = 2\n[task.b]\non = \"server.s\"\nwcet = \"1us\"\n\
             period = \"20ms\"\npriority = 1\n"
        );
        let mut open = read_open(&text, Format::Toml, |_| Err("none".into())).unwrap();
        let Answer::Design(found) = design(&mut open, Limits::default()) else {
            continue;
        };
        assert_eq!(found.optimality(), Optimality::Optimal);
        let [Chosen::Time(budget)] = found.chosen[..] else { panic!("one is open") };
        let less = Chosen::Time(Duration::from_ns(budget.as_ns() - 1));
        assert!(!accepts(&open.resolve(&[less]).unwrap()), "{text}");
    }
}
