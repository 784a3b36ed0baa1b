//! Interrupted runs: found by gaps in the counter, and omitted.
//!
//! **Model.** A run is a row of blocks of accesses with a timestamp after each. A block that takes much
//! longer than the same block of the other runs was interrupted, not slowed by memory.
//!
//! **Assumptions.** 1. Most runs are not interrupted in the same block. 2. Memory does not take
//! [`FACTOR`] times as long as usual *and* [`LEAST_NS`] more. A shorter interruption is not distinguished
//! from slow memory and counts as loss, which errs on the safe side.
//!
//! **Cost.** O(runs · blocks · log runs).

use crate::statistics::median;

/// The factor of the usual time that memory does not explain. Refresh and a busy bus are below twice.
const FACTOR: f64 = 4.0;

/// And how much more at least: entering and leaving the shortest interrupt takes about that long.
const LEAST_NS: f64 = 1_000.0;

/// The runs without a gap, by their index.
pub fn undisturbed(runs: &[&[f64]]) -> Vec<usize> {
    let blocks = runs.iter().map(|run| run.len()).min().unwrap_or(0);
    let usual: Vec<f64> =
        (0..blocks).map(|block| median(runs.iter().map(|run| run[block]))).collect();
    let is_gap = |(took, usual): (&f64, &f64)| *took > usual * FACTOR && took - usual > LEAST_NS;
    let is_whole = |run: &[f64]| !run.iter().zip(&usual).any(is_gap);
    (0..runs.len()).filter(|run| is_whole(runs[*run])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_found_in_whatever_block() {
        let usual = [900.0, 400.0, 20.0];
        let slow = [1700.0, 420.0, 35.0];
        let interrupted = [900.0, 400.0, 1100.0];
        let runs: [&[f64]; 4] = [&usual, &slow, &interrupted, &usual];
        assert_eq!(undisturbed(&runs), [0, 1, 3]);
        assert!(undisturbed(&[]).is_empty());
    }

    #[test]
    fn what_is_slow_by_little_or_by_a_small_factor_is_memory() {
        let runs: [&[f64]; 3] = [&[100.0, 5000.0], &[1050.0, 5000.0], &[100.0, 9000.0]];
        assert_eq!(undisturbed(&runs), [0, 1, 2]);
    }
}
