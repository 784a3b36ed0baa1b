//! What is looked at one by one, beside an enumeration that shares nothing with it but the analysis.

use super::*;
use crate::accepts;
use crate::aim::Aim;
use crate::chance::Chance;
use crate::judge::Theorems;
use crate::objective::Weights;
use crate::part::Machine;
use std::cmp::Ordering;
use std::fmt::Write as _;
use vorrang_model::system::{Supply, System};
use vorrang_model::{Allowed, Chosen, Format, Open, OpenKey, OpenValue, read_open};

/// Two servers, perhaps one in the other, and of one perhaps the order of its tasks, on a core with or without
/// costs.
fn drawn(seed: u64) -> Open {
    let mut chance = Chance(seed);
    let mut text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n".to_owned();
    if chance.below(2) == 0 {
        text += "[costs]\ncontext-switch = \"7us\"\nscheduler-call = \"3us\"\n";
    }
    let is_nested = chance.below(4) == 0;
    for server in 0..2 {
        let on = if is_nested && server == 1 { "server.s0" } else { "core.0" };
        let kind = chance.one_of(&["deferrable", "sporadic", "polling", "periodic"]);
        let [short, long] = [1 + chance.below(3), 4 + chance.below(4)];
        writeln!(
            text,
            "[server.s{server}]\non = \"{on}\"\nserver = \"{kind}\"\npriority = {server}\n\
             scheduler = \"fixed-priority\"\nperiod = [\"{short}ms\", \"{long}ms\"]\n\
             budget = {{ from = \"200us\", to = \"2ms\", step = \"300us\" }}"
        )
        .unwrap();
        let tasks = 1 + chance.below(2);
        for task in 0..tasks {
            let (work, period) = (100 + chance.below(700), 6 + chance.below(8));
            let deadline = period - chance.below(4);
            let priority = match task {
                _ if tasks == 2 && server == 0 => "[1, 2]",
                0 => "1",
                _ => "2",
            };
            // With jitter the shorter deadline need not be the more urgent one.
            let jitter = if tasks == 2 && server == 0 { chance.below(5) * 700 } else { 0 };
            writeln!(
                text,
                "[task.t{server}-{task}]\non = \"server.s{server}\"\nwcet = \"{work}us\"\n\
                 period = \"{period}ms\"\ndeadline = \"{deadline}ms\"\njitter = \"{jitter}us\"\n\
                 priority = {priority}"
            )
            .unwrap();
        }
    }
    read_open(&text, Format::Toml, |_| Err("none".into()))
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// A fraction.
type Share = (u128, u128);

fn compare(one: Share, other: Share) -> Ordering {
    (one.0 * other.1).cmp(&(other.0 * one.1))
}

/// What the servers of the core take, with the switching of a period that has none in it but two switches and
/// three calls.
fn share(system: &System) -> Share {
    let around = system.costs.context_switch * 2 + system.costs.scheduler_call * 3;
    let servers = system.supplies.iter().filter_map(Supply::server);
    servers.fold((0, 1), |(over, under), server| {
        let is_outermost = system.supply(server.on).is_core();
        let budget = if is_outermost { server.budget } else { Duration::ZERO };
        let budget = u128::from((budget + around).as_ns() / 1_000);
        let period = u128::from(server.period.as_ns() / 1_000);
        (over * period + budget * under, under * period)
    })
}

fn choices(value: &OpenValue) -> Vec<Chosen> {
    match &value.allowed {
        Allowed::Grid { from, to, step } => {
            let count = to.saturating_sub(*from).div_floor(*step);
            (0..=count).map(|times| Chosen::Time(*from + *step * times)).collect()
        }
        Allowed::Times(times) => times.iter().copied().map(Chosen::Time).collect(),
        Allowed::Priorities(all) => all.iter().copied().map(Chosen::Priority).collect(),
        other => panic!("{other:?} is not drawn"),
    }
}

/// All that is accepted, the cheapest first.
fn accepted(open: &mut Open) -> Vec<(Share, Vec<Chosen>)> {
    let mut all = vec![Vec::new()];
    for value in open.values() {
        let own = choices(value);
        let longer = |begun: &Vec<Chosen>| {
            let begun = begun.clone();
            own.iter().map(move |next| [&begun[..], std::slice::from_ref(next)].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    let looked = all.into_iter().filter_map(|chosen| {
        let system = open.resolve(&chosen)?;
        accepts(&system).then(|| (share(&system), chosen))
    });
    let mut found: Vec<(Share, Vec<Chosen>)> = looked.collect();
    found.sort_by(|(one, _), (other, _)| compare(*one, *other));
    found
}

fn part(open: &Open) -> Part {
    let fixed = vec![None; open.values().len()];
    let aim = Aim::new(Weights::PRICE);
    let mut part = Part::new(open, &fixed, &aim, &|_| true, Machine::Stated).unwrap();
    part.theorems = Theorems::All;
    part
}

/// A design as a search hands it over.
fn best(part: &mut Part, chosen: &[Chosen]) -> Best {
    let chosen: Vec<(usize, Chosen)> = chosen.iter().cloned().enumerate().collect();
    part.choose(&chosen);
    Best { cost: part.cost_of_all(), chosen }
}

/// What was found, in the order of the values, and what it takes.
fn of(open: &mut Open, best: &Best) -> (Share, Vec<Chosen>) {
    let mut chosen: Vec<Option<Chosen>> = vec![None; open.values().len()];
    best.chosen.iter().for_each(|(at, own)| chosen[*at] = Some(own.clone()));
    let chosen: Vec<Chosen> = chosen.into_iter().map(Option::unwrap).collect();
    let system = open.resolve(&chosen).unwrap();
    assert!(accepts(&system), "{chosen:?}");
    (share(&system), chosen)
}

const PLENTY: u64 = 1_000_000;

#[test]
fn what_is_left_one_by_one_is_the_least_there_is() {
    let (mut with, mut without, mut improved) = (0, 0, 0);
    for seed in 0..24 {
        let mut open = drawn(seed);
        let all = accepted(&mut open);
        let mut part = part(&open);
        // Beside no design.
        let (found, is_closed) = part.close(None, &mut Steps::new(PLENTY));
        assert!(is_closed, "seed {seed}");
        let Some((least, cheapest)) = all.first() else {
            assert!(found.is_none(), "seed {seed}: there is none");
            without += 1;
            continue;
        };
        with += 1;
        let (taken, _) = of(&mut open, &found.expect("there is one"));
        assert_eq!(compare(taken, *least), Ordering::Equal, "seed {seed}");
        // Beside the dearest, beside one in the middle, and beside the next that takes more.
        let next = all.iter().position(|(own, _)| compare(*own, *least) == Ordering::Greater);
        for place in [all.len() - 1, all.len() / 2].into_iter().chain(next) {
            let (dear, chosen) = &all[place];
            let known = best(&mut part, chosen);
            let (found, is_closed) = part.close(Some(known), &mut Steps::new(PLENTY));
            let (taken, _) = of(&mut open, &found.expect("one was there"));
            assert!(is_closed);
            assert_eq!(compare(taken, *least), Ordering::Equal, "seed {seed}, beside {dear:?}");
            improved += u32::from(compare(*least, *dear) == Ordering::Less);
        }
        // Beside the cheapest: that stays as it is.
        let known = best(&mut part, cheapest);
        let (found, is_closed) = part.close(Some(known), &mut Steps::new(PLENTY));
        assert!(is_closed && of(&mut open, &found.unwrap()).1 == *cheapest, "seed {seed}");
    }
    assert!(with > 8 && without > 0 && improved > 8, "{with} {without} {improved}");
}

/// With too few analyses nothing is closed, and what was there is not lost.
#[test]
fn a_look_that_is_cut_short_closes_nothing() {
    let (mut cut, mut closed) = (0, 0);
    for seed in 0..12 {
        let mut open = drawn(seed);
        let all = accepted(&mut open);
        let Some((least, _)) = all.first() else { continue };
        let (dear, chosen) = &all[all.len() - 1];
        let mut part = part(&open);
        for most in [0, 1, 4, 30, 200, 1_000, 4_000] {
            let known = best(&mut part, chosen);
            let mut steps = Steps::new(most);
            let (found, is_closed) = part.close(Some(known), &mut steps);
            let (taken, _) = of(&mut open, &found.expect("one was there"));
            let expected = if is_closed { least } else { dear };
            assert_eq!(compare(taken, *expected), Ordering::Equal, "seed {seed}, {most} analyses");
            cut += u32::from(!is_closed);
            closed += u32::from(is_closed);
        }
    }
    assert!(cut > 10 && closed > 10, "{cut} {closed}");
}

/// With 3 ms of jitter what is due within 4 ms must come before what is due within 3 ms: the second order that is looked
/// at.
#[test]
fn every_order_inside_is_looked_at() {
    let task = |name: &str, times: &str| {
        format!(
            "[task.{name}]\non = \"server.s\"\nwcet = \"1ms\"\nperiod = \"10ms\"\n{times}\npriority = [1, 2]\n"
        )
    };
    let text =
        "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[server.s]\non = \"core.0\"\n\
                server = \"deferrable\"\nscheduler = \"fixed-priority\"\npriority = 1\n\
                budget = [\"500us\", \"1ms\"]\nperiod = [\"1ms\"]\n"
            .to_owned()
            + &task("jitters", "deadline = \"4ms\"\njitter = \"3ms\"")
            + &task("plain", "deadline = \"3ms\"");
    let mut open = read_open(text, Format::Toml, |_| Err("none".into())).unwrap();
    let (found, is_closed) = part(&open).close(None, &mut Steps::new(PLENTY));
    assert_eq!(of(&mut open, &found.expect("there is one")).0, (1_000, 1_000));
    assert!(is_closed);
}

/// An end that is wanted after some more of them closes nothing either.
#[test]
fn a_look_that_is_interrupted_closes_nothing() {
    thread_local!(static LEFT: std::cell::Cell<u32> = const { std::cell::Cell::new(0) });
    let is_end_wanted = || LEFT.with(|left| left.replace(left.get().saturating_sub(1)) == 0);
    let mut interrupted = 0;
    for seed in 0..12 {
        let mut open = drawn(seed);
        let all = accepted(&mut open);
        let Some((dear, chosen)) = all.last().filter(|_| all.len() > 8) else { continue };
        let mut part = part(&open);
        for later in [2, 3] {
            LEFT.set(later);
            let known = best(&mut part, chosen);
            let (found, is_closed) =
                part.close(Some(known), &mut Steps::new(PLENTY).unless(is_end_wanted));
            let (taken, _) = of(&mut open, &found.expect("one was there"));
            // What is cheapest may be the first that is looked at.
            let is_first = is_closed && compare(taken, all[0].0) == Ordering::Equal;
            assert!(
                is_first || !is_closed && compare(taken, *dear) == Ordering::Equal,
                "seed {seed}"
            );
            interrupted += u32::from(!is_closed);
        }
    }
    assert!(interrupted > 4, "{interrupted}");
}

/// A step less for any one of the budgets is not accepted, whatever the orders.
#[test]
fn each_budget_is_lowered_as_far_as_it_goes() {
    let (mut looked, mut lowered_far) = (0, 0);
    for seed in 0..24 {
        let mut open = drawn(seed);
        let all = accepted(&mut open);
        let Some((dear, chosen)) = all.last() else { continue };
        let mut part = part(&open);
        let known = best(&mut part, chosen);
        let lowered = part.lowered(known, &mut Steps::new(PLENTY));
        let (taken, chosen) = of(&mut open, &lowered);
        assert_ne!(compare(taken, *dear), Ordering::Greater, "seed {seed}");
        lowered_far += u32::from(compare(taken, *dear) == Ordering::Less);
        for (at, value) in open.values().to_vec().iter().enumerate() {
            if value.key == OpenKey::Period {
                assert_eq!(chosen[at], all.last().unwrap().1[at], "seed {seed}: periods stay");
            }
            let own = choices(value);
            let place = own.iter().position(|other| *other == chosen[at]).unwrap();
            if value.key != OpenKey::Budget || place == 0 {
                continue;
            }
            let less = |other: &[Chosen]| {
                let same =
                    (0..chosen.len()).filter(|&of| open.values()[of].key != OpenKey::Priority);
                let mut same = same.filter(|&of| of != at);
                other[at] == own[place - 1] && same.all(|of| other[of] == chosen[of])
            };
            looked += 1;
            let less = all.iter().find(|(_, other)| less(other));
            assert!(less.is_none(), "seed {seed}, {at}: {chosen:?} {less:?} {:?}", open.values());
        }
        // Without analyses it stays as it is.
        let known = best(&mut part, &all.last().unwrap().1);
        let kept = part.lowered(known, &mut Steps::new(0));
        assert_eq!(of(&mut open, &kept).1, all.last().unwrap().1);
    }
    assert!(looked > 10 && lowered_far > 8, "{looked} {lowered_far}");
}
