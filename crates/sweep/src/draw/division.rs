//! Utilisations: a whole divided into parts, every division as likely.
//!
//! **Model.** Without bounds the parts are the distances between uniform cuts, in integers (`UUniFast`:
//! Bini, Buttazzo 2005). With the same bounds for all parts the divisions are a slice of a cube (`cube.rs`), with
//! bounds of their own a slice of a box (`cells.rs`). Both are the distribution that Dirichlet-Rescale (Griffin,
//! Bate, Davis 2020) was made for, and that with different bounds it does not have, as its authors found
//! (Griffin, Davis 2025, `ConvolutionalFixedSum`).
//!
//! **Assumptions.** 1. Bounds are whole millionths; the reading of a study sees to what `cells.rs` needs.
//!
//! **Cost.** The square of the number of parts, and with different bounds that of their cells.

use super::cells::Cells;
use super::cube::{Volumes, exact, rounded, unit_cube};
use std::cmp::Ordering;
use vorrang_random::Random;

/// Utilisations are divided in billionths of the core.
pub(super) const WHOLE: u64 = 1_000_000_000;

const OF_PPM: u64 = WHOLE / 1_000_000;

/// The parts of so many tasks, in billionths; bounds are in millionths, and `cells` are used again where these are
/// the same.
pub(super) fn shares(
    random: &mut Random,
    whole_ppm: u64,
    (least_ppm, most_ppm): (&[u64], &[u64]),
    parts: usize,
    cells: &mut Option<Cells>,
) -> Vec<u64> {
    let whole = whole_ppm * OF_PPM;
    if let ([least], [most]) = (least_ppm, most_ppm) {
        return bounded(random, whole, parts, least * OF_PPM, most * OF_PPM);
    }
    let each = |bounds: &[u64]| -> Vec<u64> {
        bounds.iter().cycle().take(parts).map(|ppm| ppm * OF_PPM).collect()
    };
    bounded_each(random, whole, &each(least_ppm), &each(most_ppm), cells)
}

/// Parts from `least` to `most` with this sum, every way as likely.
///
/// # Panics
/// If there is none.
fn bounded(random: &mut Random, whole: u64, parts: usize, least: u64, most: u64) -> Vec<u64> {
    let count = parts as u64;
    assert!(least * count <= whole && whole <= most * count, "there are such parts");
    let width = most - least;
    let rest = whole - least * count;
    if parts == 1 || width == 0 || rest == 0 || rest == width * count {
        return evenly(whole, parts);
    }
    let sum = exact(rest) / exact(width);
    let floor = (0..parts).rev().find(|whole| exact(*whole as u64) <= sum).unwrap_or(0);
    let volumes = Volumes::of(sum - exact(floor as u64), parts);
    let unit = unit_cube(random, &volumes, floor);
    let drawn = unit.into_iter().map(|part| rounded(part * exact(width))).collect();
    let within = settled(drawn, &vec![width; parts], rest);
    within.into_iter().map(|part| least + part).collect()
}

/// Parts from `least` to `most`, each by its own, with this sum, every way as likely.
///
/// # Panics
/// If there is none.
fn bounded_each(
    random: &mut Random,
    whole: u64,
    least: &[u64],
    most: &[u64],
    cells: &mut Option<Cells>,
) -> Vec<u64> {
    let widths: Vec<u64> = least.iter().zip(most).map(|(least, most)| most - least).collect();
    let rest = whole - least.iter().sum::<u64>();
    assert!(rest <= widths.iter().sum(), "there are such parts");
    if cells.as_ref().is_none_or(|cells| cells.widths() != widths) {
        *cells = Some(Cells::of(&widths));
    }
    let drawn = cells.as_ref().expect("they are there").drawn(random, rest);
    let within = settled(drawn, &widths, rest);
    within.into_iter().zip(least).map(|(part, least)| least + part).collect()
}

/// Rounded to integers; what the sum then lacks, or has too much, is dealt out where there is room.
fn settled(mut drawn: Vec<u64>, widths: &[u64], rest: u64) -> Vec<u64> {
    for (part, width) in drawn.iter_mut().zip(widths) {
        *part = (*part).min(*width);
    }
    let mut sum: u64 = drawn.iter().sum();
    for turn in (0..drawn.len()).cycle() {
        let part = &mut drawn[turn];
        match sum.cmp(&rest) {
            Ordering::Equal => break,
            Ordering::Less if *part < widths[turn] => (*part, sum) = (*part + 1, sum + 1),
            Ordering::Greater if *part > 0 => (*part, sum) = (*part - 1, sum - 1),
            _ => {}
        }
    }
    drawn
}

/// The only way, up to a rest.
fn evenly(whole: u64, parts: usize) -> Vec<u64> {
    let count = parts as u64;
    (0..count).map(|number| whole / count + u64::from(number < whole % count)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::cube::distance;
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
                let one = random.shares(whole, parts);
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

    #[test]
    fn parts_are_within_bounds_of_their_own_and_add_up() {
        let (mut random, mut cells) = (Random::new(1, 0), None);
        for _ in 0..2_000 {
            let parts = random.index(8) + 1;
            let side = random.between(1, 1_000);
            let least: Vec<u64> = (0..parts).map(|_| random.below(1_000)).collect();
            let most: Vec<u64> =
                least.iter().map(|least| least + side * random.below(30)).collect();
            let [low, high] = [&least, &most].map(|all| all.iter().sum());
            let whole = random.between(low, high);
            let drawn = bounded_each(&mut random, whole, &least, &most, &mut cells);
            assert_eq!(drawn.iter().sum::<u64>(), whole);
            let mut within = drawn.iter().zip(least.iter().zip(&most));
            assert!(within.all(|(part, (least, most))| least <= part && part <= most));
        }
    }

    /// They are those of `UUniFast` that are within the bounds, as frequent as there: part by part, and in pairs,
    /// which differ where the parts alone do not. The limit is that of a false alarm in one of a million.
    #[test]
    fn parts_with_bounds_of_their_own_are_as_likely_as_those_kept_of_unbounded_ones() {
        const COUNT: usize = 20_000;
        let limit = (-(1e-6_f64 / 40.0).ln()).sqrt() / exact(COUNT as u64).sqrt();
        for (whole, least, most) in [
            (1_000_000, vec![0, 0, 0], vec![900_000, 300_000, 200_000]),
            (1_000_000, vec![100_000, 0, 200_000], vec![600_000, 500_000, 700_000]),
            (900_000, vec![0, 50_000, 0, 100_000], vec![250_000, 450_000, 500_000, 350_000]),
        ] {
            let (mut random, mut cells) = (Random::new(9, 0), None);
            let (mut drawn, mut kept) = (Vec::new(), Vec::new());
            while drawn.len() < COUNT {
                drawn.push(bounded_each(&mut random, whole, &least, &most, &mut cells));
            }
            while kept.len() < COUNT {
                let one = random.shares(whole, least.len());
                if one.iter().zip(least.iter().zip(&most)).all(|(x, (l, m))| l <= x && x <= m) {
                    kept.push(one);
                }
            }
            for first in 0..least.len() {
                for second in first..least.len() {
                    let of = |all: &[Vec<u64>]| -> Vec<u64> {
                        all.iter().map(|one| one[first] + one[second]).collect()
                    };
                    let found = distance(of(&drawn), of(&kept));
                    assert!(found < limit, "{first}, {second}: {found} against {limit}");
                }
            }
        }
    }
}
