//! Switches, timers and latencies get into a profile, come back, and are compared by their names.

use super::*;
use crate::cache::KINDS;
use crate::latency::tally::Tally;
use crate::latency::timerlat::{self, Split};
use crate::latency::{self, Outcome};
use crate::switch::{self, Point, Sample};
use crate::timers::{self, Expiry, Load, Way};

const CONDITIONS: [(&str, &str); 1] = [("kernel", "6.18")];

fn conditions() -> Vec<Condition> {
    CONDITIONS.map(|(name, value)| (name, value.to_owned())).into()
}

fn switches(indirect_ns: f64) -> switch::Measured {
    let sample = |step: u32| Sample {
        handover_ns: 1_500.0,
        calls_ns: 500.0,
        after_ns: 900.0 + indirect_ns + f64::from(step),
        hot_ns: 950.0,
    };
    let samples: Vec<Sample> = (0..100).map(sample).collect();
    let of = |own_bytes, other_bytes| {
        switch::Outcome::of(Point { own_bytes, other_bytes }, &samples).expect("whole rounds")
    };
    let outcomes = vec![of(0, 0), of(65_536, 65_536), of(65_536, 1 << 20)];
    let (conditions, remarks) = (conditions(), Vec::new());
    switch::Measured { means: "pipe", kind: KINDS[0], outcomes, conditions, remarks }
}

fn timers() -> timers::Measured {
    let sample = |expiries: usize| timers::Sample {
        response_ns: 208_000.0,
        took_ns: 200_000.0 + 1_500.0 * expiries as f64,
        expiries,
        early: expiries,
    };
    let samples: Vec<timers::Sample> = (0..40).map(|index| sample(index % 4)).collect();
    let outcome = |timers| timers::Outcome::of(Load { timers, way: Way::Timerfds }, &samples);
    timers::Measured {
        outcomes: [outcome(0), outcome(50)].into_iter().flatten().collect(),
        expiries: Expiry::of(Way::Timerfds, std::slice::from_ref(&samples)).into_iter().collect(),
        rounds: 1,
        conditions: conditions(),
        remarks: Vec::new(),
    }
}

fn tally(latencies_ns: &[u64]) -> Tally {
    let mut tally = Tally::default();
    for ns in latencies_ns {
        tally.record(*ns);
    }
    tally
}

fn latencies() -> latency::Measured {
    let thread = |latencies_ns: &[u64]| Outcome {
        id: 7,
        cpu: 0,
        priority: 80,
        interval_us: 1_000,
        tally: tally(latencies_ns),
        overflows: Vec::new(),
    };
    // A thread that was stopped before it woke has no number.
    let threads = vec![thread(&[1_500, 2_500, 40_000]), thread(&[])];
    latency::Measured { threads, broken: None, conditions: conditions(), remarks: Vec::new() }
}

fn names(profile: &Profile, verb: &str) -> Vec<String> {
    let section = profile.sections.iter().find(|section| section.verb == verb);
    section.expect("measured").numbers.iter().map(|(name, _)| name.clone()).collect()
}

/// What is written has fewer decimals than what was measured; what was read writes the same bytes.
fn reads_back(profile: &Profile) {
    let text = profile.to_string();
    let read: Profile = text.parse().expect("a profile");
    assert_eq!(read.to_string(), text);
    for section in &read.sections {
        assert_eq!(section.conditions[0], ("kernel".to_owned(), "6.18".to_owned()));
    }
}

#[test]
fn each_verb_has_its_section() {
    let mut profile = Profile::default();
    profile.replace_switches(&switches(-20.0));
    profile.replace_timers(&timers());
    profile.replace_latencies(&latencies());
    let indirect = ["indirect-write-64k", "indirect-write-64k-after-1m"];
    assert_eq!(names(&profile, "switch")[..2], ["direct-pipe", "handover-pipe"]);
    assert_eq!(names(&profile, "switch")[2..], indirect);
    let responses = ["response-alone", "response-timerfds-50", "expiry-timerfds"];
    assert_eq!(names(&profile, "timers"), responses);
    assert_eq!(names(&profile, "latency"), ["wake-up-thread-0"]);
    reads_back(&profile);
    // Below zero stays below zero on the way.
    let text = profile.to_string();
    let below = text.lines().find(|line| line.starts_with("indirect-write-64k ")).expect("there");
    assert!(below.contains("min-ns = -70.000"), "{below}");
    let expiry = text.lines().find(|line| line.starts_with("expiry-timerfds ")).expect("there");
    assert!(expiry.contains("median-ns = 1500.0") && expiry.contains("residual-ns = 0.000"));
}

#[test]
fn what_the_kernel_split_replaces_what_threads_saw() {
    let mut profile = Profile::default();
    profile.replace_latencies(&latencies());
    let split = Split { irq: tally(&[900]), thread: tally(&[11_700, 9_000]) };
    let measured = timerlat::Measured { cpus: [(3, split)].into(), broken: None };
    profile.replace_split_latencies(&measured, &conditions());
    assert_eq!(names(&profile, "latency"), ["interrupt-cpu-3", "thread-cpu-3"]);
    reads_back(&profile);
}

#[test]
fn a_switch_that_moved_beyond_its_spread_has_moved() {
    let profile = |indirect_ns| {
        let mut profile = Profile::default();
        profile.replace_switches(&switches(indirect_ns));
        profile
    };
    let moved = |after: f64| -> Vec<String> {
        let changes = compare(&profile(-20.0), &profile(after));
        changes.into_iter().filter(Change::is_beyond_noise).map(|change| change.name).collect()
    };
    assert!(moved(-20.0).is_empty() && moved(10.0).is_empty());
    let indirect = ["switch.indirect-write-64k", "switch.indirect-write-64k-after-1m"];
    assert_eq!(moved(500.0), indirect);
}
