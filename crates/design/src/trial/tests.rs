//! What a trial tries first, keeps and takes over, beside the same settled anew.

use super::*;
use crate::accepts;
use crate::aim::Aim;
use crate::bare::Trust;
use crate::chance::Chance;
use crate::layout::provisional;
use crate::objective::Weights;
use crate::place::{Built, Place};
use std::fmt::Write as _;
use vorrang_model::{Allowed, Chosen, Format, Open, read_open};

fn others(count: u64, at: u64) -> Vec<u64> {
    let [first, step] = [5_000, 1_000].map(Duration::from_us);
    let to = first + step * (count - 1);
    let ladder =
        Ladder::of_budget(&Allowed::Grid { from: first, to, step }, to, to, Duration::ZERO);
    let index = |period: Duration| (period - first).div_floor(step);
    near(&ladder, first + step * at).map(index).collect()
}

/// By powers of four in both directions, the farthest first, and nothing beyond the ends.
#[test]
fn the_farthest_periods_are_tried_first() {
    assert_eq!(others(40, 20), [4, 36, 16, 24, 19, 21]);
    assert_eq!(others(40, 0), [16, 4, 1]);
    assert_eq!(others(40, 39), [23, 35, 38]);
    assert_eq!(others(16, 15), [11, 14]);
    assert_eq!(others(17, 16), [0, 12, 15]);
    assert_eq!(others(1, 0), [0; 0]);
}

const COSTS: &str = "[costs]\ncontext-switch = \"7us\"\nscheduler-call = \"3us\"\n";

/// Servers with these priorities, of drawn tasks.
fn text(seed: u64, priorities: [u64; 3], kind: &str) -> String {
    let mut chance = Chance(seed);
    let mut text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n".to_owned();
    if chance.below(2) == 0 {
        text += COSTS;
    }
    for (server, priority) in priorities.into_iter().enumerate() {
        let (work, period) = (200 + chance.below(900), 6 + chance.below(20));
        let deadline = period - chance.below(3);
        writeln!(
            text,
            "[server.s{server}]\non = \"core.0\"\nserver = \"{kind}\"\npriority = {priority}\n\
             period = {{ from = \"1ms\", to = \"16ms\", step = \"1ms\" }}\nbudget = \"?\"\n\
             [task.t{server}]\non = \"server.s{server}\"\nwcet = \"{work}us\"\n\
             period = \"{period}ms\"\ndeadline = \"{deadline}ms\""
        )
        .unwrap();
    }
    text
}

fn open(text: &str) -> Open {
    read_open(text, Format::Toml, |_| Err("none".into()))
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

fn trial(text: &str) -> Trial {
    let mut open = open(text);
    let fixed = vec![None; open.values().len()];
    let chosen = provisional(&open, &fixed);
    let system = open.resolve(&chosen).expect("it fits together");
    let aim = Aim::new(Weights::PRICE);
    let core = system.cores().next().expect("there is one");
    let place = Place::new(&open, &system, &fixed, &aim, Trust::Core);
    let Some(Built::Units(core)) = place.built(&[core]) else { panic!("there are units\n{text}") };
    Trial::new(*core)
}

fn plenty() -> Steps {
    Steps::new(1_000_000)
}

fn cost(trial: &Trial) -> Option<Cost> {
    trial.best.as_ref().map(|best| best.cost)
}

/// What some periods take, settled on a core on which nothing was before; `None`: they do not hold.
fn anew(text: &str, choices: &[Choice]) -> Option<Cost> {
    let mut trial = trial(text);
    trial.adopt(0, choices.to_vec(), &mut plenty()).unwrap();
    cost(&trial)
}

/// Each unit with one of its periods.
fn drawn(trial: &Trial, chance: &mut Chance) -> Vec<Choice> {
    let one = |options: &Options| {
        let places = options.choices.count().unwrap();
        (0..).find_map(|_| options.choices.choice(chance.below(places))).unwrap()
    };
    trial.core.options.iter().map(one).collect()
}

/// The longest of what each choice of lengths says are as far apart as its gradient.
#[test]
fn gradients_are_tried_from_the_middle_on() {
    let found = trial(&text(1, [3, 2, 1], "deferrable")).graded();
    let first = [[2, 4, 8], [1, 2, 4], [4, 8, 16], [2, 2, 4], [1, 1, 2]];
    let first = first.map(|lengths| lengths.map(Duration::from_ms).to_vec());
    assert_eq!(found[..5], first);
    // Of five lengths those that are 0 to 4 apart.
    assert_eq!(found.len(), 5 + 4 + 3 + 2 + 1);
    assert!(found.iter().all(|lengths| lengths.is_sorted()));
    let all: BTreeSet<&Vec<Duration>> = found.iter().collect();
    assert_eq!(all.len(), found.len());
    // 0 apart is the fourth.
    assert_eq!(found[9], [4, 4, 4].map(Duration::from_ms));
}

/// Only what takes less is kept, with what it takes and what was settled; the rest changes nothing.
#[test]
fn what_is_adopted_takes_less_and_holds() {
    let (mut adopted, mut refused, mut late) = (0, 0, 0);
    for seed in 0..12 {
        let text = text(seed, [3, 2, 1], "deferrable");
        let mut own = trial(&text);
        let mut chance = Chance(seed);
        for _ in 0..12 {
            let mut choices = drawn(&own, &mut chance);
            // Units before the first that is another stay as they are settled.
            let from = usize::try_from(chance.below(3)).unwrap().min(own.settled.len());
            choices.splice(..from, own.choices[..from].iter().cloned());
            let (before, periods) = (cost(&own), own.choices.clone());
            let expected = anew(&text, &choices);
            let is_less = expected.is_some_and(|cost| before.is_none_or(|best| cost < best));
            assert_eq!(own.adopt(from, choices, &mut plenty()), Ok(is_less), "{text}");
            if is_less {
                assert_eq!(cost(&own), expected);
                let best = own.best.as_ref().unwrap();
                let mut open = open(&text);
                let chosen: Vec<Chosen> = best.chosen.iter().map(|own| own.1.clone()).collect();
                assert!(accepts(&open.resolve(&chosen).unwrap()), "{text}");
                adopted += 1;
            } else {
                assert_eq!(cost(&own), before);
                let same = own.choices.iter().zip(&periods).all(|(a, b)| a.periods == b.periods);
                assert!(same && own.choices.len() == periods.len());
                *if expected.is_some() { &mut refused } else { &mut late } += 1;
            }
        }
    }
    assert!(adopted > 20 && refused > 20 && late > 0, "{adopted} {refused} {late}");
}

/// Nothing that is one period apart takes less any more.
#[test]
fn what_was_improved_is_better_than_what_is_near() {
    let mut improved = 0;
    for seed in 0..8 {
        let text = text(seed, [3, 2, 1], "polling");
        let mut own = trial(&text);
        if !own.first(&mut plenty()).unwrap() {
            continue;
        }
        let first = cost(&own);
        let mut is_better = false;
        while own.improve(&mut plenty()).unwrap() {
            is_better = true;
        }
        assert_eq!(cost(&own) < first, is_better, "{text}");
        improved += usize::from(is_better);
        for unit in 0..3 {
            let now = own.choices[unit].periods[0];
            let near: Vec<Duration> = near(own.core.options[unit].choices.ladder(0), now).collect();
            assert!(near.len() > 1);
            for period in near {
                let Some(other) = own.core.options[unit].choices.of_periods(&[period]) else {
                    continue;
                };
                let mut choices = own.choices.clone();
                choices[unit] = other;
                let taken = anew(&text, &choices);
                assert!(taken.is_none() || taken >= cost(&own), "{unit} {period}\n{text}");
            }
        }
    }
    assert!(improved > 1, "{improved}");
}

/// With another order, or another kind, the same periods take what they take when all is settled anew; they are kept
/// if that is less.
#[test]
fn what_is_taken_over_is_settled_as_far_as_it_changed() {
    let (mut less, mut not_less) = (0, 0);
    for seed in 0..40 {
        let of = text(seed, [3, 2, 1], "deferrable");
        let mut one = trial(&of);
        // Any design, for the best is not made better by much.
        let mut chance = Chance(seed);
        for _ in 0..4 {
            let choices = drawn(&one, &mut chance);
            one.adopt(0, choices, &mut plenty()).unwrap();
        }
        if one.best.is_none() {
            continue;
        }
        let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let moved = |names: &[&str], inside: &[&str]| Changed {
            moved: named(names),
            inside: named(inside),
            is_beside: false,
        };
        let all = ["server.s0", "server.s1", "server.s2"];
        let cases = [
            (text(seed, [2, 3, 1], "deferrable"), moved(&all[..2], &[])),
            (text(seed, [3, 1, 2], "deferrable"), moved(&all[1..], &[])),
            (text(seed, [3, 2, 1], "polling"), moved(&all, &all)),
            (of.replacen("\"deferrable\"", "\"polling\"", 1), moved(&all[..1], &all[..1])),
            (of.clone(), moved(&[], &[])),
            (of.clone(), Changed { is_beside: true, ..Changed::default() }),
        ];
        for (text, changed) in cases {
            let mut other = trial(&text);
            let place = |name: &String| one.core.names.iter().position(|own| own == name).unwrap();
            let choices: Option<Vec<Choice>> = other
                .core
                .names
                .iter()
                .zip(&other.core.options)
                .map(|(name, own)| own.choices.of_periods(&one.choices[place(name)].periods))
                .collect();
            let taken = choices.and_then(|choices| anew(&text, &choices));
            let is_less = taken.is_some_and(|taken| Some(taken) < cost(&one));
            assert_eq!(other.resume(&one, &changed, &mut plenty()), Ok(is_less), "{text}");
            if is_less {
                assert_eq!(cost(&other), taken, "{text}");
                assert_eq!(other.settled.len(), 3);
            }
            *if is_less { &mut less } else { &mut not_less } += 1;
        }
    }
    assert!(less > 10 && not_less > 10, "{less} {not_less}");
}
