//! What throttling leaves of a core for its real-time threads.
//!
//! **Model.** At every expiry of a timer, P apart, a budget R is taken off a count; while the count is at least R it may be
//! that nothing is provided. The count grows only while something that counts has the core, and is at most `R + K` at
//! an expiry. At worst it is that at the last expiry before the window, and the window begins when R is reached again:
//!
//! ```text
//!   |███████·|···········|██████████···|█████████████···|      R − K, then R in every period
//!            ^ window     <─ R − K ─>
//!             <─ P − R + K ─>
//! ```
//!
//! so with `m = ceil((w + K) / R) − 1` it takes `time_for(w) = w + (P − R) + K + m (P − R)`, and K more where `m > 0`.
//!
//! **Assumptions.** 1. The count begins each period with no more than K. 2. Whatever grows it is part of the work.
//!
//! Theory: docs/theory/throttling.md.

use super::Supply;
use crate::derivation::{Derivation, OfSupply};
use crate::ground::NoBound;
use crate::ground::Rate;
use vorrang_model::system::RtLimit;
use vorrang_time::Duration;

/// The time of real-time threads.
#[derive(Clone, Copy, Debug)]
pub struct Throttled {
    limit: RtLimit,
    /// What is counted at most when a period begins.
    carried: Duration,
}

impl Throttled {
    /// A limit with so much carried into each period.
    ///
    /// # Panics
    /// Unless less than a budget is carried.
    pub fn new(limit: RtLimit, carried: Duration) -> Self {
        assert!(carried < limit.budget && limit.budget < limit.period);
        Self { limit, carried }
    }

    /// How often work waits for the next period after the first time.
    fn waits(&self, work: Duration) -> Result<u64, NoBound> {
        let counted = work.checked_add(self.carried).ok_or(NoBound::TooLong)?;
        Ok(counted.div_ceil(self.limit.budget) - 1)
    }
}

impl Supply for Throttled {
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        if work.is_zero() {
            return Ok(Duration::ZERO);
        }
        let (kept, waits) = (self.limit.kept(), self.waits(work)?);
        let carried = self.carried * (1 + u64::from(waits > 0));
        let waiting = kept.checked_mul(waits).and_then(|sum| sum.checked_add(kept + carried));
        waiting.and_then(|waiting| waiting.checked_add(work)).ok_or(NoBound::TooLong)
    }

    fn rate_ceil(&self) -> Rate {
        Rate::ceil(self.limit.budget, self.limit.period)
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        let Ok(waits) = self.waits(work) else { return };
        if work.is_zero() {
            return;
        }
        let RtLimit { budget, period, .. } = self.limit;
        let carried = self.carried;
        to.push(OfSupply::Throttled { budget, period, carried, work, waits });
        to.cite("docs/theory/throttling.md");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest time for some work in any window, by every count and phase at its beginning, where the work is always
    /// there and nothing else counts but what `carried` stands for.
    fn slowest(limit: RtLimit, carried: u64, work: u64) -> u64 {
        let (budget, period) = (limit.budget.as_ns(), limit.period.as_ns());
        let mut slowest = 0;
        for first in 0..=period {
            // So much of the period is over when the window begins.
            let over = period - first;
            for count in 0..=budget + carried {
                if count > over + carried {
                    continue;
                }
                let (mut count, mut left, mut now, mut next) = (count, work, 0, first);
                let mut is_on = count >= budget;
                while left > 0 {
                    if now == next {
                        count -= count.min(budget);
                        is_on &= count >= budget;
                        next += period;
                    }
                    if !is_on {
                        left -= 1;
                        count += 1;
                        is_on = count >= budget;
                    }
                    now += 1;
                }
                slowest = slowest.max(now);
            }
        }
        slowest
    }

    fn limit(budget: u64, period: u64) -> RtLimit {
        let (budget, period) = (Duration::from_ns(budget), Duration::from_ns(period));
        RtLimit { budget, period, late: Duration::ZERO }
    }

    #[test]
    fn no_window_is_slower() {
        for period in 2..9 {
            for budget in 1..period {
                let limit = limit(budget, period);
                for carried in 0..budget {
                    let supply = Throttled::new(limit, Duration::from_ns(carried));
                    for work in 1..4 * period {
                        let bound = supply.time_for(Duration::from_ns(work)).expect("it is short");
                        let slowest = slowest(limit, carried, work);
                        assert!(bound.as_ns() >= slowest, "{budget}/{period}, {carried}: {work}");
                        assert!(
                            carried > 0 || bound.as_ns() == slowest,
                            "{budget}/{period}: {work}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_second_of_linux() {
        let ms = Duration::from_ms;
        let linux = Throttled::new(RtLimit::OF_LINUX, Duration::ZERO);
        // By hand: 50 ms at once, and 50 ms more behind each 950.
        for (work, time) in [(0, 0), (1, 51), (950, 1000), (951, 1051), (1901, 2051)] {
            assert_eq!(linux.time_for(ms(work)), Ok(ms(time)), "{work}");
        }
        let carried = Throttled::new(RtLimit::OF_LINUX, ms(4));
        for (work, time) in [(1, 55), (946, 1000), (947, 1055)] {
            assert_eq!(carried.time_for(ms(work)), Ok(ms(time)), "{work}");
        }
        assert!(linux.time_for(Duration::MAX).is_err());
    }
}
