//! Rounds over all points, so many that there is a spread.

use super::bench::Bench;
use super::plan::Plan;
use crate::curve::Run;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How many rounds there are at least, unless they are ended.
pub const ROUNDS: u32 = 5;

/// What was measured in rounds.
pub(super) struct Rounds {
    /// By point, in the order of the plan.
    pub(super) runs: Vec<Vec<Run>>,
    /// How many rounds there were.
    pub(super) count: u32,
    /// The smallest set for which there was no time.
    pub(super) without: Option<usize>,
}

impl Rounds {
    /// Rounds until the time of the plan is over or `go_on`, which receives the finished part and the rounds so far,
    /// returns false. The first one decides which sets there is time for, and is always finished.
    pub(super) fn of(
        plan: &Plan,
        bench: &mut Bench,
        mut go_on: impl FnMut(f64, usize) -> bool,
    ) -> Self {
        let since = Instant::now();
        let mut by_set: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (place, point) in plan.points.iter().enumerate() {
            by_set.entry(point.set_bytes).or_default().push(place);
        }
        let mut own = Self { runs: vec![Vec::new(); plan.points.len()], count: 0, without: None };
        let mut last = Duration::ZERO;
        for (set, places) in &by_set {
            // A set takes no less time than the one before.
            if !last.is_zero() && since.elapsed() + last > plan.time / ROUNDS {
                own.without = Some(*set);
                break;
            }
            bench.add(*set);
            let began = Instant::now();
            for &place in places {
                own.runs[place].push(bench.run(&plan.points[place]));
                go_on(part(since, plan), 0);
            }
            last = began.elapsed();
        }
        by_set.retain(|set, _| own.without.is_none_or(|without| *set < without));
        let order: Vec<usize> = by_set.into_values().flatten().collect();
        own.count = 1;
        // Beyond the least number another round must fit into the time that is left.
        while go_on(part(since, plan), own.rounds())
            && (own.count < ROUNDS || since.elapsed() + since.elapsed() / own.count < plan.time)
        {
            for &place in &order {
                own.runs[place].push(bench.run(&plan.points[place]));
                if !go_on(part(since, plan), own.rounds()) {
                    break;
                }
            }
            own.count += 1;
        }
        own
    }

    pub(super) fn rounds(&self) -> usize {
        self.count as usize
    }
}

/// The finished part of the time of a plan.
fn part(since: Instant, plan: &Plan) -> f64 {
    (since.elapsed().as_secs_f64() / plan.time.as_secs_f64()).min(1.0)
}
