//! What a search says of others than what it found: none takes less than the bound, and none was passed over.

use vorrang_design::{Absence, Answer, Design, Limits, Optimality, design};
use vorrang_model::{Format, read_open};
use vorrang_time::Duration;

fn designed(text: &str) -> Design {
    let mut open = read_open(text, Format::Toml, |_| Err("none".into()))
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    match design(&mut open, Limits::default()) {
        Answer::Design(found) => *found,
        Answer::Absent(absence) => panic!("{absence:?}\n{text}"),
    }
}

const CORE: &str = "[core.0]\nscheduler = \"fixed-priority\"\n";

/// A server with a task, budget and all that `keys` says open.
fn server(name: &str, keys: &str, task: &str) -> String {
    format!(
        "[server.{name}]\non = \"core.0\"\nbudget = \"?\"\n{keys}\n\
         [task.{name}]\non = \"server.{name}\"\n{task}\n"
    )
}

/// Alone `low` takes least with 5 ms; beside `high` only 20 ms holds.
#[test]
fn a_choice_that_fails_beside_others_is_passed_over() {
    let high = "server = \"deferrable\"\nperiod = \"5ms\"\npriority = 2";
    let low = "server = \"polling\"\nperiod = [\"5ms\", \"20ms\"]\npriority = 1";
    let low_task = "wcet = \"2ms\"\nperiod = \"40ms\"\ndeadline = \"30ms\"";
    let alone = designed(&format!("version = 1\n{CORE}{}", server("low", low, low_task)));
    let high = server("high", high, "wcet = \"2400us\"\nperiod = \"5ms\"");
    let both = designed(&format!("version = 1\n{CORE}{high}{}", server("low", low, low_task)));
    let period = |of: &Design| {
        let supply = of.system.supplies.iter().find(|supply| supply.name == "server.low");
        supply.unwrap().server().unwrap().period
    };
    assert_eq!([period(&alone), period(&both)], [5, 20].map(Duration::from_ms));
    // By all theorems that is not decided.
    assert_eq!(both.least_monotonic, Some(both.cost));
    assert!(both.least <= both.cost);
}

/// One kind takes more than the other, and so does one order: the bound is that of the lesser.
#[test]
fn the_bound_is_that_of_what_takes_least() {
    let task = "wcet = \"1ms\"\nperiod = \"20ms\"";
    let kinds = "server = [\"deferrable\", \"polling\"]\nperiod = \"4ms\"\npriority = 1";
    let of_kinds = format!("version = 1\n{CORE}{}", server("a", kinds, task));
    let ordered = "server = \"deferrable\"\nperiod = \"5ms\"\npriority = \"?\"";
    let urgent = "wcet = \"1ms\"\nperiod = \"20ms\"\ndeadline = \"9ms\"";
    let [a, b] = [server("a", ordered, task), server("b", ordered, urgent)];
    for text in [of_kinds, format!("version = 1\n{CORE}{a}{b}")] {
        let found = designed(&text);
        assert_eq!((found.optimality(), found.least), (Optimality::Optimal, found.cost), "{text}");
    }
}

/// Where switching takes time, the bound comes from each server alone without: the least over its periods.
#[test]
fn the_bound_is_that_of_the_period_that_takes_least() {
    let costs = "[costs]\ncontext-switch = \"1us\"\n";
    let keys = "server = \"deferrable\"\nperiod = [\"2ms\", \"7ms\", \"10ms\"]\npriority = 1";
    let task = "wcet = \"1ms\"\nperiod = \"20ms\"\ndeadline = \"12ms\"";
    let found = designed(&format!("version = 1\n{costs}{CORE}{}", server("a", keys, task)));
    assert!(found.least <= found.cost, "{:?} {:?}", found.least, found.cost);
}

/// By priority, and none of whose servers is bounded by less than the monotonic bounds say: one order takes more.
fn ordered() -> String {
    let keys = "server = \"periodic\"\nperiod = \"5ms\"\npriority = \"?\"";
    let lax = server("a", keys, "wcet = \"1ms\"\nperiod = \"20ms\"");
    let urgent = server("b", keys, "wcet = \"1ms\"\nperiod = \"20ms\"\ndeadline = \"9ms\"");
    format!("version = 1\n{CORE}{lax}{urgent}")
}

#[test]
fn of_orders_the_monotonic_bound_is_the_least_too() {
    let found = designed(&ordered());
    assert_eq!((found.least_monotonic, found.least), (Some(found.cost), found.cost));
}

/// The first kinds take more than the others.
fn kinds() -> String {
    let keys = "server = [\"periodic\", \"deferrable\"]\nperiod = \"5ms\"\n";
    let task = "wcet = \"1ms\"\nperiod = \"20ms\"\ndeadline = \"11ms\"";
    let [a, b] = [("a", 2), ("b", 1)]
        .map(|(name, priority)| server(name, &format!("{keys}priority = {priority}"), task));
    format!("version = 1\n{CORE}{a}{b}")
}

/// What was not looked at before the end was wanted may take nothing.
#[test]
fn a_search_that_is_interrupted_bounds_nothing_else() {
    thread_local!(static LEFT: std::cell::Cell<u32> = const { std::cell::Cell::new(0) });
    let is_end_wanted = || LEFT.with(|left| left.replace(left.get().saturating_sub(1)) == 0);
    for text in [ordered(), kinds()] {
        let best = designed(&text);
        let (mut less, mut same) = (0, 0);
        for later in (0..60).chain((60..2_000).step_by(61)) {
            LEFT.set(later);
            let mut open = read_open(text.clone(), Format::Toml, |_| Err("none".into())).unwrap();
            match design(&mut open, Limits { is_end_wanted, ..Limits::default() }) {
                Answer::Design(found) => {
                    assert!(found.least <= best.cost, "{later}: {:?}\n{text}", found.least);
                    let is_best = found.cost == best.cost;
                    assert!(is_best || found.optimality() == Optimality::Within, "{later}\n{text}");
                    *if is_best { &mut same } else { &mut less } += 1;
                }
                Answer::Absent(absence) => {
                    assert!(
                        matches!(absence, Absence::NotFound { .. }),
                        "{later}: {absence:?}\n{text}"
                    );
                }
            }
        }
        assert!(less > 0 && same > 0, "{less} {same}\n{text}");
    }
}
