//! The jobs of a history keep within what the description allows.

use crate::build::{core, task, time};
use vorrang_model::system::{Distances, Scheduler, SupplyId, System, TaskId};
use vorrang_sim::{Arrivals, Delay, Execution, History, Plan, Spacing};
use vorrang_time::Instant;

fn system() -> System {
    let mut system = core(Scheduler::FixedPriority);
    task(&mut system, "task.x", SupplyId(0), ["3us", "10us"], 1);
    system.tasks[0].jitter = time("25us");
    system
}

fn jobs(arrivals: Arrivals, execution: Execution, seed: u64) -> Vec<Plan> {
    let system = system();
    let history = History { tasks: vec![arrivals], execution, seed, ..History::quiet(&system) };
    history.jobs_of_task(&system, TaskId(0)).take(200).collect()
}

fn us(us: u64) -> Instant {
    Instant::from_ns(us * 1_000)
}

#[test]
fn a_late_first_job_makes_the_densest_burst() {
    let arrivals = Arrivals { delay: Delay::FirstLate, ..Arrivals::from(us(5)) };
    let plans = jobs(arrivals, Execution::Full, 0);
    let times: Vec<_> = plans.iter().take(5).map(|plan| (plan.arrival, plan.release)).collect();
    let expected = [(5, 30), (15, 30), (25, 30), (35, 35), (45, 45)];
    assert_eq!(times, expected.map(|(arrival, release)| (us(arrival), us(release))));
    assert!(plans.iter().all(|plan| plan.execution == time("3us")));
}

#[test]
fn whatever_is_random_stays_within_its_limits() {
    let spread = time("7us");
    for seed in 0..50 {
        let spacing = Spacing::Random { up_to: spread };
        let arrivals = Arrivals { first: Some(us(1)), spacing, delay: Delay::Random };
        let plans = jobs(arrivals, Execution::Random, seed);
        for (number, plan) in (0_u64..).zip(&plans) {
            assert_eq!(plan.number, number);
            assert!(plan.arrival <= plan.release);
            assert!(plan.release - plan.arrival <= time("25us"), "the jitter");
            assert!(!plan.execution.is_zero() && plan.execution <= time("3us"));
        }
        for pair in plans.windows(2) {
            let distance = pair[1].arrival - pair[0].arrival;
            assert!((time("10us")..=time("10us") + spread).contains(&distance));
            assert!(pair[0].release <= pair[1].release, "releases keep the order of arrivals");
        }
        assert_ne!(plans, jobs(arrivals, Execution::Random, seed + 1));
    }
}

#[test]
fn no_job_executes_for_less_than_the_shortest_time() {
    let mut system = system();
    system.tasks[0].bcet = time("2999ns");
    let tasks = vec![Arrivals::from(us(0))];
    let history = History { tasks, execution: Execution::Random, ..History::quiet(&system) };
    let drawn: Vec<_> = history.jobs_of_task(&system, TaskId(0)).take(50).collect();
    for execution in [time("2999ns"), time("3us")] {
        assert!(drawn.iter().any(|plan| plan.execution == execution));
    }
    assert!(drawn.iter().all(|plan| plan.execution >= time("2999ns")));
}

#[test]
fn jobs_end_where_instants_do_and_not_in_a_panic() {
    let last = Instant::from_ns(u64::MAX - 15_000);
    let plans = jobs(Arrivals::from(last), Execution::Full, 0);
    assert_eq!(plans.len(), 2);
    assert_eq!(jobs(Arrivals::NEVER, Execution::Full, 0), []);
    let arrivals = Arrivals { delay: Delay::FirstLate, ..Arrivals::from(last) };
    assert_eq!(jobs(arrivals, Execution::Full, 0), [], "the release would be out of range");
}

/// The stream of a seed is pinned: what is seen today is seen on every machine.
#[test]
fn jobs_draw_from_what_their_task_states() {
    let mut system = system();
    let times = [("1us", 9), ("2us", 90), ("3us", 1)];
    system.tasks[0].execution = times.map(|(text, weight)| (time(text), weight)).to_vec();
    let count = |execution| {
        let tasks = vec![Arrivals::from(us(0))];
        let history = History { tasks, execution, seed: 3, ..History::quiet(&system) };
        let plans: Vec<_> = history.jobs_of_task(&system, TaskId(0)).take(10_000).collect();
        times.map(|(text, _)| plans.iter().filter(|plan| plan.execution == time(text)).count())
    };
    assert_eq!(count(Execution::Full), [0, 0, 10_000]);
    let drawn = count(Execution::Drawn);
    assert_eq!(count(Execution::Random), drawn);
    assert_eq!(drawn.iter().sum::<usize>(), 10_000);
    for (seen, expected) in drawn.into_iter().zip([900_usize, 9_000, 100]) {
        assert!(seen.abs_diff(expected) < 60, "{drawn:?}");
    }
}

#[test]
fn bursts_are_as_dense_as_their_distances_and_no_denser() {
    let mut system = system();
    let stated: Vec<_> = ["1us", "3us", "20us"].map(time).into();
    let distances = Distances::of(&stated).unwrap();
    (system.tasks[0].min_interarrival, system.tasks[0].jitter) = (stated[0], time("0s"));
    system.tasks[0].distances = Some(distances.clone());
    let arrive = |spacing| {
        let tasks = vec![Arrivals { spacing, ..Arrivals::from(us(7)) }];
        let history = History { tasks, seed: 3, ..History::quiet(&system) };
        let plans = history.jobs_of_task(&system, TaskId(0)).take(200);
        plans.map(|plan| plan.arrival).collect::<Vec<_>>()
    };
    for (steps, at) in (0..).zip(arrive(Spacing::Periodic)) {
        assert_eq!(at, us(7) + distances.after(steps).unwrap());
    }
    let later = arrive(Spacing::Random { up_to: time("2us") });
    for first in 0..150 {
        for steps in 1..50 {
            let apart = later[first + steps] - later[first];
            assert!(apart >= distances.after(steps as u64).unwrap(), "{first}, {steps}: {apart}");
        }
    }
    assert!(later.windows(2).any(|two| two[1] - two[0] > time("17us")));
}
