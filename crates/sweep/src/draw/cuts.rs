//! Utilisations without bounds: the distances between uniform cuts.
//!
//! **Model.** The parts of `UUniFast` (Bini, Buttazzo 2005) are uniform over all divisions, and so are the distances
//! between independent uniform cuts, once these are sorted. All cuts are between 1 and 2, where floating-point
//! numbers are whole multiples of 2^-52, so that distances are exact and add up to the whole:
//!
//! ```text
//!   1         cut      cut           cut      1 + U/16
//!   |---------|--------|-------------|--------|
//!     part 0    part 1     part 2      part 3
//! ```
//!
//! **Assumptions.** 1. The utilisation is below sixteen.

use super::cube::exact;
use super::lanes::{LANES, Lanes, each, floor, least, unit};
use super::network::sort;

/// Sorted cuts of this utilisation and its two ends, one cut for each row of random bits.
pub(super) fn cut(into: &mut Vec<Lanes<f64>>, numbers: &[Lanes<u64>], utilisation_ppm: u64) {
    let whole = exact(utilisation_ppm) / 16e6;
    into.clear();
    into.push([1.0; LANES]);
    each(into, numbers, |number| 1.0 + unit(number) * whole);
    sort(&mut into[1..]);
    into.push([1.0 + whole; LANES]);
}

/// The times that the parts between cuts have of these periods: whole nanoseconds, rounded down, at least one.
pub(super) fn times(into: &mut Vec<Lanes<f64>>, cuts: &[Lanes<f64>], periods: &[Lanes<f64>]) {
    into.clear();
    into.resize(periods.len(), [0.0; LANES]);
    for (into, (cuts, periods)) in into.iter_mut().zip(cuts.windows(2).zip(periods)) {
        for (lane, time) in into.iter_mut().enumerate() {
            let share = 16.0 * (cuts[1][lane] - cuts[0][lane]);
            let whole = floor(least(share * periods[lane] + NEARLY, UNSTATED));
            *time = if whole < 1.0 { 1.0 } else { whole };
        }
    }
}

/// Of a nanosecond: 90 % of 10 ms are 9 ms, although 90 % is no multiple of 2^-48.
const NEARLY: f64 = 1.0 / 1024.0;

/// More than a description may state, and less than 2^52.
const UNSTATED: f64 = 4e15;

#[cfg(test)]
mod tests {
    use super::super::cube::distance;
    use super::super::lanes::integer;
    use super::*;
    use vorrang_random::Random;

    fn numbers(random: &mut Random, rows: usize) -> Vec<Lanes<u64>> {
        let mut numbers = vec![[0; LANES]; rows];
        random.fill(numbers.as_flattened_mut());
        numbers
    }

    /// They are as frequent as those of the published algorithm. The limit is that of a false alarm in one of a
    /// million.
    #[test]
    fn parts_are_those_of_uunifast() {
        const SYSTEMS: usize = 20_000;
        let limit = (-(1e-6_f64 / 30.0).ln()).sqrt() / exact(SYSTEMS as u64).sqrt();
        let whole = 900_000_000_000;
        for count in [2, 3, 10] {
            let mut random = Random::new(3, count as u64);
            let (mut found, mut known) = (vec![Vec::new(); count], vec![Vec::new(); count]);
            let (mut cuts, mut parts) = (Vec::new(), Vec::new());
            while found[0].len() < SYSTEMS {
                let rows = numbers(&mut random, count - 1);
                cut(&mut cuts, &rows, 900_000);
                times(&mut parts, &cuts, &vec![[1e12; LANES]; count]);
                for lane in 0..LANES {
                    let parts = parts.iter().map(|row| integer(row[lane]));
                    let sum: u64 = parts.clone().sum();
                    assert!((whole - count as u64..=whole).contains(&sum), "{sum}");
                    parts.zip(&mut found).for_each(|(part, found)| found.push(part));
                    published(&mut random, exact(whole), &mut known);
                }
            }
            for (found, known) in found.into_iter().zip(known) {
                let apart = distance(found, known);
                assert!(apart < limit, "{count} parts: {apart} against {limit}");
            }
        }
    }

    /// Bini and Buttazzo's program.
    fn published(random: &mut Random, whole: f64, into: &mut [Vec<u64>]) {
        let count = into.len();
        let mut rest = whole;
        for (number, into) in into.iter_mut().enumerate() {
            let left = exact((count - 1 - number) as u64);
            let uniform = exact(random.below(1 << 52)) / exact(1 << 52);
            let next = if left > 0.0 { rest * uniform.powf(1.0 / left) } else { 0.0 };
            into.push(integer(floor(rest - next)));
            rest = next;
        }
    }

    #[test]
    fn the_whole_of_a_period_is_exact() {
        let (mut cuts, mut found) = (Vec::new(), Vec::new());
        for percent in 1..=200 {
            cut(&mut cuts, &[], percent * 10_000);
            times(&mut found, &cuts, &[[1e10; LANES]]);
            assert_eq!(integer(found[0][3]), percent * 100_000_000);
        }
    }

    #[test]
    fn no_time_is_zero_or_out_of_range() {
        let mut found = Vec::new();
        times(&mut found, &[[1.0; LANES], [1.0; LANES], [1.625; LANES]], &[[1e15; LANES]; 2]);
        assert_eq!(found, [[1.0; LANES], [UNSTATED; LANES]]);
    }
}
