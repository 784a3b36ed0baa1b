//! What is found of a core, and the bounds that are said of it, beside every choice there is, by the monotonic theorems and
//! by all: with as many analyses as it takes, and with too few.

use super::*;
use crate::aim::Aim;
use crate::chance::Chance;
use crate::layout::provisional;
use crate::objective::Weights;
use crate::part::Machine;
use crate::place::{Built, Place};
use std::fmt::Write as _;
use vorrang_model::{Allowed, Format, Open, OpenValue, read_open};

/// Two or three servers on a core with or without costs and an interrupt, of one perhaps many periods.
fn drawn(seed: u64) -> Open {
    let mut chance = Chance(seed);
    let by_deadline = chance.below(3) == 0;
    let scheduler = if by_deadline { "edf" } else { "fixed-priority" };
    let mut text = format!("version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n");
    if chance.below(3) == 0 {
        text += "[costs]\ncontext-switch = \"40us\"\nscheduler-call = \"10us\"\n";
    }
    if chance.below(4) == 0 {
        text += "[interrupt.card]\non = \"core.0\"\nisr = \"60us\"\nmin-interarrival = \"1ms\"\n";
    }
    if chance.below(3) == 0 {
        let priority = if by_deadline { "" } else { "priority = 1\n" };
        let (work, period) = (200 + chance.below(800), 6 + chance.below(6));
        write!(
            text,
            "[task.beside]\non = \"core.0\"\nwcet = \"{work}us\"\nperiod = \"{period}ms\"\n{priority}"
        )
        .unwrap();
    }
    let servers = 2 + chance.below(2);
    let heavy = if chance.below(4) == 0 { 2_500 } else { 900 };
    let kinds: &[&str] = if by_deadline {
        &["cbs-hard", "cbs-hard", "periodic"]
    } else {
        &["deferrable", "sporadic", "polling", "periodic", "periodic"]
    };
    let one_kind = (chance.below(2) == 0).then(|| chance.one_of(kinds));
    for server in 0..servers {
        let kind = one_kind.unwrap_or_else(|| chance.one_of(kinds));
        let [short, long] = [1 + chance.below(3), 4 + chance.below(5)];
        let (periods, budgets) = if server == 0 && servers == 2 && chance.below(2) == 0 {
            ("{ from = \"1ms\", to = \"12ms\", step = \"1ms\" }".to_owned(), 4)
        } else {
            (format!("[\"{short}ms\", \"{long}ms\"]"), 6)
        };
        let priority = if by_deadline {
            String::new()
        } else {
            format!("priority = {}\n", 2 + server % 2 * 3)
        };
        write!(
            text,
            "[server.s{server}]\non = \"core.0\"\nserver = \"{kind}\"\n{priority}period = {periods}\n\
             budget = {{ from = \"200us\", to = \"{}us\", step = \"300us\" }}\n",
            200 + 300 * (budgets - 1)
        )
        .unwrap();
        let (work, period) = (150 + chance.below(heavy), 5 + chance.below(10));
        let deadline = period - chance.below(3);
        write!(
            text,
            "[task.t{server}]\non = \"server.s{server}\"\nwcet = \"{work}us\"\nperiod = \"{period}ms\"\n\
             deadline = \"{deadline}ms\"\n"
        )
        .unwrap();
    }
    read_open(text.clone(), Format::Toml, |_| Err("none".into()))
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

fn choices(value: &OpenValue) -> Vec<Chosen> {
    match &value.allowed {
        Allowed::Grid { from, to, step } => {
            let count = to.saturating_sub(*from).div_floor(*step);
            (0..=count).map(|times| Chosen::Time(*from + *step * times)).collect()
        }
        Allowed::Times(times) => times.iter().copied().map(Chosen::Time).collect(),
        other => panic!("{other:?} is not drawn"),
    }
}

/// The least that is accepted by some theorems, of all choices.
fn least(open: &Open, theorems: Theorems) -> Option<Cost> {
    let fixed = vec![None; open.values().len()];
    let aim = Aim::new(Weights::PRICE);
    let mut part = Part::new(open, &fixed, &aim, &|_| true, Machine::Stated).unwrap();
    part.theorems = theorems;
    let all: Vec<Vec<Chosen>> = open.values().iter().map(choices).collect();
    let (mut places, mut least) = (vec![0; all.len()], None::<Cost>);
    loop {
        let chosen = all.iter().zip(&places).map(|(own, &place)| own[place].clone());
        part.choose(&chosen.enumerate().collect::<Vec<(usize, Chosen)>>());
        let cost = part.cost_of_all();
        if least.is_none_or(|least| cost < least) {
            let seen = part.analysed(&mut Steps::new(1)).unwrap();
            if seen.is_some_and(|seen| seen.judgement(&part.nodes).holds()) {
                least = Some(cost);
            }
        }
        let Some(next) = (0..places.len()).find(|&at| places[at] + 1 < all[at].len()) else {
            return least;
        };
        places[next] += 1;
        places[..next].fill(0);
    }
}

/// The core, to be searched by some theorems.
fn core(open: &Open, theorems: Theorems) -> Core {
    let fixed = vec![None; open.values().len()];
    let mut copy = open.part(&|_| true).0;
    let system = copy.resolve(&provisional(open, &fixed)).expect("it fits together");
    let aim = Aim::new(Weights::PRICE);
    let id = system.cores().next().expect("there is one");
    let place = Place { theorems, ..Place::new(open, &system, &fixed, &aim, Trust::Core) };
    let Some(Built::Units(core)) = place.built(&[id]) else { panic!("there are units") };
    *core
}

/// A bound is no more than what is the least there is; and that there is none is only said where that is so.
fn is_bound(bound: Option<Cost>, least: Option<Cost>) -> bool {
    match (bound, least) {
        (None, least) => least.is_none(),
        (Some(_), None) => true,
        (Some(bound), Some(least)) => bound <= least,
    }
}

const PLENTY: u64 = 1_000_000;

#[test]
fn what_is_closed_is_the_least_and_bounds_hold() {
    let (mut exact, mut none, mut others, mut apart, mut differ, mut cut) = (0, 0, 0, 0, 0, 0);
    for seed in 0..40 {
        let open = drawn(seed);
        let [monotonic, all] = [Theorems::Monotonic, Theorems::All].map(|of| least(&open, of));
        assert!(is_bound(all, monotonic), "seed {seed}");
        for most in [0, 2, 5, 12, 30, 90, PLENTY] {
            let mut core = core(&open, Theorems::Monotonic);
            let found = core.search(&mut Steps::new(most));
            assert!(is_bound(found.least_monotonic, monotonic), "seed {seed}, {most}");
            assert!(is_bound(found.least, all), "seed {seed}, {most}");
            let best = found.best.as_ref().map(|best| best.cost);
            assert!(best.is_none() || is_bound(monotonic, best), "seed {seed}, {most}");
            if most < PLENTY {
                cut += u32::from(best != monotonic);
            } else if core.trust == Trust::Core {
                assert_eq!((best, found.least_monotonic), (monotonic, monotonic), "seed {seed}");
                *if best.is_some() { &mut exact } else { &mut none } += 1;
            } else {
                // What each takes alone is less: that nothing better was found says nothing there.
                apart += u32::from(best.is_some() && found.least_monotonic < best);
                others += 1;
            }
            differ += u32::from(most == PLENTY && all != monotonic);
        }
        // By all theorems, for what takes less than what is known: nothing that is no design, and nothing dearer.
        let known = core(&open, Theorems::Monotonic).search(&mut Steps::new(PLENTY)).best;
        let cost = known.as_ref().map(|best| best.cost);
        let found = core(&open, Theorems::All).search_below(known, &mut Steps::new(PLENTY)).best;
        let best = found.map(|best| best.cost);
        assert!(is_bound(best, cost) || best.is_none() && cost.is_none(), "seed {seed}");
        assert!(best.is_none() || is_bound(all, best), "seed {seed}");
    }
    let counts = [exact, none, others, apart, differ, cut];
    assert!(
        counts.into_iter().zip([8, 2, 8, 4, 2, 12]).all(|(own, least)| own > least),
        "{counts:?}"
    );
}
