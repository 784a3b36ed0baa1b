//! The distribution of an execution time, in steps.

use super::Probability;
use core::fmt;
use vorrang_time::Duration;

/// Steps that a distribution may be long: it keeps one bound within a second.
const MOST_STEPS: u32 = 4096;

/// Steps of the longest time where the greatest common divisor is too short.
const STEPS: u64 = 1024;

/// How often an execution time takes how many steps, as weights of a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    step: Duration,
    /// Steps and their weight; weights above zero, steps increasing.
    weights: Vec<(u32, u64)>,
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
        let mut weights: Vec<(u32, u64)> = Vec::new();
        let mut total = 0;
        for &(time, weight) in times.iter().filter(|&&(_, weight)| weight > 0) {
            let steps = u32::try_from(time.div_ceil(step)).unwrap_or(u32::MAX);
            if steps > MOST_STEPS {
                return Err(NoDistribution::TooLong);
            }
            weights.push((steps, weight.into()));
            total += u64::from(weight);
        }
        if weights.is_empty() {
            return Err(NoDistribution::Empty);
        }
        weights.sort_unstable();
        Ok(Self { step, weights: merged(weights), total })
    }

    /// The step for times in a server of this budget: the greatest that divides them all; where
    /// that makes them too many steps, about [`STEPS`] of the longest time, and nearly a part of
    /// the budget.
    pub fn step_for(times: &[(Duration, u32)], budget: Duration) -> Duration {
        let longest = times.iter().map(|&(time, _)| time).max().unwrap_or_default();
        let all = times.iter().map(|&(time, _)| time.as_ns());
        let exact = Duration::from_ns(all.fold(budget.as_ns(), greatest_divisor));
        if longest.div_ceil(exact) <= STEPS {
            return exact;
        }
        let pieces = u128::from(STEPS) * u128::from(budget.as_ns());
        let pieces = u64::try_from(pieces / u128::from(longest.as_ns())).unwrap_or(u64::MAX);
        Duration::from_ns(budget.as_ns() / pieces.clamp(1, budget.as_ns()))
    }

    /// How many distinct times there are, at most.
    pub(super) fn times(&self) -> usize {
        self.weights.len()
    }

    /// The length of a step.
    pub fn step(&self) -> Duration {
        self.step
    }

    /// The longest time, in steps.
    pub fn longest(&self) -> u32 {
        self.weights.last().map_or(0, |&(steps, _)| steps)
    }

    /// The mean, in steps, rounded up.
    pub fn mean_steps_ceil(&self) -> u64 {
        let sum: u128 =
            self.weights.iter().map(|&(c, weight)| u128::from(c) * u128::from(weight)).sum();
        u64::try_from(sum.div_ceil(u128::from(self.total))).expect("at most the longest")
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

/// Equal numbers of steps are one.
fn merged(weights: Vec<(u32, u64)>) -> Vec<(u32, u64)> {
    let mut merged: Vec<(u32, u64)> = Vec::with_capacity(weights.len());
    for (steps, weight) in weights {
        match merged.last_mut() {
            Some(last) if last.0 == steps => last.1 += weight,
            _ => merged.push((steps, weight)),
        }
    }
    merged
}

fn greatest_divisor(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
