//! A line below a supply: nothing for Δ, then a constant share α.
//!
//! **Model.** `time_for(w) = Δ + ceil(w / α)`, with α = Θ/Π as a fraction. Every supply that comes
//! in periods has such a line below it, which is worse by less than a period but needs two numbers
//! only, whatever provides it:
//!
//! | supply | α | Δ |
//! |---|---|---|
//! | periodic resource with deadline D | Θ/Π | Π + D − 2 Θ |
//! | fixed slot | Θ/Π | Π − Θ |
//!
//! **Assumptions.** 1. The line lies below what is provided ([`super::Linear`]; tested against
//! periodic resource and slot).
//!
//! Reference: Mok, Feng, Chen 2001 (bounded delay); Shin, Lee 2003 (linear supply bound function).
//!
//! Theory: docs/theory/supply.md.

use super::Supply;
use crate::derivation::{Derivation, OfRule};
use crate::ground::NoBound;
use crate::ground::Repetition;
use crate::ground::Source;
use crate::ground::{Rate, share};
use vorrang_time::Duration;

/// A share of the time after a delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundedDelay {
    of: Source,
    budget: Duration,
    period: Duration,
    delay: Duration,
    /// α in units of 2^-32, rounded down.
    share: u64,
}

impl BoundedDelay {
    /// `budget` / `period` of the time (α) after `delay` (Δ).
    ///
    /// # Panics
    /// Unless 0 < budget <= period.
    pub fn new(of: Source, budget: Duration, period: Duration, delay: Duration) -> Self {
        assert!(!budget.is_zero() && budget <= period);
        Self { of, budget, period, delay, share: share(budget, period) }
    }

    /// The line, so much later.
    #[must_use]
    pub(super) fn later(self, by: Duration) -> Self {
        Self { delay: self.delay + by, ..self }
    }

    /// The delay Δ.
    #[inline]
    pub(crate) fn delay(&self) -> Duration {
        self.delay
    }

    /// α in units of 2^-32, rounded down.
    #[inline]
    pub(crate) fn share(&self) -> u64 {
        self.share
    }
}

impl Supply for BoundedDelay {
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        if work.is_zero() {
            return Ok(Duration::ZERO);
        }
        let product = u128::from(work.as_ns()) * u128::from(self.period.as_ns());
        let time = u64::try_from(product.div_ceil(self.budget.as_ns().into()));
        let time = time.map_err(|_| NoBound::TooLong)?;
        Duration::from_ns(time).checked_add(self.delay).ok_or(NoBound::TooLong)
    }

    fn repeats(&self) -> Option<Repetition> {
        Some(Repetition { work: self.budget, time: self.period })
    }

    fn rate_ceil(&self) -> Rate {
        Rate::ceil(self.budget, self.period)
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        let Ok(time) = self.time_for(work) else { return };
        let Self { of, delay, budget, period, .. } = *self;
        to.push(OfRule::BoundedDelay { of, delay, budget, period, work, time });
        to.cite("bounded delay, Mok, Feng, Chen 2001");
    }
}
