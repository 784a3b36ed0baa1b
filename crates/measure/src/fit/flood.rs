//! The flood model, conservative by construction.
//!
//! **Model.** The loss of the model is a line of slope `s = 1 − f0` up to a plateau `P = s·t_sust`.
//! With `s` the steepest `loss(t)/t` and `P` the largest `loss(t)` of all points of all runs,
//! `min(s·t, P) ≥ loss(t)` holds at every point, and no smaller slope or plateau would do.
//!
//! **Assumptions.** 1. Conservative with respect to the measurement at the ends of blocks only.
//!
//! **Cost.** Linear in the points.

use super::{Fit, Model};
use crate::curve::Curve;

/// The fit; without loss it is the full rate.
pub fn flood(curve: &Curve) -> Fit {
    let (mut slope, mut plateau_ns) = (0.0_f64, 0.0_f64);
    for point in curve.runs.iter().flatten() {
        if point.time_ns > 0.0 {
            slope = slope.max(point.loss_ns / point.time_ns);
        }
        plateau_ns = plateau_ns.max(point.loss_ns);
    }
    let sustained_ns = if slope > 0.0 { plateau_ns / slope } else { 0.0 };
    Fit::new(Model::Flood, 1.0 - slope, sustained_ns, &curve.middle())
}
