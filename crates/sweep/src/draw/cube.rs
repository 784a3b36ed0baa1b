//! Uniform points of slices of the unit cube: Stafford's algorithm.
//!
//! **Model.** The points whose coordinates have a given sum (`RandFixedSum`, 2006; Emberson, Stafford, Davis 2010)
//! are cut into simplices of known volume, one is chosen by a walk through a table of volumes, and a point is
//! drawn uniformly inside. The powers of random numbers that it takes are maxima of several instead, which
//! needs no mathematics library. The volumes of the slices themselves come with the table (they are those
//! of Irwin and Hall's distribution).
//!
//! **Cost.** The square of the number of coordinates.

use vorrang_random::Random;

/// A uniform point of the unit cube whose coordinates have the sum `whole + beyond` of the volumes, above zero
/// and below their number.
pub(super) fn unit_cube(random: &mut Random, volumes: &Volumes, whole: usize) -> Vec<f64> {
    let parts = volumes.parts;
    let mut left = exact(whole as u64) + volumes.beyond;
    let mut column = whole;
    let (mut scale, mut shift) = (1.0, 0.0);
    let mut drawn = Vec::with_capacity(parts);
    for row in (1..parts).rev() {
        let goes_down = uniform(random) <= volumes.chance(row, column);
        let spread = power(random, row);
        shift += (1.0 - spread) * scale * left / exact(row as u64 + 1);
        scale *= spread;
        drawn.push(shift + scale * f64::from(u8::from(goes_down)));
        left -= f64::from(u8::from(goes_down));
        column -= usize::from(goes_down);
    }
    drawn.push(shift + scale * left);
    // The simplex has an order; all orders are as likely.
    for last in (1..drawn.len()).rev() {
        drawn.swap(last, random.index(last + 1));
    }
    drawn
}

/// The table of Stafford's algorithm: with which probability the walk goes to the next whole number below,
/// by the number of coordinates that are left and by the column.
pub(super) struct Volumes {
    chances: Vec<f64>,
    parts: usize,
    beyond: f64,
    /// Of the slices of the cube at `beyond`, `1 + beyond` and so on, up to a common factor.
    slices: Vec<f64>,
}

impl Volumes {
    /// Of this many coordinates whose sum is `beyond` (from zero to below one) beyond a whole number.
    pub(super) fn of(beyond: f64, parts: usize) -> Self {
        // Volumes up to a factor for each row, which no ratio depends on.
        let mut weights = vec![0.0, 1.0];
        let mut chances = vec![0.0; parts * parts];
        for row in 1..parts {
            let mut next = vec![0.0; row + 2];
            for column in 0..=row {
                let stays =
                    weights.get(column + 1).unwrap_or(&0.0) * (beyond + exact(column as u64));
                let left = exact((row + 1 - column) as u64) - beyond;
                let goes = weights.get(column).unwrap_or(&0.0) * left;
                next[column + 1] = stays + goes;
                let all = stays + goes;
                chances[row * parts + column] = if all > 0.0 { goes / all } else { 0.0 };
            }
            let most = next.iter().copied().fold(0.0, f64::max);
            weights = next.into_iter().map(|weight| weight / most).collect();
        }
        Self { chances, parts, beyond, slices: weights.split_off(1) }
    }

    /// The volume at `whole + beyond`.
    pub(super) fn slice(&self, whole: usize) -> f64 {
        self.slices[whole]
    }

    fn chance(&self, row: usize, column: usize) -> f64 {
        self.chances[row * self.parts + column]
    }
}

/// Fractions of a random number: every result is a whole number of them.
const FRACTIONS: u64 = 1 << 53;

/// Uniform from zero to below one.
pub(super) fn uniform(random: &mut Random) -> f64 {
    exact(random.below(FRACTIONS)) / exact(FRACTIONS)
}

/// The root of this degree of a uniform number, which is the largest of as many.
fn power(random: &mut Random, degree: usize) -> f64 {
    let largest = (0..degree).map(|_| random.below(FRACTIONS)).max();
    exact(largest.expect("a degree above zero")) / exact(FRACTIONS)
}

#[expect(clippy::cast_precision_loss, reason = "at most 2^53")]
pub(super) fn exact(number: u64) -> f64 {
    number as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 10^10")]
pub(super) fn rounded(number: f64) -> u64 {
    number.max(0.0).round() as u64
}

/// Kolmogorov and Smirnov's distance of two samples of the same size.
#[cfg(test)]
pub(super) fn distance(mut one: Vec<u64>, mut other: Vec<u64>) -> f64 {
    one.sort_unstable();
    other.sort_unstable();
    let below = |of: &[u64], value: u64| of.partition_point(|x| *x <= value) as u64;
    let farthest = one.iter().map(|&x| below(&one, x).abs_diff(below(&other, x))).max();
    exact(farthest.expect("not empty")) / exact(one.len() as u64)
}
