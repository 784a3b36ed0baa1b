//! Designs of cores that a path of wake-ups, an interrupt or a chain connects: beside every choice there is, and kept
//! limits of chains.

use vorrang_analysis::{bounds, chain_bound};
use vorrang_design::{Absence, Answer, Design, Limits, accepts, design};
use vorrang_model::{Chosen, Format, Open, System, read_open};
use vorrang_time::Duration;

fn open(text: &str) -> Open {
    read_open(text, Format::Toml, |_| Err("none".into()))
        .unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

fn found(text: &str) -> Design {
    match design(&mut open(text), Limits::for_cores(2)) {
        Answer::Design(found) => *found,
        Answer::Absent(absence) => panic!("{absence:?} of\n{text}"),
    }
}

/// Each core with one server, by priority.
fn servers(budgets: [&str; 2]) -> String {
    let of = |(core, budget): (usize, &str)| {
        format!(
            "[core.{core}]\nscheduler = \"fixed-priority\"\n[server.s{core}]\non = \"core.{core}\"\n\
             server = \"deferrable\"\nperiod = \"4ms\"\npriority = 9\nbudget = {budget}\n"
        )
    };
    let both: String = budgets.into_iter().enumerate().map(of).collect();
    format!("version = 1\n{both}")
}

const OPEN: &str = "{ from = \"200us\", to = \"4ms\", step = \"200us\" }";

fn woken(deadline: &str) -> String {
    format!(
        "[task.first]\non = \"server.s0\"\nwcet = \"600us\"\nperiod = \"20ms\"\npriority = 2\n\
         wakes = [\"task.last\"]\n\
         [task.last]\non = \"server.s1\"\nwcet = \"900us\"\npriority = 2\ndeadline = \"{deadline}\"\n"
    )
}

/// All pairs of budgets of a description with both open that the analysis accepts, in steps of 200 us.
fn accepted(text: &str) -> Vec<(u64, u64)> {
    let mut all = open(text);
    let mut accepted = Vec::new();
    for one in 1..=20 {
        for other in 1..=20 {
            let time = |steps| Chosen::Time(Duration::from_us(200 * steps));
            let system = all.resolve(&[time(one), time(other)]).expect("they fit together");
            if accepts(&system) {
                accepted.push((one, other));
            }
        }
    }
    accepted
}

fn budgets(system: &System) -> (u64, u64) {
    let of = |name: &str| {
        let own = system.supplies.iter().find(|supply| supply.name == name).unwrap();
        own.server().unwrap().budget.as_ns() / 200_000
    };
    (of("server.s0"), of("server.s1"))
}

/// A thread wakes one on another core, and only one of the budgets is open.
#[test]
fn one_budget_on_a_path_over_two_cores_is_the_least() {
    let text = servers(["\"4ms\"", OPEN]) + &woken("5ms");
    let found = found(&text);
    assert!(accepts(&found.system));
    let mut open = open(&text);
    let mut least = (1..=20).filter(|&steps| {
        let chosen = [Chosen::Time(Duration::from_us(200 * steps))];
        accepts(&open.resolve(&chosen).expect("it fits together"))
    });
    assert_eq!(Some(budgets(&found.system).1), least.next());
}

#[test]
fn budgets_of_cores_on_one_path_are_accepted_together() {
    for deadline in ["3ms", "8ms", "12ms"] {
        let text = servers([OPEN, OPEN]) + &woken(deadline);
        let all = accepted(&text);
        let found = found(&text);
        let own = budgets(&found.system);
        assert!(all.contains(&own), "{deadline}: {own:?} of {all:?}");
        let least = all.iter().map(|(one, other)| one + other).min().unwrap();
        assert!(own.0 + own.1 <= least + 3, "{deadline}: {own:?}, and {least} is accepted");
    }
}

/// No budgets hold, and none are said to.
#[test]
fn what_no_budget_keeps_is_not_designed() {
    let text = servers([OPEN, OPEN]) + &woken("1200us");
    assert_eq!(accepted(&text), []);
    let answer = design(&mut open(&text), Limits::for_cores(2));
    let is_absent =
        matches!(answer, Answer::Absent(Absence::Impossible { .. } | Absence::NotFound { .. }));
    assert!(is_absent);
}

fn chained(limit: &str) -> String {
    let task = |name: &str, on: &str| {
        format!(
            "[task.{name}]\non = \"server.{on}\"\nwcet = \"600us\"\nperiod = \"20ms\"\n\
             latest-interarrival = \"20ms\"\npriority = 2\n"
        )
    };
    let both = task("first", "s0") + &task("last", "s1");
    let chain =
        format!("[chain.x]\npath = [\"task.first\", \"task.last\"]\nreaction = \"{limit}\"\n");
    servers([OPEN, OPEN]) + &both + &chain
}

/// What the chain allows costs budgets, though each deadline holds with less.
#[test]
fn budgets_keep_the_limit_of_a_chain_over_two_cores() {
    let loose = found(&chained("200ms"));
    for limit in ["60ms", "48ms", "43ms"] {
        let text = chained(limit);
        let found = found(&text);
        let system = &found.system;
        let bound = chain_bound(system, &bounds(system), &system.chains[0]).found.unwrap();
        assert!(Some(bound) <= system.chains[0].reaction, "{limit}: {bound}");
        let own = budgets(system);
        let all = accepted(&text);
        assert!(all.contains(&own), "{limit}: {own:?} of {all:?}");
    }
    let strict = budgets(&found(&chained("43ms")).system);
    let loose = budgets(&loose.system);
    assert!(strict.0 + strict.1 > loose.0 + loose.1, "{strict:?} {loose:?}");
}

/// A chain that no budget keeps is said to have no design, or none is found.
#[test]
fn a_chain_that_no_budget_keeps_has_no_design() {
    let text = chained("41ms");
    assert_eq!(accepted(&text), []);
    assert!(matches!(design(&mut open(&text), Limits::for_cores(2)), Answer::Absent(_)));
}
