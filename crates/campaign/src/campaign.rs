//! Many systems, on all threads, with a result that does not depend on them.

use crate::check::{Effort, check_drawn};
use crate::tally::Tally;
use rayon::prelude::*;
use std::ops::Range;

/// The number of systems between progress reports.
const BATCH: u64 = 2_000;

/// Checks these systems of a seed; `progress` receives the number of checked systems and of violations so
/// far.
pub fn run(
    seed: u64,
    systems: Range<u64>,
    effort: &Effort,
    mut progress: impl FnMut(u64, usize),
) -> Tally {
    let mut tally = Tally::default();
    let mut from = systems.start;
    while from < systems.end {
        let end = (from + BATCH).min(systems.end);
        tally.merge(batch(seed, from, end, effort));
        from = end;
        progress(from - systems.start, tally.violations.len());
    }
    // By index: threads finish in any order.
    tally.violations.sort_by_key(|(index, _)| *index);
    tally
}

fn batch(seed: u64, start: u64, end: u64, effort: &Effort) -> Tally {
    let one = |mut tally: Tally, index: u64| {
        check_drawn(seed, index, effort, &mut tally);
        tally
    };
    let both = |mut first: Tally, second: Tally| {
        first.merge(second);
        first
    };
    (start..end).into_par_iter().fold(Tally::default, one).reduce(Tally::default, both)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A long campaign can be run in parts.
    #[test]
    fn parts_find_what_the_whole_does() {
        let tally = |systems| run(11, systems, &Effort::brief(), |_, _| {});
        let mut parts = tally(0..20);
        parts.merge(tally(20..60));
        assert_eq!(parts, tally(0..60));
    }

    #[test]
    fn the_result_does_not_depend_on_threads() {
        let tally = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(11, 0..60, &Effort::quick(), |_, _| {}))
        };
        assert_eq!(tally(1), tally(2));
    }
}
