//! A dedicated core for so many steps of a search.

use std::cell::Cell;
use vorrang_analysis::supply::{BoundedDelay, Dedicated, Linear, Supply};
use vorrang_analysis::{Derivation, NoBound, Rate};
use vorrang_time::Duration;

/// Steps of all searches for response times of a set before it is left to the analysis of descriptions, which
/// counts its effort, too: where next to nothing is left of the processor they are as many as
/// nanoseconds. Far more than sets need that are not made for it.
const MOST_STEPS: u32 = 1 << 14;

/// A dedicated core, which counts how often it is asked.
pub(crate) struct Counted {
    left: Cell<u32>,
}

impl Default for Counted {
    fn default() -> Self {
        Self { left: Cell::new(MOST_STEPS) }
    }
}

impl Counted {
    /// Whether it was not asked too often, so that what was found is so.
    pub(crate) fn is_within(&self) -> bool {
        self.left.get() > 0
    }
}

impl Supply for Counted {
    #[inline]
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        let left = self.left.get();
        if left == 0 {
            return Err(NoBound::Effort);
        }
        self.left.set(left - 1);
        Dedicated.time_for(work)
    }

    fn rate_ceil(&self) -> Rate {
        Dedicated.rate_ceil()
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        Dedicated.derive(work, to);
    }
}

impl Linear for Counted {
    #[inline]
    fn linear(&self) -> BoundedDelay {
        Dedicated.linear()
    }

    #[inline]
    fn least_delay(&self) -> Duration {
        Dedicated.least_delay()
    }
}
