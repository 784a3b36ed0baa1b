//! What is left out beside what is not.

use super::*;
use crate::fixed_priority::SporadicTask;
use proptest::prelude::*;

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
