//! Spans of periods that are passed over: the budget that a guest needs does not fall with its period.

use crate::chance::Chance;
use std::fmt::Write as _;
use vorrang_design::{Answer, Design, Limits, Optimality, design};
use vorrang_model::{Chosen, Format, Open, read_open};
use vorrang_time::Duration;

fn read(text: &str) -> Open {
    read_open(text, Format::Toml, |_| Err("none".into()))
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

fn designed(text: &str, steps: u64) -> Option<Design> {
    match design(&mut read(text), Limits::of(steps)) {
        Answer::Design(found) => Some(*found),
        Answer::Absent(_) => None,
    }
}

/// A core with one server, and perhaps what is stated beside it.
fn system(chance: &mut Chance, period: &str) -> String {
    let kinds = [
        ("fixed-priority", "deferrable"),
        ("fixed-priority", "sporadic"),
        ("fixed-priority", "periodic"),
        ("fixed-priority", "polling"),
        ("edf", "cbs-hard"),
        ("linux", "sched-deadline"),
    ];
    let (scheduler, kind) = kinds[usize::try_from(chance.below(6)).unwrap()];
    let by_priority = scheduler == "fixed-priority";
    let guest = chance.one_of(&["rate-monotonic", "edf", "fixed-priority"]);
    let (keys, own) = match scheduler {
        "linux" => ("fair-server = \"none\"\n", ""),
        "edf" => ("", ""),
        _ => ("", "priority = 5\n"),
    };
    let mut text = format!(
        "version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n{keys}\
         [server.s]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"?\"\nperiod = {period}\n\
         scheduler = \"{guest}\"\n{own}"
    );
    for task in 0..=chance.below(2) {
        let (work, period) = (200 + chance.below(1_500), 8 + chance.below(30));
        let deadline = period - chance.below(period / 3);
        let priority =
            if guest == "fixed-priority" { format!("priority = {task}\n") } else { String::new() };
        write!(
            text,
            "[task.t{task}]\non = \"server.s\"\nwcet = \"{work}us\"\nperiod = \"{period}ms\"\n\
             deadline = \"{deadline}ms\"\n{priority}"
        )
        .unwrap();
    }
    if by_priority && chance.below(2) == 0 {
        let (work, period, priority) =
            (100 + chance.below(1_500), 4 + chance.below(12), chance.below(10));
        write!(
            text,
            "[task.beside]\non = \"core.0\"\nwcet = \"{work}us\"\nperiod = \"{period}ms\"\n\
             priority = {priority}\n"
        )
        .unwrap();
        write!(
            text,
            "[interrupt.card]\non = \"core.0\"\nisr = \"{}us\"\nmin-interarrival = \"700us\"\n",
            1 + chance.below(40)
        )
        .unwrap();
    }
    text
}

/// How many systems: `VORRANG_DESIGNS=200 cargo test --release -p vorrang-design --test design spans`.
fn systems() -> u64 {
    std::env::var("VORRANG_DESIGNS").ok().and_then(|text| text.parse().ok()).unwrap_or(16)
}

/// One period after the other, each searched for by itself, takes no less than a grid of all of them, which is
/// passed over in spans.
#[test]
fn no_period_of_a_grid_takes_less_than_what_is_found() {
    let mut optimal = 0;
    for seed in 0..systems() {
        let grid = "{ from = \"1ms\", to = \"16ms\", step = \"500us\" }";
        let all = designed(&system(&mut Chance(seed), grid), 50_000);
        let single = (2..=32).map(|halves: u64| format!("\"{}us\"", 500 * halves));
        let single = single.filter_map(|period| {
            designed(&system(&mut Chance(seed), &period), 50_000).map(|found| found.least_monotonic)
        });
        // What the monotonic theorems accept: that is what spans are about.
        let best = single.flatten().min();
        let text = system(&mut Chance(seed), grid);
        let Some(all) = all else {
            assert!(best.is_none(), "seed {seed}\n{text}");
            continue;
        };
        assert_eq!(all.least_monotonic, best, "seed {seed}\n{text}");
        optimal += u64::from(all.optimality() == Optimality::Optimal);
    }
    assert!(optimal * 3 > systems(), "{optimal}");
}

/// A million periods: what is best is found in some thousand steps.
#[test]
fn a_million_periods_are_not_tried_one_by_one() {
    let text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[server.s]\non = \"core.0\"\n\
                server = \"periodic\"\npriority = 1\nbudget = \"?\"\n\
                period = { from = \"1us\", to = \"1s\", step = \"1us\" }\nscheduler = \"edf\"\n\
                [task.a]\non = \"server.s\"\nwcet = \"1ms\"\nperiod = \"20ms\"\n\
                [task.b]\non = \"server.s\"\nwcet = \"3ms\"\nperiod = \"70ms\"\ndeadline = \"31ms\"\n";
    let found = designed(text, 50_000).unwrap();
    assert_eq!(found.optimality(), Optimality::Optimal);
    assert!(found.steps < 10_000, "{}", found.steps);
}

/// Where a million choices are too many for the steps, something is found, and how good that is.
#[test]
fn of_too_many_periods_one_is_found() {
    let text = "version = 1\n[costs]\ncontext-switch = \"5us\"\n[core.0]\nscheduler = \"fixed-priority\"\n\
                [server.s]\non = \"core.0\"\nserver = \"polling\"\npriority = 1\nbudget = \"?\"\n\
                period = { from = \"1us\", to = \"1s\", step = \"1us\" }\n\
                [task.a]\non = \"server.s\"\nwcet = \"1ms\"\nperiod = \"20ms\"\npriority = 1\n";
    let found = designed(text, 4_000).unwrap();
    println!(
        "{} {:?} {:?} {:?}",
        found.steps,
        found.chosen,
        found.cost.share(),
        found.least.share()
    );
    assert!(found.least < found.cost);
    assert!(
        matches!(found.chosen[..], [Chosen::Time(_), Chosen::Time(period)] if period < Duration::from_ms(20))
    );
}
