//! What is exact, and how far off the rest may be.

use super::*;

fn of(resolution: Resolution, times: impl IntoIterator<Item = u64>) -> Distribution {
    let mut distribution = Distribution::new(resolution);
    times.into_iter().for_each(|ns| distribution.record(Duration::from_ns(ns)));
    distribution
}

/// Numbers of all magnitudes.
fn spread(count: u64) -> impl Iterator<Item = u64> {
    (1..=count).map(|step| {
        let mixed = step.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed >> (mixed % 60)
    })
}

#[test]
fn places_follow_the_order_of_times_and_leave_none_out() {
    for bits in 0..=MOST_BITS {
        let resolution = Resolution(bits);
        let mut last = 0;
        for ns in 0..100_000 {
            let place = resolution.place(ns);
            assert!(place == last || place == last + 1, "{bits}: {ns}");
            last = place;
        }
        assert!(resolution.place(u64::MAX) < 65 << bits);
    }
}

#[test]
fn a_bucket_is_no_wider_than_the_resolution() {
    for bits in 0..=MOST_BITS {
        for ns in spread(10_000).map(|ns| ns >> 2) {
            let wider = ns.saturating_add(ns >> bits).saturating_add(1);
            let resolution = Resolution(bits);
            assert!(resolution.place(ns) < resolution.place(wider), "{bits}: {ns}");
        }
    }
}

#[test]
fn number_sum_and_extremes_are_exact() {
    let times: Vec<u64> = spread(1000).collect();
    let distribution = of(Resolution(0), times.iter().copied());
    let sum: u128 = times.iter().map(|&ns| u128::from(ns)).sum();
    assert_eq!(distribution.count(), 1000);
    assert_eq!(u128::from(distribution.mean().expect("some").as_ns()), sum / 1000);
    assert_eq!(distribution.shortest().map(Duration::as_ns), times.iter().copied().min());
    assert_eq!(distribution.longest().map(Duration::as_ns), times.iter().copied().max());
    let nothing = of(Resolution(0), []);
    assert_eq!((nothing.mean(), nothing.shortest(), nothing.percentile(1)), (None, None, None));
}

#[test]
fn a_percentile_occurred_and_is_too_long_by_less_than_the_resolution() {
    let mut times: Vec<u64> = spread(5000).collect();
    times.sort_unstable();
    for bits in [0, 3, MOST_BITS] {
        let distribution = of(Resolution(bits), times.iter().copied());
        for of_a_million in [1, 250_000, 500_000, 990_000, 999_900, 1_000_000] {
            let rank = (5000_u64 * u64::from(of_a_million)).div_ceil(1_000_000) - 1;
            let exact = times[usize::try_from(rank).expect("small")];
            let given = distribution.percentile(of_a_million).expect("some").as_ns();
            assert!(given >= exact && given - exact <= exact >> bits, "{bits} {of_a_million}");
            assert!(times.binary_search(&given).is_ok());
        }
    }
}

#[test]
fn few_different_times_are_kept_exactly() {
    let distribution = of(Resolution(MOST_BITS), [350_001, 350_001, 700_003, 1_049_999]);
    let kept: Vec<_> =
        distribution.buckets().map(|bucket| (bucket.largest().as_ns(), bucket.count)).collect();
    assert_eq!(kept, [(350_001, 2), (700_003, 1), (1_049_999, 1)]);
    assert_eq!(distribution.percentile(500_000), Some(Duration::from_ns(350_001)));
    assert_eq!(distribution.percentile(500_001), Some(Duration::from_ns(700_003)));
}

#[test]
fn times_may_come_in_any_order() {
    let times: Vec<u64> = spread(300).collect();
    let forward = of(Resolution(4), times.iter().copied());
    let backward = of(Resolution(4), times.iter().rev().copied());
    assert_eq!(forward, backward);
}

#[test]
fn memory_is_bounded_whatever_is_counted() {
    for (distributions, seconds) in [(1, 1), (10, 10), (100, 3600), (1000, 10), (8000, 1_000_000)] {
        let longest = Duration::from_ms(1000 * seconds);
        let resolution = Resolution::shared(distributions, longest);
        let times = (0..64).map(|power| 1 << power).chain([0]);
        let all =
            of(resolution, times.filter(|&ns| ns <= longest.as_ns()).chain([longest.as_ns()]));
        assert!(
            all.buckets.len() * size_of::<Bucket>() * distributions <= BYTES,
            "{distributions}"
        );
    }
    assert_eq!(Resolution::shared(32, Duration::from_ms(10_000)).tenths_of_a_percent(), 2);
}
