//! Series of pictures, from what was seen. Nothing here decides anything.

use crate::exact::{Exact, place};
use vorrang_figure::{Series, Shape};
use vorrang_time::Duration;

/// Steps of a distribution that are drawn at most.
const STEPS: usize = 160;

/// The part of the responses that are complete within a time; those that are not complete count in the whole.
pub fn distribution(
    name: impl Into<String>,
    responses: &[Duration],
    unfinished: usize,
    unit: impl Fn(Duration) -> Exact,
) -> Series {
    let mut sorted = responses.to_vec();
    sorted.sort_unstable();
    let whole = (sorted.len() + unfinished).max(1);
    let every = sorted.len().div_ceil(STEPS).max(1);
    let mut points = Vec::new();
    for (index, response) in sorted.iter().enumerate() {
        if index == 0 {
            points.push((place(unit(*response)), 0.0));
        }
        if index % every == 0 || index + 1 == sorted.len() {
            let part = crate::exact::part(index as u64 + 1, whole as u64);
            points.push((place(unit(*response)), place(part)));
        }
    }
    Series::new(name, Shape::Steps, points)
}

/// Points of exact numbers.
pub fn points(pairs: impl IntoIterator<Item = (Exact, Exact)>) -> Vec<(f64, f64)> {
    pairs.into_iter().map(|(x, y)| (place(x), place(y))).collect()
}
