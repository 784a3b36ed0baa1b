//! Utilisations: a whole divided into parts, every division as likely.
//!
//! **Model.** Without bounds the parts are the distances between uniform cuts, in integers (`UUniFast`:
//! Bini, Buttazzo 2005). With the same bounds for all parts the divisions are the points of a hypercube on a
//! plane; Stafford's algorithm (`RandFixedSum`, 2006; Emberson, Stafford, Davis 2010) cuts that into simplices
//! of known volume, chooses one by a walk through a table of volumes, and draws uniformly inside. The
//! powers of random numbers that it takes are maxima of several instead, which needs no mathematics
//! library. Dirichlet-Rescale (Griffin, Bate, Davis 2020) draws from the same distribution, for bounds
//! that may also differ.
//!
//! **Assumptions.** 1. Bounds are the same for all parts.
//!
//! **Cost.** The square of the number of parts.

use crate::point::{Division, Tasks};
use std::cmp::Ordering;
use vorrang_random::Random;

/// Utilisations are divided in billionths of the core.
pub const WHOLE: u64 = 1_000_000_000;

const OF_PPM: u64 = WHOLE / 1_000_000;

pub(super) fn shares(random: &mut Random, how: &Tasks, parts: usize) -> Vec<u64> {
    let whole = how.utilisation_ppm * OF_PPM;
    match how.division {
        Division::Uunifast => uunifast(random, whole, parts),
        Division::Drs { least_ppm, most_ppm } => {
            bounded(random, whole, parts, least_ppm * OF_PPM, most_ppm * OF_PPM)
        }
    }
}

/// Positive parts with this sum, every way as likely.
pub fn uunifast(random: &mut Random, whole: u64, parts: usize) -> Vec<u64> {
    random.shares(whole, parts)
}

/// Parts from `least` to `most` with this sum, every way as likely.
///
/// # Panics
/// If there is none.
pub fn bounded(random: &mut Random, whole: u64, parts: usize, least: u64, most: u64) -> Vec<u64> {
    let count = parts as u64;
    assert!(least * count <= whole && whole <= most * count, "there are such parts");
    let width = most - least;
    let rest = whole - least * count;
    if parts == 1 || width == 0 || rest == 0 || rest == width * count {
        return evenly(whole, parts);
    }
    let unit = unit_cube(random, exact(rest) / exact(width), parts);
    // Rounded to integers; what the sum then lacks is dealt out where there is room.
    let mut drawn: Vec<u64> =
        unit.into_iter().map(|part| rounded(part * exact(width)).min(width)).collect();
    let mut sum: u64 = drawn.iter().sum();
    for turn in (0..parts).cycle() {
        let part = &mut drawn[turn];
        match sum.cmp(&rest) {
            Ordering::Equal => break,
            Ordering::Less if *part < width => (*part, sum) = (*part + 1, sum + 1),
            Ordering::Greater if *part > 0 => (*part, sum) = (*part - 1, sum - 1),
            _ => {}
        }
    }
    drawn.into_iter().map(|part| least + part).collect()
}

/// The only way, up to a rest.
fn evenly(whole: u64, parts: usize) -> Vec<u64> {
    let count = parts as u64;
    (0..count).map(|number| whole / count + u64::from(number < whole % count)).collect()
}

/// A uniform point of the unit cube whose coordinates have this sum, `0 < sum < parts`.
fn unit_cube(random: &mut Random, sum: f64, parts: usize) -> Vec<f64> {
    let volumes = Volumes::of(sum, parts);
    let mut left = sum;
    let mut column = volumes.first;
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
struct Volumes {
    chances: Vec<f64>,
    parts: usize,
    /// The column at which the walk begins.
    first: usize,
}

impl Volumes {
    fn of(sum: f64, parts: usize) -> Self {
        let floor = (0..parts).rev().find(|whole| exact(*whole as u64) <= sum).unwrap_or(0);
        let beyond = sum - exact(floor as u64);
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
        Self { chances, parts, first: floor }
    }

    fn chance(&self, row: usize, column: usize) -> f64 {
        self.chances[row * self.parts + column]
    }
}

/// Fractions of a random number: every result is a whole number of them.
const FRACTIONS: u64 = 1 << 53;

/// Uniform from zero to below one.
fn uniform(random: &mut Random) -> f64 {
    exact(random.below(FRACTIONS)) / exact(FRACTIONS)
}

/// The root of this degree of a uniform number, which is the largest of as many.
fn power(random: &mut Random, degree: usize) -> f64 {
    let largest = (0..degree).map(|_| random.below(FRACTIONS)).max();
    exact(largest.expect("a degree above zero")) / exact(FRACTIONS)
}

#[expect(clippy::cast_precision_loss, reason = "at most 2^53")]
fn exact(number: u64) -> f64 {
    number as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 10^10")]
fn rounded(number: f64) -> u64 {
    number.max(0.0).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_within_their_bounds_and_add_up() {
        let mut random = Random::new(1, 0);
        for _ in 0..2_000 {
            let parts = random.index(12) + 1;
            let least = random.below(1_000);
            let most = least + random.below(100_000);
            let whole = random.between(least * parts as u64, most * parts as u64);
            let drawn = bounded(&mut random, whole, parts, least, most);
            assert_eq!(drawn.len(), parts);
            assert_eq!(drawn.iter().sum::<u64>(), whole);
            assert!(drawn.iter().all(|part| (least..=most).contains(part)), "{drawn:?}");
        }
    }

    /// Kolmogorov and Smirnov's distance of two samples of the same size.
    fn distance(mut one: Vec<u64>, mut other: Vec<u64>) -> f64 {
        one.sort_unstable();
        other.sort_unstable();
        let below = |of: &[u64], value: u64| of.partition_point(|x| *x <= value) as u64;
        let farthest = one.iter().map(|&x| below(&one, x).abs_diff(below(&other, x))).max();
        exact(farthest.expect("not empty")) / exact(one.len() as u64)
    }

    /// The bounded divisions are those of `UUniFast` that are within the bounds, as frequent as there. Seven
    /// comparisons; the limit is that of a false alarm in one of a million.
    #[test]
    fn bounded_parts_are_as_likely_as_those_kept_of_unbounded_ones() {
        const COUNT: usize = 20_000;
        // sqrt(-ln(alpha / 2) / 2) * sqrt(2 / n) for alpha = 10^-6 / 7.
        let limit = (-(1e-6_f64 / 14.0).ln()).sqrt() / exact(COUNT as u64).sqrt();
        for (parts, whole, least, most) in [
            (2, 1_000_000, 0, 900_000),
            (3, 1_500_000, 100_000, 800_000),
            (5, 1_000_000, 50_000, 400_000),
        ] {
            let (mut random, mut drawn, mut kept) = (Random::new(9, 0), Vec::new(), Vec::new());
            while drawn.len() < COUNT {
                drawn.push(bounded(&mut random, whole, parts, least, most));
            }
            while kept.len() < COUNT {
                let one = uunifast(&mut random, whole, parts);
                if one.iter().all(|part| (least..=most).contains(part)) {
                    kept.push(one);
                }
            }
            let of =
                |all: &[Vec<u64>], value: fn(&Vec<u64>) -> u64| all.iter().map(value).collect();
            let values: [fn(&Vec<u64>) -> u64; 2] =
                [|one| one[0], |one| *one.iter().max().expect("parts")];
            for value in values {
                let found = distance(of(&drawn, value), of(&kept, value));
                assert!(found < limit, "{parts} parts: {found} against {limit}");
            }
        }
    }
}
