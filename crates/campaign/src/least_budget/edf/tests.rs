//! What is left out beside what is not: whole searches, their parts at every time, and roundings at their edges.

use super::*;
use proptest::prelude::*;
use vorrang_analysis::fixed_priority::SporadicTask;

/// The least budget with every time up to the end looked at, on the way down.
fn downwards(
    period: Duration,
    step: Duration,
    tasks: &[SporadicTask],
) -> Result<Option<Duration>, NoBound> {
    let resource = Resource::new(period, step);
    let terms: Vec<Term> = tasks.iter().filter_map(Term::new).collect();
    let Some(budget) = more_than_its_share(&resource, &terms, tasks)? else { return Ok(None) };
    let mut search = Search::new(resource, &terms, budget);
    let longest = tasks.iter().map(|task| task.period).max().unwrap_or(Duration::ZERO);
    let shortest = tasks.iter().map(|task| task.limit).min().unwrap_or(longest);
    let is_enough = search.down(longest, shortest.saturating_sub(Duration::RESOLUTION))?;
    let is_enough = is_enough
        && raised(&mut search, longest, |search, known, horizon| search.down(horizon, known))?;
    Ok(is_enough.then_some(search.budget()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Of all times only those near to deadlines of all tasks need be looked at.
    #[test]
    fn windows_leave_out_nothing(
        raw in proptest::collection::vec((1_u64..250, 15_u64..900, 0_u64..3, 0_u64..1_000), 2..6),
        (period, step, unit) in (5_u64..60, 1_u64..8, prop_oneof![Just(1_u64), Just(10), Just(100_003)]),
    ) {
        let ns = |number: u64| Duration::from_ns(number * unit);
        let tasks: Vec<SporadicTask> = raw.iter().map(|&(share, period, constrained, part)| {
            let wcet = (share * period / 1_000).max(1);
            let limit = if constrained > 0 { period } else { wcet + (period - wcet) * part / 1_000 };
            SporadicTask { wcet: ns(wcet), period: ns(period), limit: ns(limit) }
        }).collect();
        let (period, step) = (ns(period), Duration::from_ns(step));
        let found = edf(period, step, &tasks, &mut Terms::default());
        if let (Ok(found), Ok(all)) = (found, downwards(period, step, &tasks)) && all.is_some() {
            prop_assert_eq!(found, all);
        }
    }
}

fn ns(number: u64) -> Duration {
    Duration::from_ns(number)
}

fn task([wcet, period, limit]: [u64; 3]) -> SporadicTask {
    SporadicTask { wcet: ns(wcet), period: ns(period), limit: ns(limit) }
}

/// Tasks of a few nanoseconds, so that deadlines are next to each other and every edge is met.
fn tiny() -> impl Strategy<Value = Vec<SporadicTask>> {
    let one = (2_u64..18, 0_u64..1_000, 0_u64..1_000).prop_map(|(period, share, part)| {
        let wcet = 1 + (period - 1) * share * share / 2_000_000;
        // Half of the deadlines are the periods.
        let limit = wcet + (period - wcet) * (part * 2).min(1_000) / 1_000;
        task([wcet, period, limit])
    });
    proptest::collection::vec(one, 1..5)
}

/// What is due within a time.
fn due(tasks: &[SporadicTask], time: u64) -> u64 {
    let jobs = |task: &SporadicTask| {
        let since = time.checked_sub(task.limit.as_ns());
        since.map_or(0, |since| (since / task.period.as_ns() + 1) * task.wcet.as_ns())
    };
    tasks.iter().map(jobs).sum()
}

/// The least budget for what is due within each of some times: `None`: none is enough.
fn needed(
    resource: Resource,
    tasks: &[SporadicTask],
    mut times: impl Iterator<Item = u64>,
) -> Option<u64> {
    times.try_fold(1, |budget, time| {
        let own = match due(tasks, time) {
            0 => 1,
            work => resource.least(ns(time), ns(work))?.as_ns(),
        };
        Some(budget.max(own))
    })
}

/// The least number that is more than the utilisation of the period.
fn above_share(tasks: &[SporadicTask], period: u64) -> u64 {
    let product: u128 = tasks.iter().map(|task| u128::from(task.period.as_ns())).product();
    let work = |task: &SporadicTask| {
        u128::from(task.wcet.as_ns()) * product / u128::from(task.period.as_ns())
    };
    let sum: u128 = tasks.iter().map(work).sum();
    u64::try_from(sum * u128::from(period) / product).unwrap() + 1
}

fn sorted(tasks: &[SporadicTask]) -> Vec<Term> {
    let mut terms: Vec<Term> = tasks.iter().filter_map(Term::new).collect();
    terms.sort_unstable_by_key(Term::least_work_first);
    terms
}

fn common_multiple(one: u64, other: u64) -> u64 {
    let (one, other) = (u128::from(one), u128::from(other));
    u64::try_from(one * other / gcd(one, other)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    /// Demand and supply repeat themselves: with more than the utilisation no time from a common multiple of all periods
    /// on needs more than the one before it.
    #[test]
    fn every_time_of_a_tiny_guest_is_looked_at(tasks in tiny(), period in 2_u64..14, step in 1_u64..4) {
        let resource = Resource::new(ns(period), ns(step));
        let repeats = tasks.iter().fold(period, |all, task| common_multiple(all, task.period.as_ns()));
        let first = tasks.iter().map(|task| task.limit.as_ns()).max().unwrap();
        prop_assume!(repeats < 20_000);
        let share = ns(above_share(&tasks, period));
        prop_assume!(share <= ns(period));
        let needs = needed(resource, &tasks, 1..=first + repeats);
        let expected = needs.and_then(|needs| resource.rounded(share.max(ns(needs))));
        match edf(ns(period), ns(step), &tasks, &mut Terms::default()) {
            Ok(found) => prop_assert_eq!(found, expected),
            // Only a share of next to nothing above the utilisation is given up.
            Err(_) => prop_assert!(expected.is_none_or(|of| of.as_ns() * 1_000 < share.as_ns() * 1_001)),
        }
    }

    /// Each way raises the budget to what any time after the one end needs, up to the other, and no further.
    #[test]
    fn no_time_between_two_is_passed_over(
        tasks in tiny(), period in 2_u64..14, more in 0_u64..40, further in 1_u64..60,
    ) {
        let resource = Resource::new(ns(period), ns(1));
        let share = above_share(&tasks, period);
        prop_assume!(share <= period);
        let known = tasks.iter().map(|task| task.limit.as_ns()).max().unwrap() + more;
        let Some(before) = needed(resource, &tasks, 1..=known) else { return Ok(()) };
        let before = before.max(share);
        let expected = needed(resource, &tasks, known + 1..=known + further);
        let expected = expected.map(|needs| ns(needs.max(before)));
        let terms = sorted(&tasks);
        let search = || Search::new(resource, &terms, ns(before));
        let mut down = search();
        let found = down.down(ns(known + further), ns(known)).unwrap().then(|| down.budget());
        prop_assert_eq!(found, expected);
        let mut windows = search();
        let found = windows.windows(ns(known), ns(known + further)).unwrap();
        prop_assert_eq!(found.then(|| windows.budget()), expected);
    }

    /// Every time at which `sum u_i φ_i(t) < R(t)` is in a window that is looked at.
    #[test]
    fn windows_leave_out_no_time_that_may_need_more(
        tasks in tiny(), period in 2_u64..14, raised in 0_u64..3, more in 0_u64..40, further in 1_u64..200,
    ) {
        let budget = above_share(&tasks, period) + raised;
        if budget > period {
            return Ok(());
        }
        let known = tasks.iter().map(|task| task.limit.as_ns()).max().unwrap() + more;
        let terms = sorted(&tasks);
        let mut search = Search::new(Resource::new(ns(period), ns(1)), &terms, ns(budget));
        let mut looked: Vec<(Duration, Duration)> = Vec::new();
        let all = search.by_windows(ns(known), ns(known + further), |_, end, before| {
            looked.push((before, end));
            Ok(true)
        });
        prop_assert_eq!(all, Ok(true));
        for time in (known + 1..=known + further).map(ns) {
            let phase = |term: &Term| term.of(term.until(time).1);
            let passed: u64 = terms.iter().map(phase).sum();
            if search.line().left_at(time).is_none_or(|left| passed < left) {
                let is_looked = looked.iter().any(|(before, end)| *before < time && time <= *end);
                prop_assert!(is_looked, "{time} {looked:?} {tasks:?}");
            }
        }
    }

    /// R is no less than it is at any time, and its end no earlier: `Θ`, `Π` and all tasks in exact fractions.
    #[test]
    fn a_line_is_above_what_it_stands_for(tasks in tiny(), period in 2_u64..14, part in 0_u64..14) {
        let budget = 1 + part % period;
        let terms = sorted(&tasks);
        let line = Search::new(Resource::new(ns(period), ns(1)), &terms, ns(budget)).line();
        let whole = tasks.iter().fold(u128::from(period), |all, task| all * u128::from(task.period.as_ns()));
        let part = |over: u64, under: u64| u128::from(over) * whole / u128::from(under);
        let used = |task: &SporadicTask| part(task.wcet.as_ns(), task.period.as_ns());
        let ahead = |task: &SporadicTask| used(task) * u128::from((task.period - task.limit).as_ns());
        let at_zero = part(budget, period) * 2 * u128::from(period - budget)
            + tasks.iter().map(ahead).sum::<u128>();
        prop_assert!(line.at_zero * whole >= at_zero << SHARE);
        let falls = part(budget, period).checked_sub(tasks.iter().map(used).sum());
        let falls = falls.unwrap_or(0);
        prop_assert!(u128::from(line.falls) * whole <= falls << SHARE);
    }

    #[test]
    fn the_first_budget_is_more_than_its_share(tasks in tiny(), period in 2_u64..1_000_000_000_000) {
        let resource = Resource::new(ns(period), ns(1));
        let above = ns(above_share(&tasks, period));
        let found = more_than_its_share(&resource, &sorted(&tasks), &tasks);
        prop_assert_eq!(found, Ok((above <= ns(period)).then_some(above)));
    }
}

/// ```text
///   u = 1/3, in units of 2^-32 a third of one more than 1 431 655 765
/// ```
#[test]
fn a_share_of_a_phase_is_no_more_than_it_is() {
    let third = Term::new(&task([1, 3, 3])).unwrap();
    let low = 1_431_655_765;
    assert_eq!(third.share.0, low);
    // Ten of them are 3 1/3 more than ten times that.
    assert_eq!(third.of(ns(10)), low * 10);
    assert_eq!([0, 4].map(|more| third.within(low * 10 + more)), [ns(10), ns(11)]);
}

/// One stretch of time begins where the one before it ended, and is no longer than that; the last ends where no time
/// needs more.
#[test]
fn all_times_up_to_the_end_are_looked_at() {
    let tasks = [[3, 10, 6], [5, 14, 14]].map(task);
    let terms = sorted(&tasks);
    let budget = ns(above_share(&tasks, 1_000));
    let mut search = Search::new(Resource::new(ns(1_000), ns(1)), &terms, budget);
    let end = search.line().end().unwrap();
    let first = ns(14);
    assert!(end > first * 100, "{end}");
    let stretches = std::cell::RefCell::new(Vec::new());
    let noted = |_: &mut Search, known, horizon| {
        stretches.borrow_mut().push((known, horizon));
        Ok(true)
    };
    assert_eq!(raised(&mut search, first, noted), Ok(true));
    let stretches = stretches.into_inner();
    let mut known = first;
    for stretch in &stretches {
        assert_eq!(*stretch, (known, end.min(known * 2)));
        known = stretch.1;
    }
    assert_eq!(known, end);
    // Nothing more is looked at, and no budget named, where not even the whole period is enough.
    assert_eq!(raised(&mut search, first, |_, _, _| Ok(false)), Ok(false));
}

/// What uses all of a core has the whole period if that is in time, and no budget else.
#[test]
fn a_utilisation_of_one_needs_the_whole_period() {
    let found =
        |tasks: [[u64; 3]; 2]| edf(ns(7), ns(1), &tasks.map(task), &mut Terms::default()).unwrap();
    assert_eq!(found([[1, 2, 2], [2, 4, 4]]), Some(ns(7)));
    assert_eq!(found([[1, 2, 2], [3, 6, 3]]), None);
}
