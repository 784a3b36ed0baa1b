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
//!
//! Theory: docs/theory/fixed-slot.md.

use super::{BoundedDelay, Linear, Supply};
use crate::derivation::{Derivation, OfRule};
use crate::ground::NoBound;
use crate::ground::Rate;
use crate::ground::Repetition;
use crate::ground::Source;
use vorrang_time::Duration;

/// Θ at a fixed offset of every Π.
#[derive(Clone, Copy, Debug)]
pub struct FixedSlot {
    of: Source,
    budget: Duration,
    period: Duration,
}

impl FixedSlot {
    /// A slot of length `budget` (Θ) in every `period` (Π).
    ///
    /// # Panics
    /// Unless 0 < budget <= period.
    pub fn new(of: Source, budget: Duration, period: Duration) -> Self {
        assert!(!budget.is_zero() && budget <= period);
        Self { of, budget, period }
    }
}

impl Linear for FixedSlot {
    fn linear(&self) -> BoundedDelay {
        BoundedDelay::new(self.of, self.budget, self.period, self.period - self.budget)
    }

    fn least_delay(&self) -> Duration {
        Duration::ZERO
    }
}

impl Supply for FixedSlot {
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        let gaps = (self.period - self.budget)
            .checked_mul(work.div_ceil(self.budget))
            .ok_or(NoBound::TooLong)?;
        gaps.checked_add(work).ok_or(NoBound::TooLong)
    }

    fn repeats(&self) -> Option<Repetition> {
        Some(Repetition { work: self.budget, time: self.period })
    }

    fn rate_ceil(&self) -> Rate {
        Rate::ceil(self.budget, self.period)
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        let Self { of, budget, period } = *self;
        to.push(OfRule::FixedSlot { of, budget, period, work });
        to.cite("fixed slot, Kaiser, Zöbel 2009; docs/theory/fixed-slot.md");
    }
}
