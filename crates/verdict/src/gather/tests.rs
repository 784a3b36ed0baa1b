//! What happens when bound and observation contradict each other, and what a witness is.

use super::*;
use crate::outcome::Verdict;
use crate::verdict::{decide, overall};
use vorrang_time::Instant;

const fn ms(ms: u64) -> Duration {
    Duration::from_ms(ms)
}

/// A core of which more is reserved than there is, as Linux counts it, is found where one of its servers
/// reclaims, and no other core.
#[test]
fn a_core_that_reclaims_more_than_there_is_is_found() {
    let server = |name: &str, core: u8, budget: &str, reclaim: bool| {
        format!(
            "[server.{name}]\non = \"core.{core}\"\nserver = \"sched-deadline\"\nbudget = \"{budget}\"\n\
             period = \"30ms\"\nreclaim = {reclaim}\n\
             [task.{name}]\non = \"server.{name}\"\nwcet = \"3ms\"\nperiod = \"30ms\"\n"
        )
    };
    let found = |last: &str, reclaim: bool| {
        let source = "version = 1\n[core.0]\nscheduler = \"edf\"\n[core.1]\nscheduler = \"edf\"\n"
            .to_owned()
            + &server("a", 0, "30ms", true)
            + &server("b", 1, "10ms", reclaim)
            + &server("c", 1, "10ms", false)
            + &server("d", 1, last, false);
        let system =
            vorrang_model::read(&source, vorrang_model::Format::Toml).expect("a description");
        let cores: Vec<SupplyId> = system.cores().collect();
        cores.into_iter().map(|core| overreserved(&system, core)).collect::<Vec<_>>()
    };
    assert_eq!(found("10ms", true), [None, None]);
    assert_eq!(found("10001us", true), [None, Some("core.1".to_owned())]);
    assert_eq!(found("10001us", false), [None, None]);
}

/// A system of one task, and what was seen of it.
fn seen(response: Duration) -> (System, Observations) {
    let source = "version = 1\n[core.0]\nscheduler = \"edf\"\n\
                  [task.x]\non = \"core.0\"\nwcet = \"3ms\"\nperiod = \"10ms\"\n";
    let system = vorrang_model::read(source, vorrang_model::Format::Toml).expect("a description");
    let pattern = vorrang_sim::Pattern::parse("synchronous", &system).expect("a pattern");
    let arrival = Instant::ZERO + ms(20);
    let worst = Worst { response, finished: true, pattern, arrival, miss: None };
    let observations = Observations {
        tasks: vec![Some(worst)],
        interrupts: Vec::new(),
        chains: Vec::new(),
        not_covered: Vec::new(),
        seed: 1,
        horizon: ms(100),
        omissions: Vec::new(),
        runs: [(SupplyId(0), 1)].into(),
    };
    (system, observations)
}

#[test]
fn an_observation_above_the_bound_is_a_bug_and_no_verdict() {
    let (system, observations) = seen(Duration::from_ns(3_000_001));
    let bounds = vorrang_analysis::bounds(&system);
    let found =
        decide(gather(&system, &bounds, &observations, || false)).expect_err("3 ms is the bound");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].name.as_str(), found[0].bound), ("task.x", ms(3)));
    assert_eq!(&*found[0].observed.pattern, "synchronous");
}

#[test]
fn an_observation_at_the_bound_is_none() {
    let (system, observations) = seen(ms(3));
    let bounds = vorrang_analysis::bounds(&system);
    let rulings = decide(gather(&system, &bounds, &observations, || false));
    let rulings = rulings.expect("no contradiction");
    assert_eq!(overall(&rulings, core::iter::empty()), Some(Verdict::Proven));
    assert_eq!(overall(&[], core::iter::empty()), None);
    assert_eq!((rulings[0].bound, rulings[0].limit), (Some(ms(3)), ms(10)));
}

#[test]
fn a_witness_is_the_first_miss_of_this_limit() {
    let (_, mut observations) = seen(ms(30));
    let worst = observations.tasks[0].as_mut().expect("seen");
    worst.miss = Some(vorrang_sim::Miss {
        pattern: worst.pattern.clone(),
        arrival: Instant::ZERO,
        deadline: Instant::ZERO + ms(10),
    });
    assert_eq!(Witness::of(worst, ms(10)).arrival, Instant::ZERO);
    // The first miss of another limit may keep this one; the slowest job does not.
    assert_eq!(Witness::of(worst, ms(15)).arrival, Instant::ZERO + ms(20));
}
