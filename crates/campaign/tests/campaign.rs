//! A small campaign, as CI runs a large one.

use std::num::NonZeroU64;
use std::process::Command;
use vorrang_campaign::campaign::run;
use vorrang_campaign::check::Effort;
use vorrang_campaign::coverage::Coverage;
use vorrang_campaign::generate;
use vorrang_campaign::peer::compare::{Subject, compare};
use vorrang_campaign::tally::CHAINS;

#[test]
fn three_hundred_systems_agree() {
    let tally = run(20, 0..300, &Effort::quick(), |_, _| {});
    assert!(tally.violations.is_empty(), "{:?}", tally.violations);
    assert_eq!(tally.coverage.of(("system", "all")), 300);
    // Or the campaign would compare next to nothing; half of the systems have no bound.
    assert!(tally.bounded_tasks * 6 > tally.tasks, "{} of {}", tally.bounded_tasks, tally.tasks);
    assert_eq!(tally.checks.unsearched, 0);
    let named = tally.checks.named().into_iter();
    for (name, count) in named.filter(|(name, _)| ![UNSEARCHED, CHAINS].contains(name)) {
        assert!(count > 0, "{name}: none");
    }
}

/// Checks that only a brief campaign omits.
const UNSEARCHED: &str = "systems without a bound, not searched";

#[test]
fn a_brief_campaign_makes_every_check_now_and_then() {
    let tally = run(20, 0..1_100, &Effort::brief(), |_, _| {});
    assert!(tally.violations.is_empty(), "{:?}", tally.violations);
    for (name, count) in tally.checks.named().into_iter().filter(|(name, _)| *name != CHAINS) {
        assert!(count > 0, "{name}: none");
    }
}

/// The features that every campaign must have drawn, by group and name.
const FEATURES: &[(&str, &str)] = &[
    ("core", "fixed priority"),
    ("core", "edf"),
    ("core", "slots"),
    ("core", "linux"),
    ("core", "round-robin"),
    ("core", "weighted-round-robin"),
    ("core", "stride"),
    ("core", "vtrr"),
    ("guest", "linux"),
    ("guest", "round-robin"),
    ("guest", "weighted-round-robin"),
    ("guest", "stride"),
    ("guest", "vtrr"),
    ("server on a core with fixed priority", "polling"),
    ("server on a core with fixed priority", "posix-sporadic"),
    ("server on a core with fixed priority", "refill-queue"),
    ("server on a core with edf", "polling"),
    ("server on a core with edf", "cbs-soft"),
    ("server on a core with edf", "sched-deadline"),
    ("server on a core with linux", "sched-deadline"),
    ("server on a core with linux", "periodic"),
    ("server on a core with turns", "share"),
    ("server in a guest with fixed priority", "polling"),
    ("server in a guest with fixed priority", "posix-sporadic"),
    ("server in a guest with edf", "cbs-soft"),
    ("server in a guest with edf", "sched-deadline"),
    ("server in a guest with linux", "sched-deadline"),
    ("server in a guest with turns", "share"),
    ("server", "that reclaims"),
    ("server", "with a deadline of its own"),
    ("server", "virtual processor"),
    ("server", "of SCHED_OTHER"),
    ("task is activated by", "an interrupt"),
    ("task is activated by", "a timer"),
    ("task is activated by", "a device"),
    ("order of interrupts", "first-come"),
    ("order of interrupts", "priority"),
    ("order of interrupts", "nested"),
    ("interrupt", "that storms"),
    ("interrupt", "that wakes a task"),
    ("interrupt", "delivered to a guest"),
    ("delivered to", "posix-sporadic"),
    ("delivered to", "share"),
    ("pseudo-vcpu", "arrival"),
    ("pseudo-vcpu", "deferrable"),
    ("pseudo-vcpu", "released"),
    ("pseudo-vcpu", "at the ceiling"),
    ("pseudo-vcpu", "with a priority"),
    ("timer", "hrtimer"),
    ("timer", "timershield"),
    ("timer", "that wakes"),
    ("packets", "periodic"),
    ("packets", "burst"),
    ("packets", "poisson"),
    ("packets", "line rate"),
    ("device", "with a receiver"),
    ("device", "without a receiver"),
    ("device", "that waits for several packets"),
    ("device", "that waits for a time"),
    ("cache", "flood"),
    ("cache", "exponential"),
    ("cost", "scheduler call"),
    ("cost", "context switch"),
    ("cost", "timer expiry"),
    ("cost", "interrupt entry"),
    ("cost", "interrupt exit"),
    ("cost", "vm exit"),
    ("cores", "two"),
    ("guest", "fixed priority"),
    ("guest", "edf"),
    ("server on a core with fixed priority", "periodic"),
    ("server on a core with fixed priority", "deferrable"),
    ("server on a core with fixed priority", "sporadic"),
    ("server on a core with edf", "periodic"),
    ("server on a core with edf", "deferrable"),
    ("server on a core with edf", "cbs-hard"),
    ("server on a core with slots", "slot"),
    ("server in a guest with fixed priority", "periodic"),
    ("server in a guest with fixed priority", "deferrable"),
    ("server in a guest with fixed priority", "sporadic"),
    ("server in a guest with edf", "periodic"),
    ("server in a guest with edf", "deferrable"),
    ("server in a guest with edf", "cbs-hard"),
    ("server", "with the whole period"),
    ("server at depth", "3"),
    ("members", "mixed"),
    ("task at depth", "0 (core)"),
    ("task at depth", "3"),
    ("task's deadline", "none (best effort)"),
    ("task's deadline", "shorter than the period"),
    ("task's deadline", "longer than the period"),
    ("task's jitter", "up to the period"),
    ("task's jitter", "longer than the period"),
    ("task's blocking", "some"),
    ("task's priority", "shared"),
    ("task's period", "shorter than its server's"),
    ("interrupt", "up to the period"),
    ("interrupt", "longer than the period"),
    ("load of the first core", "100 %"),
    ("load of the first core", "above 100 %"),
];

#[test]
fn every_covered_feature_is_drawn() {
    let mut coverage = Coverage::default();
    for index in 0..5_000 {
        coverage.add(&generate::system(1, index));
    }
    for &feature in FEATURES {
        assert!(coverage.of(feature) >= 5, "{feature:?}: {}", coverage.of(feature));
    }
}

/// What `--shielded-one-in` draws: shields that calls of the scheduler and longest deferrals matter to, with bounds.
#[test]
fn shields_are_drawn_where_they_are_asked_for() {
    let every = NonZeroU64::new(1);
    let effort = Effort { shielded_one_in: every, designed_one_in: u64::MAX, ..Effort::quick() };
    let tally = run(3, 1..150, &effort, |_, _| {});
    assert!(tally.violations.is_empty(), "{:?}", tally.violations);
    let of = |feature| tally.coverage.of(feature);
    assert!(of(("shield", "all")) >= of(("system", "all")));
    assert!(of(("shield", "beside calls of the scheduler")) * 3 > of(("shield", "all")) * 2);
    assert!(of(("shield", "with max-defer")) * 4 > of(("shield", "all")));
    for beside in [
        "beside several routines",
        "beside a pseudo-VCPU",
        "beside calls and a pseudo-VCPU",
        "beside sections",
    ] {
        assert!(of(("shield", beside)) >= 5, "{beside}: {}", of(("shield", beside)));
    }
    assert!(tally.bounded_tasks * 3 > tally.tasks, "{} of {}", tally.bounded_tasks, tally.tasks);
}

/// What `--chained-one-in` draws: chains over cores, of which many have a bound that histories are compared with.
#[test]
fn chains_are_drawn_where_they_are_asked_for() {
    let every = NonZeroU64::new(1);
    let effort = Effort { chained_one_in: every, designed_one_in: u64::MAX, ..Effort::quick() };
    let tally = run(3, 0..40, &effort, |_, _| {});
    assert!(tally.violations.is_empty(), "{:?}", tally.violations);
    let compared = tally.checks.chains_against_search;
    assert!(compared >= 10, "{compared}");
    assert!(tally.checks.texts >= 1, "{}", tally.checks.texts);
    let over_cores = (0..40).filter(|&index| effort.system(3, index).cores().count() > 1);
    assert!(over_cores.count() > 20);
}

#[test]
fn a_published_crate_gives_the_same_response_times() {
    for subject in Subject::ALL {
        let edf = matches!(subject, Subject::EdfSets | Subject::EdfGeneral);
        let comparison = compare(subject, 3, if edf { 10 } else { 100 });
        assert!(comparison.different.is_empty(), "{}: {:?}", subject.name(), comparison.different);
        assert!(comparison.equal * 10 > comparison.tasks * 9, "{}", subject.name());
    }
}

/// A part that begins behind the end has no system, which is not "no violation".
#[test]
fn a_part_without_a_system_is_an_error() {
    for arguments in
        [&["--systems", "10", "--from", "10"][..], &["--exhaustive", "5", "--from", "7"]]
    {
        let run = Command::new(env!("CARGO_BIN_EXE_vorrang-campaign")).args(arguments).output();
        let run = run.expect("it runs");
        assert_eq!(run.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&run.stderr).contains("there is no system"), "{run:?}");
    }
}
