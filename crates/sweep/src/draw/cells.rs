//! Parts with bounds of their own: uniform points of a slice of a box.
//!
//! **Model.** The box is cut into equal cubes, the cells, so small that each side is a whole number of them. How
//! many cells have their corners at a given distance (the sum of their numbers) is a convolution, dimension by
//! dimension; how much of the slice is in a cell depends on that distance only. So the distance is drawn,
//! then a cell at it, then a point of the slice in the cell, by `cube.rs`:
//!
//! ```text
//!   |--.--.--.--|--.--|    widths 4 and 2: the slice at 3.5 cells is in those at distance 3 and 2
//! ```
//!
//! Every sum is of positive numbers, so that nothing cancels.
//!
//! **Assumptions.** 1. At most [`MOST_PARTS`] parts and [`MOST_CELLS`] numbers in the table: it then neither
//! overflows nor loses a distance that can occur (the numbers of ways are below 10^263).
//!
//! **Cost.** The table is parts times cells, once; then each sample takes as many steps as there are cells.
//!
//! The idea is that of `ConvolutionalFixedSum` (Griffin, Davis 2025), which convolves numerically or by all
//! corners of the box; cells make it exact, up to the rounding of the arithmetic.

use super::cube::{Volumes, exact, rounded, uniform, unit_cube};
use vorrang_random::Random;

/// Parts that are not all bounded alike.
pub(crate) const MOST_PARTS: usize = 100;
/// Parts times cells.
pub(crate) const MOST_CELLS: u64 = 1 << 22;

/// The table of one box.
pub struct Cells {
    widths: Vec<u64>,
    /// Parts whose bounds differ, and how many cells their widths are.
    free: Vec<(usize, usize)>,
    /// The side of a cell.
    side: u64,
    /// For the first so many free parts: in how many ways, up to a factor, their cells have this distance.
    ways: Vec<Vec<f64>>,
}

impl Cells {
    /// # Panics
    /// If the table were larger than [`table_size`] may be.
    pub(super) fn of(widths: &[u64]) -> Self {
        assert!(table_size(widths) <= MOST_CELLS, "refused when the study is read");
        let side = side(widths);
        let free: Vec<(usize, usize)> = (0..)
            .zip(widths)
            .filter(|(_, width)| **width > 0)
            .map(|(part, width)| (part, usize::try_from(width / side).expect("limited")))
            .collect();
        let mut ways = vec![vec![1.0]];
        for (_, count) in &free {
            let next = sums(&ways[ways.len() - 1], *count);
            let most = next.iter().copied().fold(0.0, f64::max);
            ways.push(next.into_iter().map(|way| way / most).collect());
        }
        Self { widths: widths.to_vec(), free, side, ways }
    }

    pub(super) fn widths(&self) -> &[u64] {
        &self.widths
    }

    /// Parts up to the widths with this sum, up to their rounding.
    pub(super) fn drawn(&self, random: &mut Random, sum: u64) -> Vec<u64> {
        let mut drawn = vec![0; self.widths.len()];
        if sum == self.widths.iter().sum::<u64>() {
            return self.widths.clone();
        }
        if sum == 0 {
            return drawn;
        }
        if let [(part, _)] = &self.free[..] {
            drawn[*part] = sum;
            return drawn;
        }
        let whole = usize::try_from(sum / self.side).expect("limited");
        let volumes = Volumes::of(exact(sum % self.side) / exact(self.side), self.free.len());
        let last = &self.ways[self.free.len()];
        // What the cells lack of the sum, in whole sides, is inside of them.
        let inside = chosen(random, self.free.len(), |inside| {
            let corner = whole.checked_sub(inside).and_then(|corner| last.get(corner));
            corner.unwrap_or(&0.0) * volumes.slice(inside)
        });
        let mut distance = whole - inside;
        let points = unit_cube(random, &volumes, inside);
        for (row, ((part, count), point)) in self.free.iter().zip(points).enumerate().rev() {
            let ways = &self.ways[row];
            let cell = chosen(random, *count, |cell| {
                *distance.checked_sub(cell).and_then(|left| ways.get(left)).unwrap_or(&0.0)
            });
            distance -= cell;
            drawn[*part] = cell as u64 * self.side + rounded(point * exact(self.side));
        }
        drawn
    }
}

/// One of so many, each as likely as its weight says.
fn chosen(random: &mut Random, count: usize, weight: impl Fn(usize) -> f64) -> usize {
    let total: f64 = (0..count).map(&weight).sum();
    let mut left = uniform(random) * total;
    let mut last = 0;
    for (number, weight) in (0..count).map(|number| (number, weight(number))) {
        if weight > 0.0 {
            last = number;
            if left < weight {
                break;
            }
            left -= weight;
        }
    }
    last
}

/// The largest side of which all widths are multiples.
fn side(widths: &[u64]) -> u64 {
    let divisor = |mut one: u64, mut other: u64| {
        while other > 0 {
            (one, other) = (other, one % other);
        }
        one
    };
    widths.iter().copied().fold(0, divisor).max(1)
}

/// Numbers in the table of a box with these widths.
pub(crate) fn table_size(widths: &[u64]) -> u64 {
    widths.len() as u64 * (widths.iter().sum::<u64>() / side(widths) + 1)
}

/// The sum of each value and those up to `count - 1` places before it; as long as there are any. From blocks of
/// `count`: what a window has of its first block, and what it has of the next.
///
/// ```text
///   block |           |           |
///   window      |-- rest --|- begun -|
/// ```
fn sums(values: &[f64], count: usize) -> Vec<f64> {
    let value = |place: usize| values.get(place).copied().unwrap_or(0.0);
    let length = values.len() + count - 1;
    let mut rest = vec![0.0; length + 1];
    for place in (0..length).rev() {
        let after = if (place + 1) % count == 0 { 0.0 } else { rest[place + 1] };
        rest[place] = value(place) + after;
    }
    let mut begun = 0.0;
    (0..length)
        .map(|place| {
            begun = if place % count == 0 { value(place) } else { begun + value(place) };
            // The window is a whole block, or begins in the block before, if there is one.
            let begins_before = (place + 1) % count != 0 && place >= count;
            begun + if begins_before { rest[place + 1 - count] } else { 0.0 }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_of_the_values_before() {
        let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0];
        for count in 1..10 {
            let plain: Vec<f64> = (0..values.len() + count - 1)
                .map(|place| {
                    let from = (place + 1).saturating_sub(count);
                    values[from.min(values.len())..values.len().min(place + 1)].iter().sum()
                })
                .collect();
            assert_eq!(sums(&values, count), plain, "{count}");
        }
    }
}
