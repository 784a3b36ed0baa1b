//! The bound on the tail beside the exact distribution of the first jobs, and by hand.

use super::*;
use crate::ground::Effort;
use proptest::prelude::*;
use vorrang_time::Duration;

fn of(weights: &[(u32, u32)]) -> Distribution {
    let times: Vec<_> = weights.iter().map(|&(c, w)| (Duration::from_ns(c.into()), w)).collect();
    Distribution::new(&times, Duration::RESOLUTION).unwrap()
}

/// The weights of all values of `w` after `jobs` jobs, each of total weight `total^jobs`.
fn exact(weights: &[(u32, u32)], served: u32, jobs: u32) -> Vec<u128> {
    let mut at = vec![1_u128];
    for _ in 0..jobs {
        let longest = weights.iter().map(|&(c, _)| c).max().unwrap();
        let mut next = vec![0; at.len() + longest as usize];
        for (w, &weight) in (0..).zip(&at) {
            for &(c, times) in weights {
                next[(w + c).saturating_sub(served) as usize] += weight * u128::from(times);
            }
        }
        at = next;
    }
    at
}

/// The exact tail after so many jobs, rounded up like the bound.
fn exact_tail(weights: &[(u32, u32)], served: u32, jobs: u32, x: u32) -> Probability {
    let total: u128 = weights.iter().map(|&(_, weight)| u128::from(weight)).sum();
    let part: u128 = exact(weights, served, jobs).iter().skip(x as usize).sum();
    let (mut part, mut whole) = (part, total.pow(jobs));
    while whole > u128::from(u64::MAX) {
        (part, whole) = (part >> 1, whole >> 1);
    }
    Probability::ratio_ceil(u64::try_from(part).unwrap(), u64::try_from(whole).unwrap())
}

proptest! {
    #[test]
    fn no_job_finds_more_than_the_bound_says(
        weights in proptest::collection::vec((0_u32..9, 1_u32..4), 1..4),
        served in 1_u32..7,
        jobs in 1_u32..12,
    ) {
        let cost = of(&weights);
        let Ok(backlog) = Backlog::new(&cost, served.into(), &Effort::default()) else {
            let (mut work, mut total) = (0, 0);
            for &(c, weight) in &weights {
                work += c * weight;
                total += weight;
            }
            prop_assert!(work >= served * total, "no bound although the mean is below {served}");
            return Ok(());
        };
        for x in 1..20 {
            prop_assert!(exact_tail(&weights, served, jobs, x) <= backlog.at_least(x.into()));
        }
    }
}

#[test]
fn the_bound_is_reached_in_the_long_run() {
    let weights = [(1, 3), (4, 1)];
    let backlog = Backlog::new(&of(&weights), 3, &Effort::default()).unwrap();
    for x in 1..12 {
        let exact = exact_tail(&weights, 3, 60, x).per_trillion_ceil();
        let bound = backlog.at_least(x.into()).per_trillion_ceil();
        assert!(exact <= bound && bound - exact <= 1_000_000 + bound / 100, "{x}: {exact} {bound}");
    }
}

/// Whatever is left of the effort, the tail stays a bound; with more it is sharper.
#[test]
fn less_effort_makes_a_bound_longer_and_no_less_one() {
    let weights = [(0, 2), (5, 1)];
    let bounds = [0, 500, 1_000_000].map(|terms| {
        let backlog = Backlog::new(&of(&weights), 3, &Effort::in_all(terms)).unwrap();
        (1..12).map(|x| backlog.at_least(x)).collect::<Vec<_>>()
    });
    let exact = (1..12).map(|x| exact_tail(&weights, 3, 60, x));
    assert!(exact.zip(&bounds[2]).all(|(exact, bound)| exact <= *bound));
    for pair in bounds.windows(2) {
        assert!(pair[0].iter().zip(&pair[1]).all(|(less, more)| less >= more), "{bounds:?}");
        assert_ne!(pair[0], pair[1]);
    }
}

/// Up or down by one: the stationary tail is (p/q)^x, and the exponential bound is already it.
#[test]
fn a_simple_walk_has_a_geometric_tail() {
    let backlog = Backlog::new(&of(&[(0, 2), (2, 1)]), 1, &Effort::default()).unwrap();
    for x in 1..20 {
        let exact = Probability::ratio_ceil(1, 1 << x).per_trillion_ceil();
        let bound = backlog.at_least(x).per_trillion_ceil();
        assert!(exact <= bound && bound <= exact + 100, "{x}: {exact} {bound}");
    }
}

#[test]
fn at_the_edge_there_is_no_bound() {
    assert!(Backlog::new(&of(&[(0, 1), (2, 1)]), 1, &Effort::default()).is_err());
    assert!(Backlog::new(&of(&[(0, 1), (3, 1)]), 1, &Effort::default()).is_err());
    assert!(Backlog::new(&of(&[(0, 10_001), (2, 9_999)]), 1, &Effort::default()).is_ok());
}

#[test]
fn short_jobs_are_never_late() {
    let cost = of(&[(3, 1), (4, 1)]);
    let ns = Duration::from_ns;
    let alone = Reservation::new(cost, ns(10), ns(4), ns(10), &Effort::default()).unwrap();
    assert_eq!(alone.later_than(ns(9)), Probability::ONE);
    assert_eq!(alone.later_than(ns(10)), Probability::ZERO);
    let alone = alone.released_within(ns(3));
    assert_eq!(alone.later_than(ns(12)), Probability::ONE);
    assert_eq!(alone.later_than(ns(13)), Probability::ZERO);
    assert_eq!(alone.later_than(ns(2)), Probability::ONE);
}

/// In a server (2, 10) a job every 15 that takes 1 or 5: one whole period between two arrivals
/// serves 2, less than the mean; the bandwidth 3.
#[test]
fn parts_of_periods_count() {
    let ns = Duration::from_ns;
    assert!(Backlog::new(&of(&[(1, 2), (5, 1)]), 2, &Effort::default()).is_err());
    let alone =
        Reservation::new(of(&[(1, 2), (5, 1)]), ns(15), ns(2), ns(10), &Effort::default()).unwrap();
    assert_eq!(alone.backlog().1, Served::Bandwidth);
    assert!(alone.later_than(ns(500)) < Probability::ratio_ceil(1, 1_000_000));
    // Alone it takes up to ceil(5 / 2) periods: more often than one in three is not excluded below.
    assert!(alone.later_than(ns(29)) >= Probability::ratio_ceil(1, 3));
}

/// Arrivals closer than a period are served by the bandwidth alone.
#[test]
fn arrivals_may_be_closer_than_a_period() {
    let ns = Duration::from_ns;
    let alone =
        Reservation::new(of(&[(1, 9), (2, 1)]), ns(4), ns(5), ns(10), &Effort::default()).unwrap();
    assert_eq!(alone.later_than(ns(12)), Probability::ZERO);
    assert_eq!(alone.later_than(ns(11)), Probability::ratio_ceil(1, 10));
    assert_eq!(alone.later_than(ns(9)), Probability::ONE);
}

#[test]
fn the_step_divides_all_or_is_short() {
    let ns = Duration::from_ns;
    assert_eq!(Distribution::step_for(&[(ns(400), 1), (ns(1_000), 1)], ns(600)), ns(200));
    let step = Distribution::step_for(&[(ns(1_000_003), 1)], ns(600_000));
    assert_eq!(step, ns(600_000 / 614));
    assert_eq!(Distribution::step_for(&[(ns(1_000_003), 1)], ns(7)), ns(7));
}

#[test]
fn a_budget_smaller_than_a_step_serves_nothing() {
    let cost = Distribution::new(&[(Duration::from_ns(7), 1)], Duration::from_ns(5)).unwrap();
    assert_eq!(cost.longest(), 2);
    let period = Duration::from_ns(100);
    assert!(
        Reservation::new(cost, period, Duration::from_ns(4), period, &Effort::default()).is_err()
    );
}

#[test]
fn what_is_no_distribution_is_refused() {
    let ns = Duration::from_ns;
    assert_eq!(Distribution::new(&[], ns(1)), Err(NoDistribution::Empty));
    assert_eq!(Distribution::new(&[(ns(1), 0)], ns(1)), Err(NoDistribution::Empty));
    assert_eq!(Distribution::new(&[(ns(1), 1)], ns(0)), Err(NoDistribution::NoStep));
    assert_eq!(Distribution::new(&[(ns(5000), 1)], ns(1)), Err(NoDistribution::TooLong));
}

#[test]
fn probabilities_read_as_decimals() {
    assert_eq!(Probability::ONE.to_string(), "1");
    assert_eq!(Probability::ZERO.to_string(), "0");
    assert_eq!(Probability::ratio_ceil(1, 4).to_string(), "0.25");
    assert_eq!(Probability::ratio_ceil(1, 3).to_string(), "0.333333333334");
}
