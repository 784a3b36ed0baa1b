//! From numbers to places along one direction.

use crate::chart::{Axis, Scale};

/// No drawing reaches further out of the picture than this: readers differ in what they do with more.
const FAR: f64 = 20_000.0;

/// An axis with its ends, on pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    scale: Scale,
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// The pixels of both ends.
    pub(crate) pixels: (f64, f64),
}

impl Place {
    /// Over all values that have a place, and zero where these begin not far above it.
    pub(crate) fn over(axis: &Axis, values: impl Iterator<Item = f64>, pixels: (f64, f64)) -> Self {
        let mut ends: Option<(f64, f64)> = None;
        for value in values.filter(|&value| axis.has(value)) {
            let (least, most) = ends.unwrap_or((value, value));
            ends = Some((least.min(value), most.max(value)));
        }
        let (from, to) = match axis.scale {
            Scale::Linear => linear(axis, ends.unwrap_or((0.0, 1.0))),
            Scale::Logarithmic => logarithmic(axis, ends.unwrap_or((1.0, 10.0))),
        };
        Self { scale: axis.scale, from, to, pixels }
    }

    /// The pixel of a value; `None` where it has none.
    pub(crate) fn of(&self, value: f64) -> Option<f64> {
        if !value.is_finite() {
            return None;
        }
        let part = match self.scale {
            Scale::Linear => (value - self.from) / (self.to - self.from),
            Scale::Logarithmic if value > 0.0 => {
                (libm::log10(value) - libm::log10(self.from))
                    / (libm::log10(self.to) - libm::log10(self.from))
            }
            Scale::Logarithmic => return None,
        };
        let (from, to) = self.pixels;
        Some((from + part * (to - from)).clamp(-FAR, FAR))
    }

    /// Round numbers along it.
    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        let (from, to) = self.pixels;
        let long = (to - from).abs();
        match self.scale {
            Scale::Linear => {
                crate::ticks::linear(self.from, self.to, if long > 500.0 { 8 } else { 5 })
            }
            Scale::Logarithmic => crate::ticks::decades(self.from, self.to),
        }
    }

    /// Whether a value is between the ends.
    pub(crate) fn is_inside(&self, value: f64) -> bool {
        value >= self.from && value <= self.to
    }
}

fn linear(axis: &Axis, (least, most): (f64, f64)) -> (f64, f64) {
    let near_zero = least >= 0.0 && least < most * 0.4;
    let from = axis.from.unwrap_or(if near_zero { 0.0 } else { least });
    let to = axis.to.unwrap_or_else(|| most + (most - from).abs() * 0.05);
    if to > from { (from, to) } else { (from, from + 1.0) }
}

fn logarithmic(axis: &Axis, (least, most): (f64, f64)) -> (f64, f64) {
    let above_zero = |of: &f64| *of > 0.0;
    let from = axis.from.filter(above_zero).unwrap_or(least / 1.25);
    let to = axis.to.filter(above_zero).unwrap_or(most * 1.25);
    if to > from { (from, to) } else { (from, from * 10.0) }
}
