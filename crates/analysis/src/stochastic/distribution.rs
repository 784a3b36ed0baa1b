//! The distribution of an execution time, in steps.

use super::Probability;
use core::fmt;
use vorrang_time::Duration;

/// Steps that a distribution may be long: it keeps one bound within a second.
const MOST_STEPS: u32 = 4096;

/// How often an execution time takes how many steps, as weights of a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    step: Duration,
    /// Steps and their weight; weights above zero, steps increasing.
    weights: Vec<(u32, u32)>,
    total: u64,
}

/// Why numbers are no distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoDistribution {
    /// No weight is above zero.
    Empty,
    /// A time of more than 4096 steps.
    TooLong,
    /// The step is zero.
    NoStep,
}

impl fmt::Display for NoDistribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "no execution time has a weight",
            Self::TooLong => "an execution time is longer than 4096 steps",
            Self::NoStep => "the step is zero",
        })
    }
}

impl Distribution {
    /// Each time with its weight, rounded up to a whole number of steps.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn new(times: &[(Duration, u32)], step: Duration) -> Result<Self, NoDistribution> {
        if step.is_zero() {
            return Err(NoDistribution::NoStep);
        }
        let mut weights: Vec<(u32, u32)> = Vec::new();
        let mut total = 0;
        for &(time, weight) in times.iter().filter(|&&(_, weight)| weight > 0) {
            let steps = u32::try_from(time.div_ceil(step)).unwrap_or(u32::MAX);
            if steps > MOST_STEPS {
                return Err(NoDistribution::TooLong);
            }
            weights.push((steps, weight));
            total += u64::from(weight);
        }
        if weights.is_empty() {
            return Err(NoDistribution::Empty);
        }
        weights.sort_unstable();
        Ok(Self { step, weights, total })
    }

    /// The length of a step.
    pub fn step(&self) -> Duration {
        self.step
    }

    /// The longest time, in steps.
    pub fn longest(&self) -> u32 {
        self.weights.last().map_or(0, |&(steps, _)| steps)
    }

    /// The mean of `value` over all times, rounded up.
    pub(super) fn mean_ceil(&self, value: impl Fn(u32) -> Probability) -> Probability {
        let sum: u128 = self
            .weights
            .iter()
            .map(|&(c, weight)| u128::from(weight) * u128::from(value(c).0))
            .sum();
        Probability::at_most_one(sum.div_ceil(u128::from(self.total)))
    }
}
