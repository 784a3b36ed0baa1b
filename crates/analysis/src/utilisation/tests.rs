use super::*;
use crate::fixed_priority::{Scratch, SporadicTask, all_within_limits};
use crate::ground::Source;
use crate::supply::{Dedicated, Linear, PeriodicResource, Table};
use proptest::prelude::*;
use vorrang_time::Duration;

fn ns(ns: u64) -> Duration {
    Duration::from_ns(ns)
}

fn task(wcet: u64, period: u64) -> RateMonotonicTask {
    RateMonotonicTask { wcet: ns(wcet), period: ns(period) }
}

fn share(budget: u64, period: u64) -> Share {
    Share { budget: ns(budget), period: ns(period) }
}

/// n tasks that use `ppm` millionths together.
fn equal(count: u64, ppm: u64) -> Vec<RateMonotonicTask> {
    (0..count).map(|_| task(ppm, 1_000_000 * count)).collect()
}

/// Kaiser and Zöbel's budgets, in ten thousandths of the period.
#[test]
fn budgets_are_those_of_the_formula() {
    for (ppm, count, budget) in [
        (100_000, 1, 1_818),
        (100_000, 2, 1_859),
        (100_000, 10, 1_894),
        (300_000, 3, 4_974),
        (300_000, 5, 5_055),
        (500_000, 1, 6_667),
        (500_000, 2, 7_200),
        (500_000, 10, 7_722),
    ] {
        for criterion in [Criterion::KaiserZoebel, Criterion::KaiserZoebelProduct] {
            let found = criterion.least_budget(&equal(count, ppm), ns(1_000_000)).unwrap();
            assert_eq!((found.as_ns() + 50) / 100, budget, "{ppm} {count}");
        }
    }
    assert_eq!(Criterion::KaiserZoebel.least_budget(&equal(3, 800_000), ns(1_000_000)), None);
}

/// The published table for half of a core: the highest utilisation that is accepted.
#[test]
fn bounds_on_half_of_a_core_are_those_of_the_literature() {
    let half = share(500_000, 1_000_000);
    for (criterion, count, limit) in [
        (Criterion::KaiserZoebel, 1, 333_333),
        (Criterion::KaiserZoebel, 2, 309_401),
        (Criterion::KaiserZoebel, 3, 301_927),
        (Criterion::Saewong, 1, 250_000),
        (Criterion::Saewong, 2, 236_067),
        (Criterion::Saewong, 3, 231_652),
        (Criterion::ShinLee, 1, 250_000),
        (Criterion::ShinLee, 2, 224_744),
        (Criterion::ShinLee, 3, 217_071),
    ] {
        // k = 1: the shortest period is between 1.5 and 2.5 periods of the server.
        let tasks =
            |ppm: u64| -> Vec<_> { (0..count).map(|_| task(2 * ppm, 2_000_000 * count)).collect() };
        let scaled = Share { budget: half.budget * count, period: half.period * count };
        assert!(criterion.holds(&tasks(limit), scaled), "{criterion:?} {count}");
        assert!(!criterion.holds(&tasks(limit + 2), scaled), "{criterion:?} {count}");
    }
}

/// Below the least period nothing holds, however little is asked for.
#[test]
fn a_period_may_be_as_short_as_stated_and_no_shorter() {
    let share = share(400_000, 1_000_000);
    for criterion in Criterion::ALL {
        let least = u64::try_from(criterion.least_period(share)).unwrap();
        assert!(criterion.holds(&[task(1, least.max(2))], share), "{criterion:?}");
        assert!(least == 0 || !criterion.holds(&[task(1, least - 1)], share), "{criterion:?}");
    }
}

/// By hand, with 5 in every 10: k is 1 up to 25, where (k + 1) 10 − 5 < 25 has k + 1 = 2, and 2 from
/// 26 on. For one task the bound is 1/4 for k = 1 and 1/3 for k = 2.
#[test]
fn shin_and_lee_count_the_periods_that_surely_lie_in_the_shortest() {
    let holds = |wcet, period| Criterion::ShinLee.holds(&[task(wcet, period)], share(5, 10));
    assert!(holds(6, 25) && !holds(7, 25));
    assert!(holds(8, 26) && !holds(9, 26));
}

#[test]
fn a_least_budget_is_enough_and_one_less_is_not() {
    for criterion in Criterion::ALL {
        let tasks = equal(3, 400_000);
        let (Some(budget), period) = (criterion.least_budget(&tasks, ns(1_000)), ns(1_000)) else {
            panic!("{criterion:?} finds no budget");
        };
        let holds = |budget| criterion.holds(&tasks, Share { budget, period });
        assert!(holds(budget), "{criterion:?} {budget}");
        assert!(budget == ns(1) || !holds(budget - ns(1)), "{criterion:?} {budget}");
    }
}

/// Sums are rounded against the tasks: these ask for too much by less than a sum resolves.
#[test]
fn rounding_never_helps() {
    let long = 1_000_000_000_000_000;
    assert!(Criterion::LiuLayland.holds(&[task(long, long)], share(1, 1)));
    assert!(!Criterion::LiuLayland.holds(&[task(long + 1, long)], share(1, 1)));
    let tasks = [task(650_844_440_369_228, 723_160_489_299_144)];
    assert!(!Criterion::ShinLee.holds(&tasks, share(9, 10)));
}

#[test]
fn a_core_is_full_where_the_bounds_say() {
    let core = share(1, 1);
    assert!(Criterion::LiuLayland.holds(&[task(7, 7)], core));
    assert!(Criterion::Hyperbolic.holds(&[task(7, 7)], core));
    // 1/2 and 1/3: 3/2 x 4/3 = 2 exactly, and above 2 (sqrt 2 - 1).
    assert!(Criterion::Hyperbolic.holds(&[task(1, 2), task(1, 3)], core));
    assert!(!Criterion::LiuLayland.holds(&[task(1, 2), task(1, 3)], core));
    assert!(!Criterion::Hyperbolic.holds(&[task(1, 2), task(1, 3), task(1, 1_000_000_000)], core));
}

fn meets(supply: &impl Linear, tasks: &[RateMonotonicTask]) -> bool {
    let mut tasks: Vec<_> = tasks
        .iter()
        .map(|task| SporadicTask { wcet: task.wcet, period: task.period, limit: task.period })
        .collect();
    tasks.sort_by_key(|task| task.period);
    all_within_limits(supply, &tasks, &mut Scratch::default())
}

/// Execution times just below what the criterion allows: lowered until it holds.
fn lowered(
    criterion: Criterion,
    mut tasks: Vec<RateMonotonicTask>,
    share: Share,
) -> Option<Vec<RateMonotonicTask>> {
    for _ in 0..200 {
        if criterion.holds(&tasks, share) {
            return Some(tasks);
        }
        let longest = tasks.iter_mut().max_by_key(|task| task.wcet).filter(|t| t.wcet > ns(1))?;
        longest.wcet -= ns(longest.wcet.div_ceil(ns(40)));
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn what_a_criterion_accepts_meets_its_deadlines(
        raw in proptest::collection::vec((1_u64..400, 40_u64..400), 1..5),
        budget in 1_u64..60,
        gap in 0_u64..60,
    ) {
        let period = ns(budget + gap);
        let budget = ns(budget);
        let share = Share { budget, period };
        let tasks: Vec<_> = raw.iter().map(|&(c, t)| task(c.min(t), t)).collect();
        let resource = PeriodicResource::new(Source::Unnamed, budget, period, period);
        for criterion in Criterion::ALL {
            let Some(tasks) = lowered(criterion, tasks.clone(), share) else { continue };
            let met = match criterion {
                Criterion::LiuLayland | Criterion::Hyperbolic => meets(&Dedicated, &tasks),
                Criterion::KaiserZoebel | Criterion::KaiserZoebelProduct => {
                    meets(&Table::slot(Source::Unnamed, budget, period), &tasks)
                }
                Criterion::Saewong | Criterion::ShinLee => meets(&resource, &tasks),
            };
            prop_assert!(met, "{:?} {:?} {:?}", criterion, share, tasks);
        }
    }

    #[test]
    fn products_accept_whatever_sums_do(
        raw in proptest::collection::vec((1_u64..300, 40_u64..400), 1..5),
        budget in 1_u64..60,
        gap in 0_u64..60,
    ) {
        let share = share(budget, budget + gap);
        let tasks: Vec<_> = raw.iter().map(|&(c, t)| task(c.min(t), t)).collect();
        for (sum, product) in [
            (Criterion::LiuLayland, Criterion::Hyperbolic),
            (Criterion::KaiserZoebel, Criterion::KaiserZoebelProduct),
        ] {
            prop_assert!(!sum.holds(&tasks, share) || product.holds(&tasks, share));
        }
    }
}
