//! Made switches are recovered; the real machine is asked for order only.

use super::*;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};

const POINT: Point = Point { own_bytes: 64 << 10, other_bytes: 64 << 10 };

/// Switches of known costs, with noise to both sides and interruptions.
struct Machine {
    direct_ns: f64,
    indirect_ns: f64,
    random: ChaCha8Rng,
}

impl Machine {
    fn new(direct_ns: f64, indirect_ns: f64) -> Self {
        Self { direct_ns, indirect_ns, random: ChaCha8Rng::seed_from_u64(1) }
    }

    /// Evenly to both sides of zero, up to so much.
    fn noise(&mut self, up_to_ns: f64) -> f64 {
        up_to_ns * (f64::from(self.random.next_u32()) / f64::from(u32::MAX) * 2.0 - 1.0)
    }

    fn sample(&mut self) -> Sample {
        let mut parts = [
            700.0 + self.direct_ns + self.noise(60.0),
            700.0 + self.noise(40.0),
            5_000.0 + self.indirect_ns + self.noise(150.0),
            5_000.0 + self.noise(150.0),
        ];
        // One round in thirty is interrupted in one of its parts, whichever.
        if self.random.next_u64().is_multiple_of(30) {
            parts[usize::try_from(self.random.next_u64() % 4).unwrap()] += 60_000.0;
        }
        let [handover_ns, calls_ns, after_ns, hot_ns] = parts;
        Sample { handover_ns, calls_ns, after_ns, hot_ns }
    }

    fn outcome(&mut self) -> Outcome {
        let samples: Vec<Sample> = (0..3_000).map(|_| self.sample()).collect();
        Outcome::of(POINT, &samples).expect("most rounds are whole")
    }
}

#[test]
fn costs_are_recovered_through_noise_and_interruptions() {
    for (direct_ns, indirect_ns) in [(900.0, 1_500.0), (2_400.0, 12_000.0)] {
        let found = Machine::new(direct_ns, indirect_ns).outcome();
        let off = |found: &Sorted, truth: f64| (found.spread().median - truth).abs() / truth;
        assert!(off(&found.direct, direct_ns) < 0.02, "{:?}", found.direct.spread());
        assert!(off(&found.indirect, indirect_ns) < 0.02, "{:?}", found.indirect.spread());
        assert!((50..200).contains(&found.interrupted), "{}", found.interrupted);
        assert!(found.indirect.quantile(1.0) < indirect_ns + 300.1, "an interruption was kept");
    }
}

/// A set that is never hot: the walk after a switch is as fast as any other. Dropping or clamping values that
/// are not above zero would show a cost where there is none.
#[test]
fn results_at_and_below_zero_are_kept() {
    let found = Machine::new(900.0, 0.0).outcome().indirect;
    let below = found.part_up_to(0.0);
    assert!((0.45..0.55).contains(&below), "{below}");
    assert!(found.spread().median.abs() < 10.0 && found.spread().low < -100.0);
    let above =
        (1..=1_000).map(|rank| found.quantile(f64::from(rank) / 1_000.0)).filter(|v| *v > 0.0);
    let above = Sorted::of(above).unwrap().spread().median;
    assert!(above > 50.0, "what is left without them: {above}");
}

#[test]
fn nothing_is_left_of_interrupted_rounds_only() {
    assert!(Outcome::of(POINT, &[]).is_none());
}

#[test]
fn points_are_named_by_their_sets() {
    let other = Point { other_bytes: 1 << 20, ..POINT };
    assert_eq!((POINT.name(), other.name()), ("64k".into(), "64k-after-1m".into()));
}

mod real {
    use super::*;
    use std::time::Duration;

    fn plan(means: Means) -> Plan {
        let point = |own_bytes, other_bytes| Point { own_bytes, other_bytes };
        let points = vec![point(0, 0), point(16 << 10, 0), point(16 << 10, 1 << 20)];
        let time = Duration::from_millis(300);
        let kind = Kind::of_name("read-chase").unwrap();
        Plan { points, kind, means, cpu: None, priority: None, seed: 1, time }
    }

    #[test]
    fn a_switch_costs_more_than_its_calls_and_more_after_a_larger_set() {
        for means in [Means::Futex, Means::Pipe] {
            let measured = measure(&plan(means), |_| true).unwrap();
            let [empty, alone, displaced] = &measured.outcomes[..] else {
                panic!("{:?}", measured.remarks)
            };
            assert!(empty.direct.spread().median > 0.0, "{:?}", empty.direct.spread());
            let cost = |of: &Outcome| of.indirect.spread().median;
            assert!(cost(displaced) > cost(alone), "{} {}", cost(alone), cost(displaced));
            assert!(empty.hot.spread().median < alone.hot.spread().median);
        }
    }

    #[test]
    fn a_refused_priority_is_said_and_the_rest_measured() {
        let plan = Plan { priority: Some(1_000), ..plan(Means::Futex) };
        let measured = measure(&plan, |_| false).unwrap();
        assert!(measured.remarks.iter().any(|remark| remark.contains("priority 1000")));
        assert_eq!(measured.outcomes.len(), 3);
    }
}
