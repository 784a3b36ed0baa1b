//! Two models of a curve, as a description knows them.
//!
//! ```text
//!   flood        f = f0 for t < t_sust, then 1     loss = (1 − f0)·min(t, t_sust)
//!   exponential  f = 1 + (f0 − 1)·exp(−t/τ)        loss = (1 − f0)·τ·(1 − exp(−t/τ))
//! ```

mod exponential;
mod flood;
#[cfg(test)]
mod synthetic;

pub use exponential::exponential;
pub use flood::flood;

use crate::curve::Point;

/// The kind of model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// The worst case.
    Flood,
    /// The average case.
    Exponential,
}

/// A model with its parameters, and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Which model.
    pub model: Model,
    /// The useful fraction right after the switch, f0.
    pub useful: f64,
    /// Flood: the time to the full rate. Exponential: the time constant.
    pub sustained_ns: f64,
    /// Root mean square, over time, of the deviation of the model from the curve that it is fitted to: of the
    /// medians for the worst case, of the means for the average.
    pub residual_ns: f64,
}

impl Fit {
    fn new(model: Model, useful: f64, sustained_ns: f64, middle: &[Point]) -> Self {
        let mut fit = Self { model, useful, sustained_ns, residual_ns: 0.0 };
        fit.residual_ns = fit.residual(middle);
        fit
    }

    /// The loss by this time after a switch.
    pub fn loss_ns(&self, time_ns: f64) -> f64 {
        let lost = 1.0 - self.useful;
        match self.model {
            Model::Flood => lost * time_ns.min(self.sustained_ns),
            Model::Exponential => {
                -lost * self.sustained_ns * (-time_ns / self.sustained_ns).exp_m1()
            }
        }
    }

    fn residual(&self, middle: &[Point]) -> f64 {
        let (mut squares, mut total, mut before) = (0.0, 0.0, 0.0);
        for point in middle {
            let weight = point.time_ns - before;
            before = point.time_ns;
            squares += weight * (self.loss_ns(point.time_ns) - point.loss_ns).powi(2);
            total += weight;
        }
        if total > 0.0 { (squares / total).sqrt() } else { 0.0 }
    }
}
