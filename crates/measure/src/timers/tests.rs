//! Made jobs, from which the cost of an expiry is recovered; the real machine for order only.

use super::*;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};
use std::time::Duration;

const ALONE_NS: f64 = 200_000.0;

/// Jobs of 200 µs every millisecond beside so many timers in a hundred milliseconds; an expiry costs
/// what it costs, a job in twenty is interrupted by something else.
fn made(random: &mut ChaCha8Rng, timers: usize, cost_ns: f64) -> Vec<Sample> {
    let mut below = |end: u64| random.next_u64() % end;
    let mut expiries: Vec<u64> = (0..timers * 4).map(|_| below(400_000_000)).collect();
    expiries.sort_unstable();
    let mut job = |release_ns: u64| {
        let start_ns = release_ns + 5_000 + below(4_000);
        let mut end_ns = start_ns as f64 + ALONE_NS + below(1_000) as f64 - 500.0;
        if below(20) == 0 {
            end_ns += 10_000.0 + below(200_000) as f64;
        }
        // Those that come while the job is prolonged count, too.
        for expiry in expiries.iter().filter(|expiry| **expiry >= start_ns) {
            if *expiry as f64 > end_ns {
                break;
            }
            end_ns += cost_ns;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a time")]
        let end_ns = end_ns as u64;
        Job { release_ns, start_ns, end_ns }
    };
    let jobs: Vec<Job> = (0..399).map(|index| job(index * 1_000_000)).collect();
    samples(&jobs, &expiries, 200_000)
}

#[test]
fn the_cost_of_an_expiry_is_recovered_through_noise_and_interruptions() {
    for cost_ns in [450.0, 3_000.0] {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut round = || {
            let loads = [0, 1, 50, 100, 1_000];
            loads.into_iter().flat_map(|timers| made(&mut random, timers, cost_ns)).collect()
        };
        let rounds: Vec<Vec<Sample>> = (0..10).map(|_| round()).collect();
        let found = Expiry::of(Way::Tasks, &rounds).unwrap();
        assert!((found.cost.median / cost_ns - 1.0).abs() < 0.02, "{cost_ns}: {found:?}");
        assert!((found.alone_ns / ALONE_NS - 1.0).abs() < 0.02, "{found:?}");
        assert!(found.residual_ns < 1_000.0 && found.cost.count == 10, "{found:?}");
    }
}

#[test]
fn expiries_are_counted_from_start_to_end() {
    let job = |start_ns, end_ns| Job { release_ns: 0, start_ns, end_ns };
    let found = samples(&[job(10, 20), job(20, 30), job(40, 50)], &[9, 10, 19, 20, 25, 30, 60], 5);
    let counts: Vec<_> = found.iter().map(|sample| (sample.expiries, sample.early)).collect();
    assert_eq!(counts, [(2, 1), (2, 1), (0, 0)]);
    let outcome = Outcome::of(Load { timers: 0, way: Way::Tasks }, &found).unwrap();
    assert_eq!(outcome.response.quantile(1.0).to_bits(), 50.0_f64.to_bits());
    assert!(Outcome::of(Load { timers: 0, way: Way::Tasks }, &[]).is_none());
}

fn plan(loads: &[Load]) -> Plan {
    Plan {
        loads: loads.to_vec(),
        job: Duration::from_micros(200),
        period: Duration::from_millis(5),
        jobs: 100,
        cpu: None,
        priority: 80,
        seed: 1,
        time: Duration::from_millis(10),
    }
}

/// Repeated where other programs hide it.
#[test]
fn jobs_take_longer_beside_many_timers() {
    for way in WAYS {
        let loads = [0, 500].map(|timers| Load { timers, way });
        let is_seen = |_| {
            let measured = measure(&plan(&loads), |_| true).unwrap();
            let [alone, beside] = &measured.outcomes[..] else { panic!("{:?}", measured.remarks) };
            assert_eq!((alone.load.name().as_str(), alone.expiries.to_bits()), ("alone", 0));
            assert!(beside.expiries > 0.0, "{beside:?}");
            let [cost] = &measured.expiries[..] else { panic!("no regression") };
            assert_eq!(cost.way, way);
            cost.cost.median > 0.0 && beside.took.spread().median > alone.took.spread().median
        };
        assert!((0..10).any(is_seen), "{way:?}");
    }
}

#[test]
fn what_is_refused_is_said() {
    // More files than any system has.
    let loads = [(0, Way::Tasks), (1 << 40, Way::Timerfds)];
    let loads = loads.map(|(timers, way)| Load { timers, way });
    let measured = measure(&Plan { priority: 1_000, ..plan(&loads) }, |_| false).unwrap();
    for refused in ["priority 1000", "open files are refused"] {
        assert!(measured.remarks.iter().any(|said| said.contains(refused)), "{refused}");
    }
    assert_eq!(measured.outcomes.len(), 1);
    assert!(measured.conditions.contains(&("priority", "normal".to_owned())));
    assert!(measured.expiries.is_empty());
}
