//! Many systems, on all threads, with a result that does not depend on them.

use crate::check::{Effort, check_drawn};
use crate::tally::Tally;
use rayon::prelude::*;

/// Systems after which progress is told.
const BATCH: u64 = 2_000;

/// Checks the systems `0..systems` of a seed; `progress` is told how many are done, and how many
/// violations there are so far.
pub fn run(
    seed: u64,
    systems: u64,
    effort: &Effort,
    mut progress: impl FnMut(u64, usize),
) -> Tally {
    let mut tally = Tally::default();
    let mut done = 0;
    while done < systems {
        let end = (done + BATCH).min(systems);
        tally.merge(batch(seed, done, end, effort));
        done = end;
        progress(done, tally.violations.len());
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

    #[test]
    fn the_result_does_not_depend_on_threads() {
        let tally = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(11, 60, &Effort::quick(), |_, _| {}))
        };
        assert_eq!(tally(1), tally(2));
    }
}
