//! Fixed points of windows: the least from below, the greatest from above.

use super::effort::{Effort, LONGEST_WINDOW, NoBound};
use std::ops::RangeInclusive;
use vorrang_time::Duration;

/// The least window that `next` maps to itself, from below.
///
/// Assumption: `next` does not decrease, and `start` is at most the least fixed point. Cost: one
/// evaluation of `terms` terms for each jump of `next` below the fixed point.
///
/// # Errors
/// [`NoBound::TooLong`] or [`NoBound::Effort`]; whatever `next` returns.
pub(crate) fn least_fixed_point(
    effort: &Effort,
    terms: usize,
    start: Duration,
    mut next: impl FnMut(Duration) -> Result<Duration, NoBound>,
) -> Result<Duration, NoBound> {
    let mut window = start;
    while window <= LONGEST_WINDOW {
        effort.spend(terms)?;
        let longer = next(window)?;
        debug_assert!(longer >= window, "the start lies above the least fixed point");
        if longer == window {
            return Ok(window);
        }
        window = longer;
    }
    Err(NoBound::TooLong)
}

/// The greatest of these windows that `next` maps to no less than itself; zero if none is.
///
/// Assumption: `next` does not decrease. Cost: one evaluation of `terms` terms for each jump of `next` above it.
///
/// # Errors
/// As above.
pub(crate) fn greatest_fixed_point(
    effort: &Effort,
    terms: usize,
    windows: RangeInclusive<Duration>,
    next: impl Fn(Duration) -> Result<Duration, NoBound>,
) -> Result<Duration, NoBound> {
    let mut window = *windows.end();
    if window > LONGEST_WINDOW {
        return Err(NoBound::TooLong);
    }
    while window >= *windows.start() {
        effort.spend(terms)?;
        let shorter = next(window)?;
        if shorter >= window {
            return Ok(window);
        }
        window = shorter;
    }
    Ok(Duration::ZERO)
}
