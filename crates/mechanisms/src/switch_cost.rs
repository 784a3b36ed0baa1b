//! How work recovers after a switch: cold caches as a rate of progress.
//!
//! **Model.** A context that has run for `t` since it got the core works at the rate `f(t)`, a
//! share of the full one:
//!
//! ```text
//!  rate 1 |          .----------   flood        useful, then 1 from `sustained` on
//!         |      . '               exponential  1 + (useful − 1)·exp(−t/sustained)
//!  useful |__.'______
//!         0          sustained   t
//! ```
//!
//! The work done by `t` is the integral of the rate, rounded down to whole nanoseconds. The difference to `t`
//! is the loss.
//!
//! **Invariant.** Work never falls, and grows by at most one nanosecond per nanosecond; so the
//! least time for some work is well defined and an interval may be split anywhere.
//!
//! **Assumptions.** 1. The share is at most a million parts per million; more counts as a million.
//!
//! **Accuracy.** Flood is exact. The exponential is computed in fixed point: the work is the exact
//! floor, except that it is one nanosecond less where the integral exceeds a whole nanosecond by
//! less than `sustained`·2^−54. Where `sustained` is longer than a quarter of a second
//! ([`FINE`]), the step is not a nanosecond but up to `sustained`·2^−27, and so is the error.
//!
//! **Cost.** Constant; some twenty multiplications for the exponential, and for
//! [`Recovery::time_for`] about six times that, at most as many times as the loss that is still to
//! come has binary digits, and twelve more.
//!
//! Reference: R. Kaiser, Empirische Ermittlung Cache-bedingter Umschaltverluste, GI/ITG 2008 (the
//! two curves).

use vorrang_time::Duration;

/// A million parts per million: the full rate.
const WHOLE: u64 = 1_000_000;

/// Binary places of the numbers below.
const PLACES: u32 = 62;
const ONE: u64 = 1 << PLACES;
/// log2(e), rounded up.
const LOG2_E: u64 = 6_653_256_548_922_161_246;
/// ln(2), rounded up.
const LN_2: u64 = 3_196_577_161_300_663_915;
/// ln(2)^TERMS / TERMS! is below one binary place.
const TERMS: u64 = 20;
/// More than all errors of rounding together, in units of the last place.
const MARGIN: u64 = 64;

/// Steps of Newton's method before bisection.
const NEWTON: u32 = 12;

/// The longest time constant in nanoseconds that is computed nanosecond by nanosecond: up to here
/// the rounding errors are smaller than the least difference between two steps.
const FINE: u64 = 1 << 28;

/// The progress of work after a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// At the full rate.
    Full,
    /// A share of the full rate for some time, then the full rate.
    Flood {
        /// The share, in parts per million.
        useful_ppm: u32,
        /// Time to the full rate.
        sustained: Duration,
    },
    /// From a share of the full rate towards it.
    Exponential {
        /// The share right after the switch, in parts per million.
        useful_ppm: u32,
        /// The time constant.
        sustained: Duration,
    },
}

impl Recovery {
    /// The work done in the first `time` after a switch: never more than `time`.
    #[inline]
    #[must_use]
    pub fn work(self, time: Duration) -> Duration {
        time - self.loss(time)
    }

    /// The loss in the first `time` after a switch.
    pub fn loss(self, time: Duration) -> Duration {
        match self {
            Self::Full => Duration::ZERO,
            Self::Flood { useful_ppm, sustained } => {
                let slow = u128::from(time.min(sustained).as_ns());
                parts(u128::from(useless(useful_ppm)) * slow)
            }
            Self::Exponential { useful_ppm, sustained } => {
                exponential_loss(useless(useful_ppm), sustained.as_ns(), time.as_ns())
            }
        }
    }

    /// The least time in which `work` is done by a context that has run for `from` already.
    #[must_use]
    pub fn time_for(self, from: Duration, work: Duration) -> Duration {
        let end = match self {
            Self::Full => return work,
            Self::Flood { useful_ppm, sustained } => {
                let total = self.work(from).checked_add(work);
                total.and_then(|total| self.flooded_until(useful_ppm, sustained, total))
            }
            Self::Exponential { sustained, .. } => self.recovered_by(sustained, from, work),
        };
        end.map_or(Duration::MAX, |end| end.saturating_sub(from))
    }

    /// When a flooded context has done this much.
    fn flooded_until(self, useful: u32, sustained: Duration, total: Duration) -> Option<Duration> {
        let slow = self.work(sustained);
        if total > slow {
            return total.checked_add(sustained - slow);
        }
        let end = u128::from(total.as_ns()) * u128::from(WHOLE);
        let end = end.div_ceil(u128::from(useful).max(1));
        u64::try_from(end).ok().map(Duration::from_ns)
    }

    /// When a context that recovers exponentially has done this much more.
    ///
    /// The time needed is that at full speed plus the loss meanwhile, which is at most the whole remaining
    /// loss. Newton's method finds where the two agree (the rate is convex), inside an interval that also
    /// shrinks by halves.
    fn recovered_by(self, sustained: Duration, from: Duration, work: Duration) -> Option<Duration> {
        let (before, all) = (self.loss(from), self.loss(Duration::MAX));
        let at_best = from.checked_add(work)?;
        let (mut low, mut high) = (0, (all - before).as_ns());
        at_best.checked_add(all - before)?;
        let mut guess = high / 2;
        for round in 0_u32.. {
            if low == high {
                break;
            }
            let halves = low + (high - low) / 2;
            let extra = if round < NEWTON { guess.clamp(low, high - 1) } else { halves };
            let loss = self.loss(at_best + Duration::from_ns(extra));
            let missing = (loss - before).as_ns();
            // The remaining loss is the missing rate times the time constant.
            let rate = sustained.saturating_sub(all - loss).max(Duration::RESOLUTION);
            let step = u128::from(missing.abs_diff(extra)) * u128::from(sustained.as_ns());
            let step = step.div_ceil(u128::from(rate.as_ns())).max(1);
            let step = u64::try_from(step).unwrap_or(u64::MAX);
            if missing <= extra {
                (high, guess) = (extra, extra.saturating_sub(step));
            } else {
                (low, guess) = (extra + 1, extra.saturating_add(step));
            }
        }
        Some(at_best + Duration::from_ns(low))
    }
}

/// The part of the rate that is missing at first, in parts per million.
fn useless(useful_ppm: u32) -> u64 {
    WHOLE.saturating_sub(u64::from(useful_ppm))
}

/// This many millionths of a nanosecond, rounded up.
fn parts(millionths: u128) -> Duration {
    let ns = millionths.div_ceil(u128::from(WHOLE));
    Duration::from_ns(u64::try_from(ns).expect("a part of a duration"))
}

/// `useless · sustained · (1 − exp(−time/sustained))`, rounded up.
fn exponential_loss(useless: u64, sustained: u64, time: u64) -> Duration {
    if sustained <= FINE {
        return fine_loss(useless, sustained, time);
    }
    // The same curve in larger steps, with straight lines between them.
    let shift = u64::BITS - (sustained / FINE).leading_zeros();
    let sustained = sustained.div_ceil(1 << shift);
    let (step, rest) = (time >> shift, time & ((1 << shift) - 1));
    let at = fine_loss(useless, sustained, step).as_ns();
    let next = fine_loss(useless, sustained, step + 1).as_ns();
    Duration::from_ns((at << shift) + (next - at) * rest)
}

/// The same for a time constant of at most [`FINE`].
fn fine_loss(useless: u64, sustained: u64, time: u64) -> Duration {
    // Below FINE·10^6 < 2^48; after 64 time constants it is below one unit.
    let all = u128::from(useless) * u128::from(sustained);
    if time == 0 || sustained == 0 {
        return Duration::ZERO;
    }
    if time / 64 >= sustained {
        return parts(all);
    }
    // exp(−time/sustained) = 2^−halvings · 2^−fraction
    let exponent = (u128::from(time) * u128::from(LOG2_E)).div_ceil(u128::from(sustained));
    let halvings = u32::try_from(exponent >> PLACES).expect("at most 64·log2(e)");
    let fraction = u64::try_from(exponent & u128::from(ONE - 1)).expect("below one");
    let left = all * u128::from(power_of_half(fraction));
    let left = left.checked_shr(PLACES + halvings).unwrap_or(0);
    parts(all - left)
}

/// `2^−fraction` from below, for a fraction of one.
fn power_of_half(fraction: u64) -> u64 {
    let scaled = |a: u64, b: u64| {
        let product = (u128::from(a) * u128::from(b)) >> PLACES;
        u64::try_from(product).expect("a part of one")
    };
    let x = scaled(fraction, LN_2);
    // 1 − x(1 − x/2(1 − x/3(…)))
    let series = (1..=TERMS).rev().fold(ONE, |inner, term| ONE - scaled(x, inner) / term);
    series - MARGIN
}
