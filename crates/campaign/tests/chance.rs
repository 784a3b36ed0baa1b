//! Deadline-miss probabilities of tasks in reservations, against simulated jobs; and that wrong bounds are
//! noticed.

use vorrang_analysis::Effort;
use vorrang_analysis::stochastic::{Backlog, Distribution, Probability, Reservation};
use vorrang_campaign::chance::{Amount, TASK, claimed, draw, draw_among, run};
use vorrang_model::System;
use vorrang_time::Duration;

const AMOUNT: Amount = Amount { runs: 120, jobs: 40 };

#[test]
fn nobody_is_late_more_often_than_the_bound_says() {
    let (mut bounded, mut late) = (0, 0);
    for index in 0..24 {
        let drawn = draw(5, index);
        let claims = claimed(&drawn.system);
        let seen = run(&drawn, AMOUNT, |_, limit| claims[&limit]);
        assert_eq!(seen.beyond, 0, "system {index}, {:?}", seen.witness);
        for outcome in &seen.outcomes {
            assert!(!outcome.alarming, "system {index}: {outcome:?}");
            bounded += u64::from(outcome.bound.is_some());
            late += outcome.late;
        }
    }
    // Or nothing was compared.
    assert!(bounded > 500 && late > 10_000, "{bounded} limits with a bound, {late} late jobs");
}

#[test]
fn no_task_among_others_is_late_more_often_than_the_bound_says() {
    let (mut bounded, mut late) = (0, 0);
    for index in 0..48 {
        let drawn = draw_among(5, index);
        let claims = claimed(&drawn.system);
        let seen = run(&drawn, AMOUNT, |_, limit| claims[&limit]);
        for outcome in &seen.outcomes {
            assert!(!outcome.alarming, "system {index}: {outcome:?}");
            // Neither never nor always.
            let says = outcome
                .bound
                .is_some_and(|bound| (1..1_000_000_000_000).contains(&bound.per_trillion_ceil()));
            bounded += u64::from(says);
            late += if says { outcome.late } else { 0 };
        }
    }
    assert!(bounded > 100 && late > 100, "{bounded} limits with a bound, {late} late jobs");
}

/// Bounds on the same systems with something left out; each must be noticed somewhere.
fn is_noticed(wrong: impl Fn(&System, Duration) -> Option<Probability> + Copy) -> bool {
    (0..24).any(|index| {
        let seen = run(&draw(5, index), AMOUNT, wrong);
        seen.outcomes.iter().any(|outcome| outcome.alarming)
    })
}

fn reservation(system: &System, stretch: u64) -> Option<Reservation> {
    let task = system.task(TASK);
    let server = system.supply(task.on).server()?;
    let step = Distribution::step_for(&task.execution, server.budget);
    let cost = Distribution::new(&task.execution, step).ok()?;
    let distance = task.min_interarrival * stretch;
    let alone =
        Reservation::new(cost, distance, server.budget, server.period, &Effort::default()).ok()?;
    Some(alone.released_within(task.jitter))
}

#[test]
fn a_bound_that_is_a_period_short_is_noticed() {
    assert!(is_noticed(|system, limit| {
        let server = system.supply(system.task(TASK).on).server()?;
        Some(reservation(system, 1)?.later_than(limit + server.period))
    }));
}

/// Nothing is left over by the jobs before: as if they came much more seldom.
#[test]
fn a_bound_that_forgets_the_backlog_is_noticed() {
    assert!(is_noticed(|system, limit| Some(reservation(system, 1_000)?.later_than(limit))));
}

#[test]
fn a_bound_that_forgets_the_jitter_is_noticed() {
    assert!(is_noticed(|system, limit| {
        let alone = reservation(system, 1)?.released_within(Duration::ZERO);
        Some(alone.later_than(limit))
    }));
}

/// Half a budget of work takes half a period if parts of budgets are rounded down.
#[test]
fn a_bound_that_rounds_budgets_down_is_noticed() {
    assert!(is_noticed(|system, limit| {
        let task = system.task(TASK);
        let server = system.supply(task.on).server()?;
        let step = Distribution::step_for(&task.execution, server.budget);
        let cost = Distribution::new(&task.execution, step).ok()?;
        let budget = server.budget.as_ns() / step.as_ns();
        let periods = task.min_interarrival.as_ns() / server.period.as_ns();
        let backlog = Backlog::new(&cost, budget * periods, &Effort::default()).ok()?;
        let within = (limit.as_ns() / server.period.as_ns() + 1) * budget;
        Some(backlog.at_least(i64::try_from(within).ok()?))
    }));
}
