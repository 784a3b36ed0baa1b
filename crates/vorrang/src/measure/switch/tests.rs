//! The page of switches that are made up.

use super::*;
use vorrang_measure::cache::KINDS;
use vorrang_measure::switch::Sample;
use vorrang_verdict::identity::TOOL;

fn outcome(own_bytes: usize, other_bytes: usize, indirect_ns: f64) -> Outcome {
    let sample = |step: u32| Sample {
        handover_ns: 1_600.0 + f64::from(step),
        calls_ns: 600.0,
        after_ns: 900.0 + indirect_ns + f64::from(step),
        hot_ns: 900.0,
    };
    let mut samples: Vec<Sample> = (0..100).map(sample).collect();
    samples.push(Sample { hot_ns: 90_000.0, ..sample(0) });
    Outcome::of(Point { own_bytes, other_bytes }, &samples).expect("few are interrupted")
}

#[test]
fn the_page_has_distributions_on_both_sides_of_zero() {
    let sets = [(0, 0, 0.0), (64 << 10, 64 << 10, -30.0), (64 << 10, 4 << 20, 7_000.0)];
    let measured = Measured {
        means: "futex",
        kind: KINDS[0],
        outcomes: sets.map(|(own, other, indirect)| outcome(own, other, indirect)).into(),
        conditions: vec![("kernel", "6.18".to_owned())],
        remarks: vec!["No CPU is isolated.".to_owned()],
    };
    insta::assert_snapshot!(page(&measured).replace(TOOL, "TOOL"));
}

#[test]
fn zero_has_no_sign() {
    assert_eq!([-1.0, 0.0, -6.0, 1_234.5].map(us), ["0.00", "0.00", "-0.01", "1.23"]);
}
