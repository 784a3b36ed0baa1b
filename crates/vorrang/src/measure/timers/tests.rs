//! The page of jobs that are made up.

use super::*;
use vorrang_measure::timers::{Expiry, Sample};
use vorrang_verdict::identity::TOOL;

fn samples(load: Load, cost_ns: f64) -> Vec<Sample> {
    let sample = |index: usize| {
        let expiries = load.timers / 50 + usize::from(load.timers > 0) * (index % 2);
        let took_ns = 200_000.0 + cost_ns * u16::try_from(expiries).map_or(0.0, f64::from);
        Sample { response_ns: took_ns + 8_000.0, took_ns, expiries, early: expiries }
    };
    (0..100).map(sample).collect()
}

fn measured(loads: &[Load]) -> Measured {
    let own: Vec<Vec<Sample>> = loads.iter().map(|load| samples(*load, 1_500.0)).collect();
    let outcome = |(load, own): (&Load, &Vec<Sample>)| Outcome::of(*load, own);
    Measured {
        outcomes: loads.iter().zip(&own).filter_map(outcome).collect(),
        expiries: Expiry::of(Way::Tasks, &[own.concat(), own.concat()]).into_iter().collect(),
        rounds: 2,
        conditions: vec![("kernel", "6.18".to_owned())],
        remarks: vec!["No CPU is isolated.".to_owned()],
    }
}

#[test]
fn the_page_has_responses_by_load_and_the_cost_of_an_expiry() {
    let loads = [0, 1, 1_000].map(|timers| Load { timers, way: Way::Tasks });
    insta::assert_snapshot!(page(&measured(&loads)).replace(TOOL, "TOOL"));
}

#[test]
fn without_expiries_there_is_no_cost() {
    let page = page(&measured(&[Load { timers: 0, way: Way::Tasks }]));
    assert!(page.contains("cost of an expiry is not known"), "{page}");
}

#[test]
fn a_job_leaves_time_for_others() {
    assert!(job("800us").is_ok() && job("801us").is_err() && job("0s").is_err());
    assert!(way("timerfds").is_ok() && way("files").is_err());
}
