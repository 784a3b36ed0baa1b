//! Distances of several arrivals, beside their definition.

use proptest::prelude::*;
use vorrang_model::limits;
use vorrang_model::system::{Distance, Distances};
use vorrang_time::Duration;

fn ns(stated: &[u64]) -> Vec<Duration> {
    stated.iter().copied().map(Duration::from_ns).collect()
}

fn each(stated: &[u64]) -> Vec<Distance> {
    some(&(1..).zip(stated.iter().copied()).collect::<Vec<_>>())
}

fn some(stated: &[(usize, u64)]) -> Vec<Distance> {
    let one = |&(steps, least)| Distance { steps, least: Duration::from_ns(least) };
    stated.iter().map(one).collect()
}

/// Up to `last`, from the definition.
fn closure(stated: &[u64], last: usize) -> Vec<u64> {
    let mut all = vec![0];
    for steps in 1..=last {
        let sums = (1..steps).map(|first| all[first] + all[steps - first]);
        let own = stated.get(steps - 1).copied().unwrap_or(0);
        all.push(sums.max().unwrap_or(0).max(own));
    }
    all
}

#[test]
fn what_is_stated_is_raised_to_what_follows_from_it() {
    let all = Distances::of(&ns(&[10, 11, 12])).unwrap();
    assert_eq!(all.stated(), each(&[10]));
    let all = Distances::of(&ns(&[10, 11, 40])).unwrap();
    assert_eq!(all.stated(), each(&[10, 20, 40]));
    let all = Distances::of(&ns(&[1, 3, 20])).unwrap();
    let first: Vec<u64> = (0..8).map(|steps| all.after(steps).unwrap().as_ns()).collect();
    assert_eq!(first, [0, 1, 3, 20, 21, 23, 40, 41]);
    assert_eq!(all.cycle(), (3, Duration::from_ns(20)));
    assert_eq!(all.widest(), Duration::from_ns(17));
    assert_eq!([1, 2, 3, 4, 20, 21].map(|x| all.below(Duration::from_ns(x))), [0, 1, 1, 2, 2, 3]);
}

#[test]
fn what_is_none_is_refused() {
    assert_eq!(Distances::of(&[]), None);
    assert_eq!(Distances::of(&ns(&[0, 5])), None);
    assert_eq!(Distances::of(&vec![Duration::from_ns(1); 65]), None);
    for wrong in [&[(2, 5)][..], &[(1, 5), (3, 9), (3, 10)], &[(1, 5), (limits::DISTANCE + 1, 9)]] {
        assert_eq!(Distances::some(&some(wrong)), None);
    }
}

/// Where cycles are longer than all that is known one by one, less is known of what comes after, and times still grow.
#[test]
fn what_is_cut_is_less_and_grows() {
    let stated = [(1, 2), (3, 90), (4095, 200_000), (4096, 200_003)];
    let all = Distances::some(&some(&stated)).unwrap();
    let mut dense = vec![0; 4096];
    for (steps, least) in &stated {
        dense[steps - 1] = *least;
    }
    let expected = closure(&dense, 20_000);
    let known: Vec<u64> = (0..=20_000).map(|steps| all.after(steps).unwrap().as_ns()).collect();
    assert!(known.is_sorted());
    assert!(known.iter().zip(&expected).all(|(own, right)| own <= right));
    assert_eq!(known[..4096], expected[..4096]);
    let widest = known.windows(2).map(|two| two[1] - two[0]).max().unwrap();
    assert!(widest <= all.widest().as_ns());
    for at in (0..known[20_000]).step_by(977) {
        let below = known[1..].iter().filter(|own| **own < at).count();
        assert_eq!(all.below(Duration::from_ns(at)), below as u64, "{at}");
    }
}

proptest! {
    /// Some of them, as if the others were stated as nothing.
    #[test]
    fn some_are_the_largest_sums(
        first in 1_u64..60,
        more in prop::collection::vec((1_usize..40, 1_u64..3_000), 0..7),
        at in 0_u64..20_000,
    ) {
        let (mut steps, mut stated) = (1, vec![(1, first)]);
        for (later, least) in more {
            steps += later;
            stated.push((steps, least));
        }
        let all = Distances::some(&some(&stated)).unwrap();
        let mut dense = vec![0; steps];
        for (steps, least) in &stated { dense[steps - 1] = *least; }
        let expected = closure(&dense, 800);
        for (steps, expected) in (0..).zip(&expected) {
            prop_assert!(all.after(steps).unwrap().as_ns() <= *expected);
        }
        let (every, _) = all.cycle();
        if every.saturating_sub(1) * (steps as u64) < 800 {
            let known = (0..).zip(&expected).all(|(steps, own)| all.after(steps).unwrap().as_ns() == *own);
            prop_assert!(known);
            let at = at.min(expected[800]);
            let below = expected[1..].iter().filter(|own| **own < at).count();
            prop_assert_eq!(all.below(Duration::from_ns(at)), below as u64);
        }
        let widest = expected.windows(2).map(|two| two[1] - two[0]).max().unwrap();
        prop_assert_eq!(all.widest().as_ns(), widest);
        prop_assert_eq!(Distances::some(all.stated()), Some(all));
    }

    #[test]
    fn they_are_the_largest_sums(stated in prop::collection::vec(1_u64..60, 1..9), at in 0_u64..4_000) {
        let all = Distances::of(&ns(&stated)).unwrap();
        let expected = closure(&stated, 300);
        for (steps, expected) in (0..).zip(&expected) {
            prop_assert_eq!(all.after(steps).unwrap().as_ns(), *expected);
        }
        let at = at.min(expected[300]);
        let below = expected[1..].iter().filter(|own| **own < at).count();
        prop_assert_eq!(all.below(Duration::from_ns(at)), below as u64);
        let widest = expected.windows(2).map(|two| two[1] - two[0]).max().unwrap();
        prop_assert_eq!(all.widest().as_ns(), widest);
        prop_assert_eq!(Distances::some(all.stated()), Some(all));
    }

    /// Arrivals at random, each as soon as those before it allow or later.
    #[test]
    fn no_history_has_more_in_a_window(
        stated in prop::collection::vec(1_u64..60, 1..9),
        later in prop::collection::vec(0_u64..3, 60),
    ) {
        let all = Distances::of(&ns(&stated)).unwrap();
        let mut arrivals = vec![0_u64];
        for later in &later {
            let before = arrivals.iter().rev().zip(&stated);
            arrivals.push(before.map(|(at, apart)| at + apart).max().unwrap() + later);
        }
        for (place, first) in arrivals.iter().enumerate() {
            for (count, at) in (0..).zip(&arrivals[place..]) {
                let window = Duration::from_ns(at - first + 1);
                prop_assert!(count <= all.below(window), "{} in {}", count + 1, window);
            }
        }
        // Where none is later than it must be, every window from the first on is full.
        if later.iter().all(|own| *own == 0) {
            for (count, at) in (0..).zip(&arrivals) {
                prop_assert_eq!(all.after(count).unwrap().as_ns(), *at);
            }
        }
    }
}
