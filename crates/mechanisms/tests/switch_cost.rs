//! Recovery from cold caches: against numbers computed with sixty digits, and its invariants.

use proptest::prelude::*;
use vorrang_mechanisms::switch_cost::Recovery;
use vorrang_time::Duration;

const fn ns(ns: u64) -> Duration {
    Duration::from_ns(ns)
}

const fn exponential(useful_ppm: u32, sustained: u64) -> Recovery {
    Recovery::Exponential { useful_ppm, sustained: ns(sustained) }
}

const fn flood(useful_ppm: u32, sustained: u64) -> Recovery {
    Recovery::Flood { useful_ppm, sustained: ns(sustained) }
}

#[test]
fn flood_is_slow_for_a_while_and_then_as_fast_as_ever() {
    let celeron = flood(90_000, 85_000);
    for (time, work) in [(0, 0), (11, 0), (12, 1), (50_000, 4_500), (85_000, 7_650)] {
        assert_eq!(celeron.work(ns(time)), ns(work), "{time}");
    }
    assert_eq!(celeron.work(ns(1_000_000)), ns(1_000_000 - 77_350));
    assert_eq!(celeron.time_for(ns(0), ns(1)), ns(12));
    assert_eq!(celeron.time_for(ns(0), ns(7_650)), ns(85_000));
    assert_eq!(celeron.time_for(ns(0), ns(7_651)), ns(85_001));
    assert_eq!(celeron.time_for(ns(50_000), ns(3_150)), ns(35_000));
    assert_eq!(celeron.time_for(ns(85_000), ns(3_150)), ns(3_150));
    assert_eq!(flood(0, 10).time_for(ns(0), ns(1)), ns(11));
    assert_eq!(Recovery::Full.time_for(ns(3), ns(7)), ns(7));
}

/// `floor(t − (1 − f0)·s·(1 − exp(−t/s)))`, computed with sixty decimal digits:
/// f0 in parts per million, s, t, work.
const TABLE: [(u32, u64, u64, u64); 30] = [
    (90_000, 85_000, 1, 0),
    (90_000, 85_000, 28_334, 6_407),
    (90_000, 85_000, 85_000, 36_105),
    (90_000, 85_000, 170_000, 103_118),
    (90_000, 85_000, 425_003, 348_174),
    (90_000, 85_000, 850_000, 772_653),
    (90_000, 85_000, 2_550_000, 2_472_650),
    (110_000, 22_000, 7_334, 1_783),
    (110_000, 22_000, 22_000, 9_623),
    (110_000, 22_000, 44_000, 27_069),
    (110_000, 22_000, 110_003, 90_554),
    (110_000, 22_000, 220_000, 200_420),
    (0, 1_000_000, 2, 0),
    (0, 1_000_000, 333_334, 49_864),
    (0, 1_000_000, 1_000_000, 367_879),
    (0, 1_000_000, 2_000_000, 1_135_335),
    (0, 1_000_000, 5_000_003, 4_006_740),
    (0, 1_000_000, 10_000_000, 9_000_045),
    (500_000, 7, 1, 0),
    (500_000, 7, 3, 1),
    (500_000, 7, 7, 4),
    (500_000, 7, 14, 10),
    (500_000, 7, 38, 34),
    (0, 268_435_455, 89_478_486, 13_385_438),
    (0, 268_435_455, 268_435_455, 98_751_885),
    (0, 268_435_455, 1_342_177_278, 1_075_550_526),
    (999_999, 50_000, 2, 1),
    (999_999, 50_000, 250_003, 250_002),
    (0, 1, 2, 1),
    (0, 1, 60, 59),
];

#[test]
fn the_exponential_is_the_floor_of_the_integral() {
    for (useful, sustained, time, work) in TABLE {
        let found = exponential(useful, sustained).work(ns(time));
        assert_eq!(found, ns(work), "{useful} {sustained} {time}");
    }
}

#[test]
fn very_slow_recoveries_are_within_their_larger_step() {
    // Ten thousand seconds: after one time constant exp(−1) of it is done.
    let slow = exponential(0, 10_000_000_000_000);
    let exact = 3_678_794_411_714_u64;
    let found = slow.work(ns(10_000_000_000_000)).as_ns();
    let step = 10_000_000_000_000 >> 27;
    assert!(found <= exact && exact - found <= 2 * step, "{found}");
}

/// Any recovery, with short and long times alike.
fn recovery() -> impl Strategy<Value = Recovery> {
    (0..=1_000_000_u32, 0_u32..=50, any::<u64>(), 0..3_u8).prop_map(|(useful, bits, any, kind)| {
        let sustained = any & ((1 << bits) - 1);
        match kind {
            0 => Recovery::Full,
            1 => flood(useful, sustained),
            _ => exponential(useful, sustained),
        }
    })
}

/// A time of any order of magnitude.
fn time() -> impl Strategy<Value = u64> {
    (0_u32..=52, any::<u64>()).prop_map(|(bits, any)| any & ((1 << bits) - 1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn work_never_falls_and_grows_no_faster_than_time(
        recovery in recovery(), time in time(), step in time()
    ) {
        let (early, late) = (recovery.work(ns(time)), recovery.work(ns(time + step)));
        prop_assert!(early <= late);
        prop_assert!(late - early <= ns(step));
        prop_assert!(recovery.work(ns(time + 1)) - early <= ns(1));
    }

    #[test]
    fn the_time_for_some_work_is_the_least(
        recovery in recovery(), from in time(), work in time()
    ) {
        let done = |time: Duration| recovery.work(ns(from) + time) - recovery.work(ns(from));
        let time = recovery.time_for(ns(from), ns(work));
        prop_assert_eq!(done(time), ns(work));
        if !time.is_zero() {
            prop_assert!(done(time - ns(1)) < ns(work));
        }
    }

    #[test]
    fn small_exponentials_agree_with_floating_point(
        useful in 0..=1_000_000_u32, sustained in 1..200_u64, time in 0..2_000_u64
    ) {
        #[allow(clippy::cast_precision_loss)]
        let [t, s] = [time as f64, sustained as f64];
        let work = t - (1.0 - f64::from(useful) / 1e6) * s * (1.0 - (-t / s).exp());
        #[allow(clippy::cast_precision_loss)]
        let found = exponential(useful, sustained).work(ns(time)).as_ns() as f64;
        prop_assert!(found <= work + 1e-9 && work - found < 1.0 + 1e-9, "{} {}", found, work);
    }
}
