//! The periodic resource with an explicit deadline.
//!
//! **Model.** In every period Π the resource provides Θ, at the latest by Δ after the start of
//! the period. At worst one budget comes as early as it can, just before the window, and the
//! next as late as it can:
//!
//! ```text
//!      Θ        window of interest begins
//!   |█████|·····:·····|·········█████|·········█████|
//!   0     Θ           Π             Π+Δ
//!          <─ Π−Θ ──> <── Δ−Θ ─>
//! ```
//!
//! so `time_for(w) = w + (Π − Θ) + (Δ − Θ) + (ceil(w / Θ) − 1)(Π − Θ)`. Δ may lie behind the period:
//! then a budget comes late, but the next one does not wait for it.
//!
//! A polling server may have found nothing one unit before the window, or at its beginning, and
//! have lost the whole budget: Q − 1 or Q more at first ([`PeriodicResource::polled`]).
//!
//! **Assumptions.** 1. Every period provides Θ by Δ whenever time is wanted throughout
//! (schedulability of the server on its parent, shown separately).
//!
//! Reference: Shin, Lee 2003, eq. 3 (Δ = Π); Easwaran, Anand, Lee 2007, eq. 4.
//!
//! Theory: docs/theory/periodic-resource.md, docs/theory/polling-server.md.

use super::{BoundedDelay, Linear, Supply};
use crate::derivation::{Derivation, OfRule};
use crate::ground::NoBound;
use crate::ground::Rate;
use crate::ground::Repetition;
use crate::ground::Source;
use vorrang_time::{Divisor, Duration};

/// Θ in every Π, at the latest by Δ.
#[derive(Clone, Copy, Debug)]
pub struct PeriodicResource {
    of: Source,
    budget: Duration,
    /// For divisions by the budget.
    budgets: Divisor,
    period: Duration,
    /// What it is at least; it begins as the resource does, after Π + Δ − 2Θ, or with the budget
    /// lost at the poll after Π + Δ − Θ − 1.
    line: BoundedDelay,
    gap: Duration,
}

impl PeriodicResource {
    /// A resource with `budget` (Θ) in every `period` (Π), delivered by `deadline` (Δ).
    ///
    /// # Panics
    /// Unless 0 < budget <= period and budget <= deadline.
    pub fn new(of: Source, budget: Duration, period: Duration, deadline: Duration) -> Self {
        assert!(!budget.is_zero() && budget <= deadline && budget <= period);
        let gap = period - budget;
        let budgets = Divisor::new(budget);
        let line = BoundedDelay::new(of, budget, period, gap + (deadline - budget));
        Self { of, budget, budgets, period, line, gap }
    }

    /// A budget that is not wanted at the start of its period, so long or more before a window, is
    /// lost.
    ///
    /// # Panics
    /// Unless `before` is at most the budget.
    #[must_use]
    pub fn polled(self, before: Duration) -> Self {
        Self { line: self.line.later(self.budget - before), ..self }
    }
}

impl Linear for PeriodicResource {
    #[inline]
    fn linear(&self) -> BoundedDelay {
        self.line
    }

    #[inline]
    fn least_delay(&self) -> Duration {
        self.line.delay() - self.gap
    }
}

impl Supply for PeriodicResource {
    #[inline]
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        if work.is_zero() {
            return Ok(Duration::ZERO);
        }
        let gaps = self.gap.checked_mul(self.budgets.ceil_of(work) - 1).ok_or(NoBound::TooLong)?;
        (self.line.delay() + work).checked_add(gaps).ok_or(NoBound::TooLong)
    }

    fn repeats(&self) -> Option<Repetition> {
        Some(Repetition { work: self.budget, time: self.period })
    }

    fn rate_ceil(&self) -> Rate {
        Rate::ceil(self.budget, self.period)
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        if work.is_zero() {
            return;
        }
        let waits = self.budgets.ceil_of(work) - 1;
        let Self { of, budget, period, gap, .. } = *self;
        let delay = self.line.delay();
        to.push(OfRule::PeriodicResource { of, budget, period, delay, work, waits, gap });
        to.cite("periodic resource with deadline, Easwaran, Anand, Lee 2007, eq. 4; docs/theory/periodic-resource.md");
    }
}
