//! The legend: samples with names, in lines as wide as the figure.

use crate::svg::width_of;

/// Height of a line.
pub(super) const LINE: f64 = 18.0;
/// Width of a sample, with the gap behind it.
pub(super) const SAMPLE: f64 = 32.0;
/// Between two entries.
const GAP: f64 = 16.0;

/// Where each entry stands, from the upper left corner of the legend, and the height of all.
pub(super) fn places<'a>(
    names: impl Iterator<Item = &'a str>,
    width: f64,
) -> (Vec<(f64, f64)>, f64) {
    let mut places = Vec::new();
    let (mut x, mut y) = (0.0, 0.0);
    for name in names {
        let wide = SAMPLE + width_of(name, 12.0);
        if x > 0.0 && x + wide > width {
            (x, y) = (0.0, y + LINE);
        }
        places.push((x, y));
        x += wide + GAP;
    }
    let height = if places.is_empty() { 0.0 } else { y + LINE };
    (places, height)
}
