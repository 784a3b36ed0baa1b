//! Rows of numbers, sorted column by column.
//!
//! **Model.** A network compares the same places whatever the numbers are, so that all columns take the same steps, without
//! a branch.
//!
//! **Cost.** About `n log² n / 4` comparisons of `n` rows.
//!
//! **Assumptions.** 1. No number is NaN.
//!
//! Reference: Batcher's odd-even merge sort (1968) for any count: Knuth, The Art of Computer Programming, vol. 3,
//! algorithm 5.2.2 M.

use super::lanes::Lanes;

/// Each column ascends.
pub(super) fn sort(rows: &mut [Lanes<f64>]) {
    let count = rows.len();
    let top = count.next_power_of_two() / 2;
    // In the letters of Knuth.
    let mut p = top;
    while p > 0 {
        let (mut q, mut r, mut d) = (top, 0, p);
        loop {
            for low in (0..count - d).filter(|low| low & p == r) {
                order(rows, low, low + d);
            }
            if q == p {
                break;
            }
            (d, q, r) = (q - p, q / 2, p);
        }
        p /= 2;
    }
}

/// The lesser of two rows, column by column, goes to the first.
#[inline]
fn order(rows: &mut [Lanes<f64>], low: usize, high: usize) {
    let (left, right) = rows.split_at_mut(high);
    for (low, high) in left[low].iter_mut().zip(&mut right[0]) {
        let least = if *low < *high { *low } else { *high };
        // The other one, by its bits: with a second comparison the compiler would branch.
        *high = f64::from_bits(low.to_bits() ^ high.to_bits() ^ least.to_bits());
        *low = least;
    }
}

#[cfg(test)]
mod tests {
    use super::super::cube::exact;
    use super::super::lanes::LANES;
    use super::*;
    use vorrang_random::Random;

    #[test]
    fn a_network_sorts_whatever_it_is_given() {
        let mut random = Random::new(1, 0);
        for count in 0..70 {
            // Few different ones, so that some are equal.
            let mut rows: Vec<Lanes<f64>> =
                (0..count).map(|_| [(); LANES].map(|()| exact(random.below(50)))).collect();
            let mut columns: Vec<Vec<f64>> =
                (0..LANES).map(|lane| rows.iter().map(|row| row[lane]).collect()).collect();
            sort(&mut rows);
            for (lane, column) in columns.iter_mut().enumerate() {
                column.sort_unstable_by(f64::total_cmp);
                assert!(rows.iter().map(|row| row[lane]).eq(column.iter().copied()), "{count}");
            }
        }
    }

    #[test]
    fn every_network_for_few_sorts_all_of_zeros_and_ones() {
        // What sorts these sorts everything (Knuth, theorem 5.3.4 Z).
        for count in 0..=12 {
            for first in (0_u32..1 << count).step_by(LANES) {
                let bit = |row: usize, lane: u32| f64::from(((first + lane) >> row) & 1);
                let mut rows: Vec<Lanes<f64>> = (0..count)
                    .map(|row| {
                        std::array::from_fn(|lane| bit(row, u32::try_from(lane).expect("few")))
                    })
                    .collect();
                sort(&mut rows);
                assert!(rows.windows(2).all(|two| two[0].iter().zip(&two[1]).all(|(a, b)| a <= b)));
            }
        }
    }
}
