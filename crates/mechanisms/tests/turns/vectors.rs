//! Cycles of members that are always ready, worked out by hand.

use crate::driver::{QUANTUM, all_kinds, join_all, letters, quanta};
use proptest::prelude::*;
use vorrang_mechanisms::scheduler::turns::{Turns, Vtrr};

/// Two cycles of each kind.
fn cycles(shares: &[u32], cycle: usize) -> [String; 4] {
    all_kinds(shares).map(|mut turns| {
        join_all(&mut turns, shares.len());
        letters(&quanta(&mut turns, 2 * cycle))
    })
}

#[test]
fn three_to_two_to_one() {
    let [plain, weighted, stride, vtrr] = cycles(&[3, 2, 1], 6);
    assert_eq!(plain, "ABCABCABCABC");
    assert_eq!(weighted, "AAABBCAAABBC");
    // Passes of A are thirds, of B halves, of C ones.
    assert_eq!(stride, "ABAABCABAABC");
    assert_eq!(vtrr, "ABCABAABCABA");
}

#[test]
fn one_heavy_member_goes_on() {
    let [_, weighted, stride, vtrr] = cycles(&[5, 1], 6);
    assert_eq!(weighted, "AAAAABAAAAAB");
    assert_eq!(stride, "AAAAABAAAAAB");
    assert_eq!(vtrr, "ABAAAAABAAAA");
}

#[test]
fn four_members() {
    let [_, _, _, vtrr] = cycles(&[4, 3, 2, 1], 10);
    assert_eq!(vtrr, "ABCDABCABAABCDABCABA");
    // The list is in the order of shares, not of declaration.
    let [_, _, _, vtrr] = cycles(&[1, 2, 3, 4], 10);
    assert_eq!(vtrr, "DCBADCBDCDDCBADCBDCD");
}

#[test]
fn the_published_shapes_of_the_application_example() {
    for (shares, cycle) in
        [([1, 1, 1], "ABC"), ([2, 1, 1], "ABCA"), ([3, 2, 1], "ABCABA"), ([6, 3, 1], "ABCABABAAA")]
    {
        let [_, _, _, vtrr] = cycles(&shares, cycle.len());
        assert_eq!(vtrr, cycle.repeat(2));
    }
}

proptest! {
    /// Every cycle gives each member as many quanta as it has shares.
    #[test]
    fn a_cycle_is_exact(shares in prop::collection::vec(1_u32..30, 1..12)) {
        let mut turns = Vtrr::new(QUANTUM, &shares);
        join_all(&mut turns, shares.len());
        for _ in 0..3 {
            let mut received = vec![0; shares.len()];
            for member in quanta(&mut turns, shares.iter().sum::<u32>() as usize) {
                received[member as usize] += 1;
            }
            prop_assert_eq!(&received, &shares);
        }
    }

    /// The rules with whole quanta and fractions of integers, step by step.
    #[test]
    fn static_members_follow_the_published_step(
        shares in prop::collection::vec(1_u32..20, 1..10),
    ) {
        let mut sorted = shares.clone();
        sorted.sort_by(|one, other| other.cmp(one));
        let sum = u64::from(shares.iter().sum::<u32>());
        let mut turns = Vtrr::new(QUANTUM, &sorted);
        join_all(&mut turns, sorted.len());
        let mut counters = sorted.clone();
        let mut received = vec![0_u64; sorted.len()];
        let mut place = 0;
        for used in 1..=3 * sum {
            prop_assert_eq!(turns.current(), u32::try_from(place).ok());
            quanta(&mut turns, 1);
            counters[place] -= 1;
            received[place] += 1;
            let next = place + 1;
            // F − (V + Q/S) < Q/share, times S · share / Q: received · S < (used + 1) · share.
            place = if counters.iter().all(|&counter| counter == 0) {
                counters.clone_from(&sorted);
                0
            } else if next < sorted.len()
                && (counters[next] > counters[place]
                    || received[next] * sum < (used + 1) * u64::from(sorted[next]))
            {
                next
            } else {
                0
            };
        }
    }
}
