//! Whether an interrupt of a guest comes more often than its description allows: then no bound holds that depends on it.
//!
//! **Model.** Arrivals are `min-interarrival` apart at least, and each is raised up to `jitter` after its arrival. So each has an
//! earliest arrival: `jitter` before it was raised, and not before that of the one before it is over. One that is raised before
//! the next arrival is possible came too soon, and is left out.
//!
//! ```text
//!   raised     |        |    |             |
//!   arrivals   |--------|-------- too soon |--------
//! ```
//!
//! **Assumption.** The instants of those that were only counted are not known: they count as being as far apart as they may be,
//! since the one before. So what is described rightly is never reported.
//!
//! Theory: docs/theory/credits-that-last.md.

use vorrang_time::{Duration, Instant};

/// How often an interrupt may come, and the arrivals so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pace {
    apart: Duration,
    jitter: Duration,
    /// Of the next one, at the earliest.
    arrival: Instant,
}

impl Pace {
    /// As often as it likes.
    pub(crate) const ANY: Self = Self::of(Duration::RESOLUTION, Duration::ZERO);

    pub(crate) const fn of(apart: Duration, jitter: Duration) -> Self {
        Self { apart, jitter, arrival: Instant::ZERO }
    }

    /// It was raised at an instant, and `unheard` times since the last one: how many of all these came too soon.
    pub(crate) fn too_soon(&mut self, at: Instant, unheard: u64) -> u64 {
        let possible = self.possible(at).min(unheard);
        self.arrival += self.apart * possible;
        let is_possible = self.possible(at) > 0;
        if is_possible {
            let earliest = Instant::from_ns(at.as_ns().saturating_sub(self.jitter.as_ns()));
            self.arrival = self.arrival.max(earliest) + self.apart;
        }
        unheard - possible + u64::from(!is_possible)
    }

    /// Arrivals up to an instant, at most.
    fn possible(&self, at: Instant) -> u64 {
        if at < self.arrival { 0 } else { (at - self.arrival).div_floor(self.apart) + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [u64; 0] = [];

    fn ms(ms: u64) -> Instant {
        Instant::from_ns(ms * 1_000_000)
    }

    fn paced(jitter: u64) -> Pace {
        Pace::of(Duration::from_ms(20), Duration::from_ms(jitter))
    }

    /// Those of a list that came too soon.
    fn too_soon(mut pace: Pace, raised: &[u64]) -> Vec<u64> {
        raised.iter().copied().filter(|&at| pace.too_soon(ms(at), 0) > 0).collect()
    }

    #[test]
    fn what_is_as_far_apart_as_described_is_in_time() {
        assert_eq!(too_soon(paced(0), &[3, 23, 50, 70]), NONE);
        assert_eq!(too_soon(paced(0), &[3, 22, 23, 42, 43]), [22, 42]);
        assert_eq!(too_soon(Pace::ANY, &[3, 4, 5]), NONE);
    }

    /// The first was raised 5 ms late, the others not.
    #[test]
    fn jitter_lets_one_come_sooner_and_no_more() {
        assert_eq!(too_soon(paced(5), &[25, 40, 60, 80]), NONE);
        assert_eq!(too_soon(paced(5), &[25, 40, 59]), [59]);
        assert_eq!(too_soon(paced(5), &[25, 39]), [39]);
    }

    #[test]
    fn of_those_that_were_only_counted_as_many_as_possible_were_in_time() {
        let mut pace = paced(0);
        assert_eq!(pace.too_soon(ms(0), 0), 0);
        assert_eq!(pace.too_soon(ms(60), 2), 0, "at 20, 40 and 60");
        assert_eq!(pace.too_soon(ms(100), 5), 4, "two of six");
        assert_eq!(pace.too_soon(ms(120), 0), 0);
    }

    /// Whatever is not told, nothing that keeps to its description is reported.
    #[test]
    fn a_right_description_is_never_reported() {
        for pattern in 0_u32..1 << 10 {
            let (mut pace, mut unheard) = (paced(7), 0);
            for number in 0..10_u64 {
                let at = 20 * number + number * u64::from(pattern) % 8;
                if pattern >> number & 1 == 1 {
                    assert_eq!(pace.too_soon(ms(at), unheard), 0, "{pattern:b}, {number}");
                    unheard = 0;
                } else {
                    unheard += 1;
                }
            }
        }
    }
}
