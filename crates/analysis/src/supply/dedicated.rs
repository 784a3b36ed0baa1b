//! A core with nothing above: every nanosecond is a nanosecond of work.
//!
//! Theory: docs/theory/supply.md.

use super::{BoundedDelay, Linear, Supply};
use crate::derivation::Derivation;
use crate::ground::NoBound;
use crate::ground::Rate;
use crate::ground::Repetition;
use crate::ground::Source;
use vorrang_time::Duration;

/// A dedicated core.
#[derive(Clone, Copy, Debug)]
pub struct Dedicated;

impl Supply for Dedicated {
    #[inline]
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        Ok(work)
    }

    fn repeats(&self) -> Option<Repetition> {
        let (work, time) = (Duration::RESOLUTION, Duration::RESOLUTION);
        Some(Repetition { work, time })
    }

    fn rate_ceil(&self) -> Rate {
        Rate::ONE
    }

    fn derive(&self, _work: Duration, _to: &mut Derivation) {}
}

impl Linear for Dedicated {
    #[inline]
    fn linear(&self) -> BoundedDelay {
        BoundedDelay::new(
            Source::Unnamed,
            Duration::RESOLUTION,
            Duration::RESOLUTION,
            Duration::ZERO,
        )
    }

    #[inline]
    fn least_delay(&self) -> Duration {
        Duration::ZERO
    }
}
