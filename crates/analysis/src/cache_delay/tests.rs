//! Every approach against a tick-by-tick core with a cache, over all release offsets of small sets.

use super::*;
use proptest::prelude::*;

const ALL: [Approach; 8] = [
    Approach::EcbOnly,
    Approach::UcbOnly,
    Approach::UcbUnion,
    Approach::EcbUnion,
    Approach::Staschulat,
    Approach::EcbUnionMultiset,
    Approach::UcbUnionMultiset,
    Approach::Combined,
];

fn ns(count: u64) -> Duration {
    Duration::from_ns(count)
}

fn task(wcet: u64, period: u64, evicting: &[u32], useful: &[u32]) -> CachedTask {
    CachedTask {
        wcet: ns(wcet),
        period: ns(period),
        evicting: evicting.iter().copied().collect(),
        useful: useful.iter().copied().collect(),
    }
}

fn bound(tasks: &[CachedTask], reload: u64, approach: Approach) -> Vec<Option<Duration>> {
    response_times(tasks, ns(reload), approach, &Effort::default()).unwrap()
}

/// A job on the core.
struct Job {
    arrival: u64,
    left: u64,
    /// Whether it has run, and what was loaded since it ran last.
    begun: bool,
    evicted: BTreeSet<u32>,
}

/// The longest responses of periodic tasks from these offsets on.
fn simulated(tasks: &[CachedTask], reload: u64, offsets: &[u64], horizon: u64) -> Vec<u64> {
    let mut queues: Vec<Vec<Job>> = tasks.iter().map(|_| Vec::new()).collect();
    let mut longest = vec![0; tasks.len()];
    for now in 0..horizon {
        for (index, task) in tasks.iter().enumerate() {
            let since = now.checked_sub(offsets[index]);
            if since.is_some_and(|since| since % task.period.as_ns() == 0) {
                let left = task.wcet.as_ns();
                let evicted = BTreeSet::new();
                queues[index].push(Job { arrival: now, left, begun: false, evicted });
            }
        }
        let Some(runs) = queues.iter().position(|queue| !queue.is_empty()) else { continue };
        let task = &tasks[runs];
        let job = &mut queues[runs][0];
        if job.begun {
            job.left += reload * count(task.useful.intersection(&job.evicted));
        }
        (job.begun, job.evicted) = (true, BTreeSet::new());
        job.left -= 1;
        if job.left == 0 {
            longest[runs] = longest[runs].max(now + 1 - job.arrival);
            queues[runs].remove(0);
        }
        for queue in &mut queues[runs + 1..] {
            for job in queue.iter_mut().filter(|job| job.begun) {
                job.evicted.extend(&task.evicting);
            }
        }
    }
    longest
}

#[test]
fn one_interruption_by_hand() {
    // Of {1, 2, 3} the other loads {2, 3, 4}: two reloads of 5.
    let tasks = [task(2, 50, &[2, 3, 4], &[]), task(8, 100, &[1, 2, 3], &[1, 2, 3])];
    for (place, delay) in [15, 15, 10, 10, 10, 10, 10, 10].into_iter().enumerate() {
        let found = bound(&tasks, 5, ALL[place]);
        assert_eq!(found, [Some(ns(2)), Some(ns(8 + 2 + delay))], "{:?}", ALL[place]);
    }
    assert_eq!(simulated(&tasks, 5, &[1, 0], 100)[1], 20);
}

#[test]
fn multisets_count_how_often_who_is_interrupted() {
    // The middle one is interrupted once at most by each job of it; the last needs little.
    let tasks = [
        task(1, 10, &[1, 2, 3, 4], &[]),
        task(2, 100, &[1, 2, 3, 4], &[1, 2, 3, 4]),
        task(20, 200, &[5, 1], &[1]),
    ];
    let by = |approach| bound(&tasks, 1, approach)[2].unwrap();
    assert!(by(Approach::EcbUnionMultiset) < by(Approach::EcbUnion));
    assert!(by(Approach::UcbUnionMultiset) < by(Approach::UcbUnion));
    assert_eq!(
        by(Approach::Combined),
        by(Approach::EcbUnionMultiset).min(by(Approach::UcbUnionMultiset))
    );
}

#[test]
fn what_exceeds_its_period_has_no_bound_nor_what_follows() {
    let tasks = [
        task(5, 10, &[1, 2, 3], &[]),
        task(5, 12, &[1, 2, 3], &[1, 2, 3]),
        task(1, 1_000, &[], &[]),
    ];
    assert_eq!(bound(&tasks, 1, Approach::UcbUnion), [Some(ns(5)), None, None]);
}

fn blocks() -> impl Strategy<Value = BTreeSet<u32>> {
    proptest::collection::btree_set(0_u32..5, 0..5)
}

prop_compose! {
    fn cached()(period in 6_u64..30, part in 1_u64..9, evicting in blocks(), keep in blocks())
        -> CachedTask
    {
        let useful = evicting.intersection(&keep).copied().collect();
        CachedTask { wcet: ns((period / (10 - part)).max(1)), period: ns(period), evicting, useful }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_offsets_exceed_any_approach(
        mut tasks in proptest::collection::vec(cached(), 2..5),
        reload in 1_u64..3,
        offsets in proptest::collection::vec(proptest::collection::vec(0_u64..12, 5), 40),
    ) {
        tasks.sort_by_key(|task| task.period);
        let found: Vec<_> = ALL.iter().map(|&approach| bound(&tasks, reload, approach)).collect();
        for offsets in offsets {
            let seen = simulated(&tasks, reload, &offsets, 300);
            for (approach, bounds) in ALL.iter().zip(&found) {
                for (place, bound) in bounds.iter().enumerate() {
                    let kept = bound.is_none_or(|bound| seen[place] <= bound.as_ns());
                    prop_assert!(kept, "{approach:?} task {place}: {} > {bound:?}", seen[place]);
                }
            }
        }
    }
}
