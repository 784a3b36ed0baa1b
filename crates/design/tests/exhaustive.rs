//! Designs beside every choice there is: the same optimum where one is called optimal, never below the
//! lower bound, never worse than said, and none only where there is none. The simulator finds no miss.

use crate::chance::Chance;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use vorrang_design::{
    Absence, Answer, Limits, Objective, Optimality, Weights, accepts, design, design_for,
};
use vorrang_model::system::{Member, Priority, Supply};
use vorrang_model::{Allowed, Chosen, Format, Open, OpenKey, OpenValue, System, read_open};
use vorrang_sim::{Search, search};
use vorrang_time::Duration;

/// Of the simulator, for each design.
const STEPS: u64 = 100_000;

/// Choices of one system that are enumerated at most; larger ones are not drawn, unless many systems are.
const MOST: usize = 6_000;
const MOST_OF_MANY: usize = 30_000;

/// A system to be designed, and what counts.
struct Drawn {
    text: String,
    /// What a share of core 0 counts, and of core 1.
    weights: [u64; 2],
}

/// A system of one to three servers with open budgets and periods, and perhaps kinds, priorities and places,
/// whose tasks take `thousandths` of the time that is drawn.
fn system(seed: u64, thousandths: u64) -> Drawn {
    let most = if systems() < 100 { MOST } else { MOST_OF_MANY };
    for attempt in 0.. {
        let drawn = attempted(&mut Chance(seed + (attempt << 32)), thousandths);
        let open = read(&drawn.text).unwrap_or_else(|| panic!("seed {seed}:\n{}", drawn.text));
        if choices(&open).iter().map(Vec::len).product::<usize>() <= most {
            return drawn;
        }
    }
    unreachable!("small ones are drawn")
}

fn attempted(chance: &mut Chance, thousandths: u64) -> Drawn {
    let edf = chance.below(2) == 0;
    let scheduler = if edf { "edf" } else { "fixed-priority" };
    let cores = if chance.below(4) == 0 { 2 } else { 1 };
    let mut text = "version = 1\n".to_owned();
    for core in 0..cores {
        writeln!(text, "[core.{core}]\nscheduler = \"{scheduler}\"").unwrap();
    }
    let weights = if cores == 2 { [chance.below(3), 1 + chance.below(2)] } else { [1, 1] };
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
    let guests = ["rate-monotonic", "edf", "fixed-priority"];
    let same_guest = (chance.below(3) == 0).then(|| chance.one_of(&guests));
    let open_priorities = chance.below(2) == 0;
    // Blocking makes priorities count in another way.
    let blocking = if chance.below(8) == 0 { "blocking = \"100us\"\n" } else { "" };
    let priority = |chance: &mut Chance| match chance.below(3) {
        0 if open_priorities => "priority = \"?\"\n".to_owned(),
        1 if open_priorities => "priority = [9, 11, 13]\n".to_owned(),
        _ => format!("priority = {}\n", 10 + chance.below(4)),
    };
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
        let (grids, many): (&[u64], u64) = match servers {
            1 => (&[40], 12),
            2 => (&[4, 13, 40], 4),
            _ => (&[2, 7, 40], 3),
        };
        let grid = chance.one_of(grids);
        let first = 1 + chance.below(3);
        let step = if grid > 4 { 250 } else { 1_000 * (1 + chance.below(2)) };
        let periods = format!(
            "{{ from = \"{first}ms\", to = \"{}us\", step = \"{step}us\" }}",
            first * 1_000 + step * (grid - 1)
        );
        let budgets = format!(
            "{{ from = \"100us\", to = \"{}us\", step = \"{}us\" }}",
            100 + 300 * (many - 1),
            300
        );
        let on = if cores == 2 && chance.below(2) == 0 { "?" } else { "core.0" };
        writeln!(text, "[server.s{server}]\non = \"{on}\"\nserver = {kind}").unwrap();
        writeln!(text, "budget = {budgets}\nperiod = {periods}").unwrap();
        if !edf {
            text += &priority(chance);
        }
        let guest = same_guest.unwrap_or_else(|| chance.one_of(&guests));
        writeln!(text, "scheduler = \"{guest}\"").unwrap();
        for task in 0..=chance.below(2) {
            let (work, period) = (50 + chance.below(heavy), 4 + chance.below(12));
            let work = work * thousandths;
            let keys = format!("wcet = \"{work}ns\"\nperiod = \"{period}ms\"\n{blocking}");
            write!(text, "[task.t{server}-{task}]\non = \"server.s{server}\"\n{keys}").unwrap();
            if guest == "fixed-priority" {
                text += &priority(chance);
            }
        }
    }
    if let Some(guest) = same_guest
        && chance.below(2) == 0
    {
        let (work, period) = ((50 + chance.below(300)) * thousandths, 5 + chance.below(10));
        let in_servers = servers > 1 && chance.below(2) == 0;
        let (on, by_priority) = if in_servers {
            ("[\"server.s0\", \"server.s1\"]", guest == "fixed-priority")
        } else if guest == "fixed-priority" && !edf {
            ("[\"core.0\", \"server.s0\"]", true)
        } else {
            ("\"?\"", !edf)
        };
        let keys = format!("wcet = \"{work}ns\"\nperiod = \"{period}ms\"\n");
        write!(text, "[task.loose]\non = {on}\n{keys}").unwrap();
        if by_priority {
            text += &priority(chance);
        }
    }
    Drawn { text, weights }
}

fn read(text: &str) -> Option<Open> {
    read_open(text, Format::Toml, |_| Err("none".into())).ok()
}

/// Everything that may be chosen for each value. A priority of which nothing is said may be one of those between
/// and around the ones that are drawn.
fn choices(open: &Open) -> Vec<Vec<Chosen>> {
    let priority = |number: u32| Chosen::Priority(Priority(number));
    let opens = open.values().iter().filter(|value| value.key == OpenKey::Priority).count();
    let of = |value: &OpenValue| match &value.allowed {
        Allowed::Grid { from, to, step } => {
            let count = to.saturating_sub(*from).div_floor(*step);
            (0..=count).map(|times| Chosen::Time(*from + *step * times)).collect()
        }
        Allowed::Kinds(kinds) => kinds.iter().map(|kind| Chosen::Kind(*kind)).collect(),
        Allowed::Supplies(names) => {
            names.iter().map(|(name, _)| Chosen::On(name.clone())).collect()
        }
        Allowed::Priorities(all) => all.iter().copied().map(Chosen::Priority).collect(),
        // Two of each, where two may need them; between 9 and 13 there is no room for more than one.
        Allowed::Any if value.key == OpenKey::Priority && opens == 1 => {
            [1, 9, 10, 11, 12, 13, 14].map(priority).to_vec()
        }
        Allowed::Any if value.key == OpenKey::Priority => {
            [1, 2, 3, 9, 10, 11, 12, 13, 14, 15, 16].map(priority).to_vec()
        }
        other => panic!("{other:?} is not drawn"),
    };
    open.values().iter().map(of).collect()
}

/// What the servers take of the cores, each by its weight, as a sum of fractions of whole microseconds:
/// budgets and switching over periods.
fn cost(system: &System, weights: [u64; 2], around: u64) -> (u128, u128) {
    let us = |time: Duration| u128::from(time.as_ns() / 1_000);
    let servers = system.supply_ids();
    let servers = servers.filter_map(|id| Some((id, system.supply(id).server()?)));
    servers.fold((0, 1), |(over, under), (id, server)| {
        let weight = u128::from(weights[system.core_of(id).0]);
        let budget = us(server.budget) + u128::from(around);
        (over * us(server.period) + weight * budget * under, under * us(server.period))
    })
}

fn compare(one: (u128, u128), other: (u128, u128)) -> Ordering {
    (one.0 * other.1).cmp(&(other.0 * one.1))
}

/// What switching takes in each period in microseconds, by the costs that a drawn system states.
fn around(system: &System) -> u64 {
    (system.costs.context_switch * 2 + system.costs.scheduler_call * 3).as_ns() / 1_000
}

/// Whether no priority of which nothing is said is that of another member of the supply.
fn keeps_own(open: &Open, system: &System) -> bool {
    let members = |supply: &Supply| -> Vec<(String, Priority)> {
        let of = |member: &Member| match member {
            Member::Task(id) => (system.task(*id).name.clone(), system.task(*id).priority),
            Member::Server(id) => {
                let supply = system.supply(*id);
                (supply.name.clone(), supply.server().unwrap().priority)
            }
        };
        supply.members.iter().map(of).collect()
    };
    let has_own = |name: &String| {
        let is_any =
            |value: &OpenValue| value.key == OpenKey::Priority && value.allowed == Allowed::Any;
        open.values().iter().any(|value| value.of == *name && is_any(value))
    };
    system.supplies.iter().all(|supply| {
        let all = members(supply);
        all.iter()
            .filter(|(name, _)| has_own(name))
            .all(|(_, own)| all.iter().filter(|(_, other)| other == own).count() == 1)
    })
}

/// The least of all that is accepted, by looking at each, the cheapest first.
fn enumerated(open: &mut Open, weights: [u64; 2]) -> Option<(u128, u128)> {
    let choices = choices(open);
    let mut places = vec![0; choices.len()];
    let mut all = Vec::new();
    loop {
        let chosen: Vec<Chosen> =
            choices.iter().zip(&places).map(|(own, &place)| own[place].clone()).collect();
        if let Some(system) = open.resolve(&chosen).filter(|system| keeps_own(open, system)) {
            all.push((cost(&system, weights, around(&system)), chosen));
        }
        let Some(next) = (0..places.len()).find(|&at| places[at] + 1 < choices[at].len()) else {
            break;
        };
        places[next] += 1;
        places[..next].fill(0);
    }
    all.sort_by(|(one, _), (other, _)| compare(*one, *other));
    let mut is_accepted = |chosen: &[Chosen]| open.resolve(chosen).is_some_and(|of| accepts(&of));
    all.into_iter().find_map(|(cost, chosen)| is_accepted(&chosen).then_some(cost))
}

#[derive(Debug, Default)]
struct Tally {
    optimal: u32,
    best_unproven: u32,
    worse: u32,
    impossible: u32,
    not_found: u32,
    missed: u32,
    /// By the number of servers, and of the periods that most may be chosen from: systems.
    longest: BTreeMap<(usize, usize), u32>,
}

/// The number of servers, and of the most periods that one may have.
fn longest(open: &Open) -> (usize, usize) {
    let all: Vec<usize> = open
        .values()
        .iter()
        .zip(choices(open))
        .filter(|(value, _)| value.key == OpenKey::Period)
        .map(|(_, own)| own.len())
        .collect();
    (all.len(), all.into_iter().max().unwrap())
}

/// Each core by its weight.
fn objective([first, second]: [u64; 2]) -> Objective {
    let both = first.min(second);
    let more = [("core.0", first - both), ("core.1", second - both)];
    let more = more.into_iter().map(|(name, weight)| (name.to_owned(), weight)).collect();
    Objective::Least(Weights::new(both, more).unwrap())
}

fn compare_with_all(seed: u64, tally: &mut Tally) {
    let Drawn { text, weights } = system(seed, 1_000);
    let mut open = read(&text).unwrap();
    *tally.longest.entry(longest(&open)).or_default() += 1;
    let best = enumerated(&mut open, weights);
    match design_for(&mut open, Limits::default(), &objective(weights)) {
        Answer::Design(found) => {
            assert!(accepts(&found.system), "seed {seed}: not accepted\n{text}");
            let observations = search(&found.system, &Search { seed, ..Search::within(STEPS) });
            let misses = observations.tasks.iter().flatten().filter(|worst| worst.miss.is_some());
            assert_eq!(misses.count(), 0, "seed {seed}: a deadline is missed\n{text}");
            let best = best.unwrap_or_else(|| panic!("seed {seed}: there is none\n{text}"));
            let cost = cost(&found.system, weights, around(&found.system));
            let order = compare(cost, best);
            assert_ne!(order, Ordering::Less, "seed {seed}: not all was enumerated\n{text}");
            if found.optimality() == Optimality::Optimal {
                assert_eq!(order, Ordering::Equal, "seed {seed}: not optimal\n{text}");
                tally.optimal += 1;
            } else if order == Ordering::Equal {
                tally.best_unproven += 1;
            } else {
                println!("seed {seed}: worse than the best, and not called optimal");
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
            if best.is_some() {
                println!("seed {seed}: there is one, and it was not found");
                tally.missed += 1;
            } else {
                tally.not_found += 1;
            }
        }
    }
}

/// How many systems: `VORRANG_DESIGNS=1000 cargo test --release -p vorrang-design --test design exhaustive`.
fn systems() -> u64 {
    std::env::var("VORRANG_DESIGNS").ok().and_then(|text| text.parse().ok()).unwrap_or(16)
}

#[test]
fn designs_agree_with_enumeration() {
    let mut tally = Tally::default();
    for seed in 0..systems() {
        compare_with_all(seed, &mut tally);
        if seed % 16 == 15 {
            println!("{} systems: {tally:?}", seed + 1);
        }
    }
    println!("{} systems: {tally:?}", systems());
    assert!(systems() < 100 || (1..=3).all(|servers| tally.longest.contains_key(&(servers, 40))));
    assert!(tally.optimal * 4 > u32::try_from(systems()).unwrap(), "{tally:?}");
    assert!(systems() < 100 || tally.impossible > 0, "{tally:?}");
    assert!(tally.worse * 10 < tally.optimal, "{tally:?}");
    assert!(tally.missed * 100 <= u32::try_from(systems()).unwrap(), "{tally:?}");
}

/// Budgets in steps of a nanosecond: one less is not accepted.
#[test]
fn the_least_budget_is_the_least() {
    for seed in 0..20 {
        let mut chance = Chance(seed);
        let period = 1 + chance.below(5);
        let (work, deadline) = (100_000 + chance.below(900_000), 5 + chance.below(10));
        let text = format!(
            "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[server.s]\non = \"core.0\"\n\
             server = \"periodic\"\npriority = 1\nbudget = {{ from = \"1ns\", to = \"1ms\", step = \"1ns\" }}\n\
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
