//! The same interval of every period.
//!
//! **Model.** The slot never moves, so a window meets at most one gap Π − Θ for each Θ of work:
//! `time_for(w) = w + (Π − Θ) ceil(w / Θ)`.
//!
//! **Assumptions.** 1. The slot stands at a fixed offset of every period. Under a scheduler that
//! moves it (global fixed priority or EDF) this is optimistic by up to Π − Θ: a VM that Kaiser
//! and Zöbel's criterion accepts misses its deadline there (`examples/proxy-edf.toml`).
//!
//! Reference: Kaiser, Zöbel 2009 (proxy process with the disturbance as one task).

use super::{BoundedDelay, Linear, Supply};
use crate::effort::NoBound;
use crate::explanation::Lines;
use crate::rate::Rate;
use vorrang_time::Duration;

/// Θ at a fixed offset of every Π.
#[derive(Clone, Copy, Debug)]
pub struct FixedSlot<'a> {
    name: &'a str,
    budget: Duration,
    period: Duration,
}

impl<'a> FixedSlot<'a> {
    /// A slot of length `budget` (Θ) in every `period` (Π).
    ///
    /// # Panics
    /// Unless 0 < budget <= period.
    pub fn new(name: &'a str, budget: Duration, period: Duration) -> Self {
        assert!(!budget.is_zero() && budget <= period);
        Self { name, budget, period }
    }
}

impl Linear for FixedSlot<'_> {
    fn linear(&self) -> BoundedDelay<'_> {
        BoundedDelay::new(self.name, self.budget, self.period, self.period - self.budget)
    }

    fn least_delay(&self) -> Duration {
        Duration::ZERO
    }
}

impl Supply for FixedSlot<'_> {
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        let gaps = (self.period - self.budget)
            .checked_mul(work.div_ceil(self.budget))
            .ok_or(NoBound::TooLong)?;
        gaps.checked_add(work).ok_or(NoBound::TooLong)
    }

    fn rate_ceil(&self) -> Rate {
        Rate::ceil(self.budget, self.period)
    }

    fn explain(&self, work: Duration, lines: &mut Lines) {
        lines.push(format!(
            "{}: the slot of {} in every {} is missed {} times for {} each while {work} of work is done",
            self.name,
            self.budget,
            self.period,
            work.div_ceil(self.budget),
            self.period - self.budget
        ));
        lines.cite("fixed slot, Kaiser, Zöbel 2009");
    }
}
