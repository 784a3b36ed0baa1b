//! The service error: received time less that by the shares; positive: ahead.

use crate::driver::{all_kinds, join_all, quantum};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};
use std::collections::BTreeSet;
use vorrang_mechanisms::scheduler::turns::Turns;

/// The least and the greatest error of any member after any quantum of a cycle, in tenths of a
/// quantum, away from zero.
fn errors(turns: &mut impl Turns, shares: &[u32]) -> (i64, i64) {
    join_all(turns, shares.len());
    let sum: i64 = shares.iter().map(|&share| i64::from(share)).sum();
    let mut received = vec![0_i64; shares.len()];
    let mut range = (0, 0);
    for used in 1..=sum {
        received[usize::try_from(quantum(turns)).unwrap()] += 1;
        for (received, &share) in received.iter().zip(shares) {
            let error = received * sum - used * i64::from(share);
            range = (range.0.min(error), range.1.max(error));
        }
    }
    let tenths = |error: i64| (10 * error.abs() + sum - 1) / sum * error.signum();
    (tenths(range.0), tenths(range.1))
}

/// Errors of round-robin by weight, stride and virtual-time round-robin.
fn compared(shares: &[u32]) -> [(i64, i64); 3] {
    let [_, mut weighted, mut stride, mut vtrr] = all_kinds(shares);
    [errors(&mut weighted, shares), errors(&mut stride, shares), errors(&mut vtrr, shares)]
}

/// Shares of some members that sum to `sum`: what lies between random cuts.
fn random_shares(random: &mut ChaCha8Rng, members: usize, sum: u32) -> Vec<u32> {
    let mut cuts = BTreeSet::from([0, sum]);
    while cuts.len() <= members {
        cuts.insert(random.next_u32() % sum);
    }
    cuts.iter().zip(cuts.iter().skip(1)).map(|(from, to)| to - from).collect()
}

/// The range of the errors in ten systems of one size.
fn ranges(members: usize, sum: u32) -> [(i64, i64); 3] {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut ranges = [(0, 0); 3];
    for _ in 0..10 {
        let shares = random_shares(&mut random, members, sum);
        for (range, errors) in ranges.iter_mut().zip(compared(&shares)) {
            *range = (range.0.min(errors.0), range.1.max(errors.1));
        }
    }
    ranges
}

/// Weight in one piece is late or early by most of the heaviest weight; stride is never late by
/// more than a quantum; virtual-time round-robin is between them.
#[test]
fn shares_by_random_cuts() {
    for (members, sum, expected) in [
        (5, 20, [(-50, 48), (-10, 20), (-24, 13)]),
        (20, 100, [(-145, 152), (-10, 38), (-56, 41)]),
        (100, 1000, [(-808, 359), (-10, 80), (-143, 202)]),
    ] {
        assert_eq!(ranges(members, sum), expected, "{members} members");
    }
}

/// One member with as many shares as all others together: while the others have their first turn
/// one after the other, it waits. So its error grows with their number; with stride and with
/// weights it is the heavy one that is ahead.
#[test]
fn a_heavy_member_lags_behind_many_light_ones() {
    for (light, lag) in [(10, -45), (50, -245), (100, -495)] {
        let mut shares = vec![1; light + 1];
        shares[0] = u32::try_from(light).unwrap();
        let [weighted, stride, vtrr] = compared(&shares);
        let first = i64::try_from(light * 5).unwrap();
        assert_eq!([weighted, stride, (vtrr.0, 0)], [(-10, first), (-10, first), (lag, 0)]);
    }
}
