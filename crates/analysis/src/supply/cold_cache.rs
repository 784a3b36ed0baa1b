//! A supply whose time is worth less at first: the cache of a virtual processor is cold whenever
//! another context had the core.
//!
//! **Model.** Each cold start loses at most `L` of the supply's time, so
//! `time_for(w)` is the least `x = supply(w + L + sum over what may come between ceil((x + J) / T) L)`.
//!
//! **Assumptions.** 1. Every start is cold and loses `L`: all that the curve of the cache can lose,
//! however short the run. 2. Budget is charged by time.
//!
//! Reference: Kaiser 2008 for the curves; the count is derived in docs/theory/cold-caches.md.

use super::{Residual, Supply};
use crate::demand::Loads;
use crate::derivation::{Derivation, OfSupply};
use crate::ground::Rate;
use crate::ground::Repetition;
use crate::ground::Source;
use crate::ground::{Effort, NoBound};
use vorrang_time::Duration;

/// A supply with a cold cache.
#[derive(Clone, Copy)]
pub struct ColdCache<'a> {
    of: Source,
    supply: &'a dyn Supply,
    left: Residual<'a>,
    loss: Duration,
    starts: Loads<'a>,
}

impl<'a> ColdCache<'a> {
    /// The time of `supply` less `loss` at first and at each of `starts`.
    pub fn new(
        of: Source,
        supply: &'a dyn Supply,
        loss: Duration,
        starts: Loads<'a>,
        effort: &'a Effort,
    ) -> Self {
        let left = Residual::new(supply, starts, effort).blocked(loss);
        Self { of, supply, left, loss, starts }
    }
}

impl Supply for ColdCache<'_> {
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        self.left.time_for(work)
    }

    fn repeats(&self) -> Option<Repetition> {
        self.left.repeats()
    }

    fn rate_ceil(&self) -> Rate {
        self.left.rate_ceil()
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        let Ok(window) = self.time_for(work) else { return };
        let Self { of, loss, .. } = *self;
        to.push(OfSupply::ColdCache { of, work, window, loss });
        let demand = to.terms(work + loss, self.starts, window);
        self.supply.derive(demand, to);
    }
}
