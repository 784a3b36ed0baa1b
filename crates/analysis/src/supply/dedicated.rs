//! A core with nothing above: every nanosecond is a nanosecond of work.

use super::{BoundedDelay, Linear, Supply};
use crate::effort::NoBound;
use crate::explanation::Lines;
use crate::rate::Rate;
use vorrang_time::Duration;

/// A dedicated core.
#[derive(Clone, Copy, Debug)]
pub struct Dedicated;

impl Supply for Dedicated {
    #[inline]
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        Ok(work)
    }

    fn rate_ceil(&self) -> Rate {
        Rate::ONE
    }

    fn explain(&self, _work: Duration, _lines: &mut Lines) {}
}

impl Linear for Dedicated {
    #[inline]
    fn linear(&self) -> BoundedDelay<'_> {
        BoundedDelay::new("dedicated", Duration::RESOLUTION, Duration::RESOLUTION, Duration::ZERO)
    }

    #[inline]
    fn least_delay(&self) -> Duration {
        Duration::ZERO
    }
}
