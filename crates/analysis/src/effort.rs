//! Why a computation ends without a bound, and the count of steps that makes it end.

use core::cell::Cell;
use core::fmt;
use vorrang_time::Duration;

/// Windows longer than this (36 years) are not considered: it keeps every sum of a window with
/// a stated duration within the range of [`Duration`].
pub const LONGEST_WINDOW: Duration = Duration::from_ns(1 << 60);

/// Steps that the bound of one requirement may take before the search gives up. A step is one
/// evaluation of all terms of an equation, so a requirement among 40 others takes well under a
/// second.
const STEPS: u64 = 400_000;

/// Why there is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBound {
    /// More work arrives in the long run than the supply provides.
    Overload,
    /// The window exceeds [`LONGEST_WINDOW`].
    TooLong,
    /// The search took more steps than it may.
    Effort,
}

impl fmt::Display for NoBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overload => "more work arrives in the long run than the supply provides",
            Self::TooLong => "the busy window is longer than 36 years",
            Self::Effort => "the busy window was not found within the steps the search may take",
        })
    }
}

/// The steps left to one search. Deterministic, unlike a time limit.
#[derive(Debug)]
pub struct Effort(Cell<u64>);

impl Default for Effort {
    fn default() -> Self {
        Self(Cell::new(STEPS))
    }
}

impl Effort {
    /// Takes one step.
    ///
    /// # Errors
    /// [`NoBound::Effort`] if none is left.
    pub fn step(&self) -> Result<(), NoBound> {
        let left = self.0.get().checked_sub(1).ok_or(NoBound::Effort)?;
        self.0.set(left);
        Ok(())
    }

    /// Makes all steps available again, for the next requirement.
    pub fn restart(&self) {
        self.0.set(STEPS);
    }
}

/// The least window that `next` maps to itself, from below.
///
/// Assumption: `next` does not decrease, and `start` is at most the least fixed point. Cost: one
/// step for each jump of `next` below the fixed point.
///
/// # Errors
/// [`NoBound::TooLong`] or [`NoBound::Effort`]; whatever `next` returns.
pub(crate) fn least_fixed_point(
    effort: &Effort,
    start: Duration,
    mut next: impl FnMut(Duration) -> Result<Duration, NoBound>,
) -> Result<Duration, NoBound> {
    let mut window = start;
    loop {
        effort.step()?;
        let longer = next(window)?;
        debug_assert!(longer >= window, "the start lies above the least fixed point");
        if longer == window {
            return Ok(window);
        }
        if longer > LONGEST_WINDOW {
            return Err(NoBound::TooLong);
        }
        window = longer;
    }
}
