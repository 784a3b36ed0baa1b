//! The exponential model by least squares.
//!
//! **Model.** The loss is `A·g(t)` with `A = 1 − f0` and `g(t) = τ·(1 − exp(−t/τ))`. For a given `τ`
//! the best `A` is `Σ w·loss·g / Σ w·g²`, kept within 0 and 1; `τ` is searched for, coarsely first so
//! that a second minimum does not mislead, then by golden section on its logarithm. A point weighs as
//! much as the time since the one before, so that the fit does not depend on where blocks end.
//!
//! **Cost.** Linear in the points, [`COARSE`] + [`FINE`] times.

use super::{Fit, Model};
use crate::curve::{Curve, Point};

/// Steps of the coarse search: about 1.2 from one to the next over nine decades.
const COARSE: u32 = 120;
/// Steps of the fine search: each leaves 0.62 of an interval.
const FINE: u32 = 40;

/// The fit of the curve of the means: an average.
pub fn exponential(curve: &Curve) -> Fit {
    let mean = curve.average();
    let Some(last) = mean.last().filter(|last| last.time_ns > 0.0) else {
        return Fit::new(Model::Exponential, 1.0, 0.0, &mean);
    };
    let at = |logarithm: f64| best_of(logarithm.exp(), &mean);
    // From far below the first block to far beyond the last one.
    let (from, to) = ((last.time_ns * 1e-6).ln(), (last.time_ns * 1e3).ln());
    let step = (to - from) / f64::from(COARSE);
    let coarse = (0..=COARSE).map(|index| from + step * f64::from(index));
    let better = |a: &f64, b: &f64| at(*a).residual_ns.total_cmp(&at(*b).residual_ns);
    let middle_of = coarse.min_by(better).unwrap_or(from);
    golden_section(middle_of - step, middle_of + step, at)
}

fn golden_section(mut from: f64, mut to: f64, at: impl Fn(f64) -> Fit) -> Fit {
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    for _ in 0..FINE {
        let width = golden * (to - from);
        if at(to - width).residual_ns <= at(from + width).residual_ns {
            to = from + width;
        } else {
            from = to - width;
        }
    }
    at(f64::midpoint(from, to))
}

/// The best fit with this time constant.
fn best_of(constant_ns: f64, mean: &[Point]) -> Fit {
    let (mut product, mut square, mut before) = (0.0, 0.0, 0.0);
    for point in mean {
        let weight = point.time_ns - before;
        before = point.time_ns;
        let shape = -constant_ns * (-point.time_ns / constant_ns).exp_m1();
        product += weight * point.loss_ns * shape;
        square += weight * shape * shape;
    }
    let lost = if square > 0.0 { (product / square).clamp(0.0, 1.0) } else { 0.0 };
    Fit::new(Model::Exponential, 1.0 - lost, constant_ns, mean)
}
