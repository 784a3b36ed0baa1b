//! Where the verdict turns, and what happens when bound and observation contradict.

use super::*;

const fn ms(ms: u64) -> Duration {
    Duration::from_ms(ms)
}

fn evidence(bound: Option<u64>, observed: Option<u64>) -> Evidence {
    Evidence {
        limit: ms(10),
        bound: bound.map(ms),
        observed: observed.map(ms),
        ..Evidence::default()
    }
}

#[test]
fn the_limit_itself_is_kept() {
    assert_eq!(evidence(Some(10), Some(10)).weigh(), (Verdict::Proven, None));
    assert_eq!(evidence(Some(11), Some(10)).weigh().0, Verdict::Undecided);
    assert_eq!(evidence(Some(11), Some(11)).weigh(), (Verdict::Refuted, None));
}

#[test]
fn one_side_is_enough_to_decide() {
    assert_eq!(evidence(Some(9), None).weigh().0, Verdict::Proven);
    assert_eq!(evidence(None, Some(12)).weigh().0, Verdict::Refuted);
    assert_eq!(evidence(None, None).weigh().0, Verdict::Undecided);
}

#[test]
fn undecided_names_both_numbers_and_both_gaps() {
    insta::assert_snapshot!(
        evidence(Some(12), Some(7)).weigh().1.expect("a reason").text,
        @"the bound 12ms is 2ms above the limit 10ms; the longest response seen, 7ms, is 3ms below it"
    );
}

#[test]
fn undecided_says_what_is_missing_on_either_side() {
    let evidence = Evidence {
        no_bound: Some((Cause::Overload, "on core.0, too much work arrives".to_owned())),
        not_simulated: Some("vcpu.a: polling servers are not simulated yet".to_owned()),
        ..evidence(None, None)
    };
    insta::assert_snapshot!(
        evidence.weigh().1.expect("a reason").text,
        @"no bound to compare with the limit 10ms: on core.0, too much work arrives; \
          no history was simulated: vcpu.a: polling servers are not simulated yet"
    );
}

#[test]
fn what_rests_on_reclaiming_refutes_nothing() {
    let reclaiming = Some("server.video".to_owned());
    let evidence = Evidence { reclaiming, ..evidence(None, Some(12)) };
    let (verdict, reason) = evidence.weigh();
    assert_eq!(verdict, Verdict::Undecided);
    insta::assert_snapshot!(
        reason.expect("a reason").text,
        @"the longest response seen, 12ms, is 2ms above the limit, but server.video reclaims there as much as the model allows, and kernels reclaim less"
    );
}

/// A server that reclaims is found on its own core, whoever has the requirement.
#[test]
fn a_server_that_reclaims_is_found_on_its_core() {
    let source = "version = 1\n[core.0]\nscheduler = \"linux\"\n[core.1]\nscheduler = \"linux\"\n\
                  [server.video]\non = \"core.1\"\nserver = \"sched-deadline\"\nbudget = \"3ms\"\n\
                  period = \"10ms\"\nreclaim = true\n\
                  [task.x]\non = \"server.video\"\nwcet = \"3ms\"\nperiod = \"10ms\"\n";
    let system = vorrang_model::read(source, vorrang_model::Format::Toml).expect("a description");
    let cores: Vec<SupplyId> = system.cores().collect();
    let found = cores.into_iter().map(|core| reclaiming(&system, core));
    assert_eq!(found.collect::<Vec<_>>(), [None, Some("server.video".to_owned())]);
}

#[test]
fn what_nothing_represents_outweighs_every_number() {
    for numbers in [(Some(9), Some(8)), (Some(11), Some(11))] {
        let evidence =
            Evidence { unrepresented: Some("x".to_owned()), ..evidence(numbers.0, numbers.1) };
        assert_eq!(evidence.weigh(), (Verdict::Undecided, Some(Why::unrepresented("x"))));
    }
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
        not_covered: Vec::new(),
        seed: 1,
        horizon: ms(100),
        omissions: Vec::new(),
        runs: 1,
    };
    (system, observations)
}

#[test]
fn an_observation_above_the_bound_is_a_bug_and_no_verdict() {
    let (system, observations) = seen(Duration::from_ns(3_000_001));
    let bounds = vorrang_analysis::bounds(&system);
    let found = decide(&system, &bounds, &observations).expect_err("3 ms is the bound");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].name.as_str(), found[0].bound), ("task.x", ms(3)));
    assert_eq!(found[0].observed.pattern, "synchronous");
}

#[test]
fn an_observation_at_the_bound_is_none() {
    let (system, observations) = seen(ms(3));
    let rulings = decide(&system, &vorrang_analysis::bounds(&system), &observations);
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
