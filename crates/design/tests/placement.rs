//! Servers on several cores: all placements where they are few, one that is spread evenly where they are
//! many.

use std::fmt::Write as _;
use vorrang_design::{
    Answer, Design, Limits, Objective, Optimality, Weights, accepts, design, design_for,
};
use vorrang_model::{Chosen, Format, read_open};

/// Servers of one task each, with this work in every 10 ms, on any of some EDF cores.
fn system(cores: u64, works: &[u64]) -> String {
    let mut text = "version = 1\n".to_owned();
    for core in 0..cores {
        writeln!(text, "[core.{core}]\nscheduler = \"edf\"").unwrap();
    }
    for (place, work) in works.iter().enumerate() {
        writeln!(
            text,
            "[server.s{place}]\non = \"?\"\nserver = \"cbs-hard\"\nbudget = \"?\"\n\
             period = [\"2ms\", \"5ms\", \"10ms\"]\n[task.t{place}]\non = \"server.s{place}\"\n\
             wcet = \"{work}us\"\nperiod = \"10ms\"\npriority = 1"
        )
        .unwrap();
    }
    text
}

fn designed(text: &str) -> Option<Design> {
    let mut open = read_open(text, Format::Toml, |_| Err("none".into())).unwrap();
    match design(&mut open, Limits::default()) {
        Answer::Design(found) => Some(*found),
        Answer::Absent(_) => None,
    }
}

#[test]
fn servers_that_do_not_fit_on_one_core_get_two() {
    let found = designed(&system(2, &[6_000, 6_000])).expect("one each");
    assert!(accepts(&found.system));
    let on =
        |name: &str| found.chosen.iter().filter(|own| **own == Chosen::On(name.into())).count();
    assert_eq!((on("core.0"), on("core.1")), (1, 1));
    assert_eq!(found.optimality(), Optimality::Optimal);
    assert!(designed(&system(2, &[6_000, 6_000, 6_000])).is_none());
}

#[test]
fn many_servers_are_spread_and_the_bound_holds() {
    let works = [5_000, 4_500, 4_000, 3_500, 3_000, 2_500, 2_000, 1_500];
    let found = designed(&system(4, &works)).expect("there is room");
    assert!(accepts(&found.system));
    // Alone each needs its work, and the core does not make it more.
    assert_eq!(found.optimality(), Optimality::Optimal);
    assert_eq!(found.cost.share().hundredths_ceil(), i128::from(works.iter().sum::<u64>()));
}

/// All would fit on the three cores that count nothing; some stand on the one that counts, which is not looked at.
#[test]
fn a_bound_counts_the_core_that_counts_least() {
    let works = [5_000, 4_500, 4_000, 3_500, 3_000, 2_500, 2_000, 1_500];
    let mut open = read_open(system(4, &works), Format::Toml, |_| Err("none".into())).unwrap();
    let weights = Weights::new(0, vec![("core.3".into(), 1)]).unwrap();
    let answer = design_for(&mut open, Limits::default(), &Objective::Least(weights));
    let Answer::Design(found) = answer else { panic!("there is room") };
    assert!(found.cost.share().hundredths_floor() > 0, "{:?}", found.cost);
    assert_eq!(found.least.share().hundredths_ceil(), 0);
    assert_eq!(found.optimality(), Optimality::Within);
}
