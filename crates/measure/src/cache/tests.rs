//! The real machine: relations only, no times.

use super::*;
use std::time::Duration;

/// A plan that takes a moment: small floods, few sets.
fn plan(sets: &[usize]) -> Plan {
    let kind = Kind { order: walk::Order::Ascending, access: walk::Access::Write };
    let states = State::existing();
    let point =
        |set_bytes: usize| states.iter().map(move |state| Point { set_bytes, kind, state: *state });
    // Enough to displace sets from the caches of the core, wherever they are then.
    let flood_bytes = (2 * conditions::last_cache_bytes(0).unwrap_or(16 << 20)).min(64 << 20);
    let points = sets.iter().copied().flat_map(point).collect();
    Plan { points, flood_bytes, cpu: None, seed: 1, time: Duration::from_secs(2) }
}

fn loss(measured: &Measured, set_bytes: usize, state: State) -> f64 {
    let is_it = |of: &&Outcome| of.point.set_bytes == set_bytes && of.point.state == state;
    measured.outcomes.iter().find(is_it).expect("measured").loss.median
}

#[test]
fn cold_costs_more_than_warm_and_more_for_more() {
    let [small, large] = [16 << 10, 256 << 10];
    let measured = measure(&plan(&[small, large]), |_, _| true).unwrap();
    for state in [State::Dirty, State::Clean] {
        for set in [small, large] {
            assert!(loss(&measured, set, state) > loss(&measured, set, State::Warm));
        }
        assert!(loss(&measured, large, state) > loss(&measured, small, state));
    }
    // The two floods differ by the lines that must be written back. A busy bus may hide that, but not reverse
    // it by a third.
    assert!(loss(&measured, large, State::Dirty) * 1.5 > loss(&measured, large, State::Clean));
}

/// What a switch displaces is at most everything; of which sets it displaces something depends on the caches.
#[test]
fn a_switch_costs_more_than_none_and_no_more_than_everything_displaced() {
    let sets = [16 << 10, 32 << 10, 256 << 10, 1 << 20, 2 << 20];
    let measured = measure(&plan(&sets), |_, _| true).unwrap();
    let of = |set: usize, state: State| {
        let is_it = |of: &&Outcome| of.point.set_bytes == set && of.point.state == state;
        measured.outcomes.iter().find(is_it).expect("measured").loss
    };
    let is_displaced = |set: &usize| of(*set, State::Switched).low > of(*set, State::Warm).median;
    assert!(sets.iter().any(is_displaced), "{:?}", measured.outcomes);
    for set in sets {
        let [switched, dirty] = [State::Switched, State::Dirty].map(|state| of(set, state).median);
        assert!(
            switched < 1.5 * dirty,
            "{set}: {switched} after a switch, {dirty} beside dirty lines"
        );
    }
}

#[test]
fn there_are_rounds_enough_for_a_spread_and_what_takes_too_long_for_them_is_named() {
    let plan = Plan { time: Duration::from_millis(1), ..plan(&[4 << 10, 8 << 10]) };
    let measured = measure(&plan, |_, _| true).unwrap();
    assert_eq!(measured.rounds, ROUNDS as usize);
    let sets: Vec<usize> = measured.outcomes.iter().map(|of| of.point.set_bytes).collect();
    assert!(sets.iter().all(|set| *set == 4 << 10), "{sets:?}");
    assert!(measured.remarks.iter().any(|said| said.contains("Sets of 8k and more")));
}

#[test]
fn a_measurement_ends_when_it_is_told_to() {
    let mut told = 0;
    let plan = Plan { time: Duration::from_secs(3600), ..plan(&[4 << 10]) };
    let measured = measure(&plan, |_, rounds| {
        told += 1;
        rounds < 2
    });
    assert!(told > 2 && measured.unwrap().rounds >= 2);
}

#[test]
fn names_of_points_are_those_of_caches() {
    let names: Vec<_> = Plan::of(4 << 10, &KINDS[..1]).iter().map(Point::name).collect();
    assert_eq!(names.first().map(String::as_str), Some("write-2k-dirty"));
    assert_eq!(names.last().map(String::as_str), Some("write-4k-warm"));
    assert!(KINDS.iter().all(|kind| Kind::of_name(&kind.name()) == Some(*kind)));
    assert_eq!(plan::size(3 << 20), "3m");
}
