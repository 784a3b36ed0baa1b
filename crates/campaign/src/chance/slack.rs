//! The excess of an observed share over a bound on a probability that chance explains.
//!
//! **Model.** N independent runs, each with a share `X` of late jobs in `[0, 1]` and a mean of at
//! most `p`. For every `z > 1`, `E z^X <= 1 + p (z − 1)`, because `z^x` is convex; so (Chernoff,
//! Hoeffding 1963)
//!
//! ```text
//!   P{X_1 + … + X_N >= s} <= (1 + p (z − 1))^N / z^s
//! ```
//!
//! An alarm is raised where that is below 10^-9 for one of some powers of two as `z`; they are fixed
//! before, so an alarm is false with a probability below [`ZETAS`] in 10^9. Logarithms are integers in
//! units of 2^-20, rounded to the side that raises fewer alarms.

use super::Amount;
use vorrang_analysis::stochastic::Probability;

/// log2 of 10^9, rounded up.
const NEVER: i128 = 30;
const UNIT: u32 = 20;
/// The number of values of z: 1 + 2^-4, 1 + 2^-3, …
const ZETAS: u32 = 20;

/// Whether this many late jobs are more than chance explains if each is late with a probability of at most
/// `bound`.
pub fn is_alarming(amount: Amount, late: u64, bound: Probability) -> bool {
    const TRILLION: u128 = 1_000_000_000_000;
    let bound = u128::from(bound.per_trillion_ceil());
    (0..ZETAS).any(|place| {
        // z − 1 = 2^place / 16.
        let factor = log2_floor(TRILLION * 16 + (bound << place), TRILLION * 16) + 2;
        let gain = log2_floor(16 + (1 << place), 16);
        let (runs, jobs) = (i128::from(amount.runs), i128::from(amount.jobs));
        // N log2(1 + p (z − 1)) − late / jobs log2 z < −30
        runs * factor * jobs - i128::from(late) * gain < -(NEVER << UNIT) * jobs
    })
}

/// log2 of a fraction of at least 1 in units of 2^-20: not above it, and less than two units below.
fn log2_floor(numerator: u128, denominator: u128) -> i128 {
    const ONE: u128 = 1 << 60;
    let mut mantissa = ((numerator << 40) / denominator) << 20;
    let mut log = 0;
    while mantissa >= 2 * ONE {
        mantissa /= 2;
        log += 1;
    }
    for _ in 0..UNIT {
        mantissa = (mantissa * mantissa) >> 60;
        log *= 2;
        if mantissa >= 2 * ONE {
            mantissa /= 2;
            log += 1;
        }
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_not_too_large() {
        assert_eq!(log2_floor(8, 1), 3 << UNIT);
        assert_eq!(log2_floor(1, 1), 0);
        // log2(3) = 1.58496250…, log2(1.0625) = 0.08746284…
        assert!((1_661_953..=1_661_954).contains(&log2_floor(3, 1)), "{}", log2_floor(3, 1));
        assert!((91_710..=91_712).contains(&log2_floor(17, 16)), "{}", log2_floor(17, 16));
    }

    /// One run of one job each: the bound is that on a binomial distribution.
    #[test]
    fn alarms_begin_where_chance_ends() {
        let amount = Amount { runs: 1_000, jobs: 1 };
        let hundredth = Probability::ratio_ceil(1, 100);
        let first = (0..1_000).find(|&late| is_alarming(amount, late, hundredth)).expect("some");
        // Exactly: P{more than 33 of 1000} is below 10^-8, P{more than 36} below 10^-9.
        assert!((34..50).contains(&first), "{first}");
        assert!(is_alarming(amount, 1_000, hundredth));
        // The same shares in more jobs of as many runs say no more.
        let longer = Amount { runs: 1_000, jobs: 50 };
        assert!(!is_alarming(longer, 50 * (first - 1), hundredth));
        assert!(is_alarming(longer, 50 * first, hundredth));
        assert!(!is_alarming(amount, 1_000, Probability::ONE));
        assert!(is_alarming(amount, 30, Probability::ZERO));
        assert!(!is_alarming(amount, 0, Probability::ZERO));
    }
}
