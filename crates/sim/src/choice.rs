//! What a history chooses for the jobs of one task or interrupt.

use vorrang_time::{Duration, Instant};

/// When the jobs of one task or interrupt arrive and are released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrivals {
    /// The first arrival; `None`: never.
    pub first: Option<Instant>,
    /// The time between two arrivals.
    pub spacing: Spacing,
    /// The time from an arrival to the release.
    pub delay: Delay,
}

/// The time between two arrivals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spacing {
    /// The least inter-arrival time.
    Periodic,
    /// The least inter-arrival time and up to this much more, uniformly.
    Random {
        /// The longest addition.
        up_to: Duration,
    },
}

/// How much of its jitter a job uses. Releases never overtake each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// None: released at the arrival.
    None,
    /// The first job all of it, the others none (but those that arrive before the first is
    /// released wait for it): the densest burst that the jitter allows.
    FirstLate,
    /// Any part of it, uniformly.
    Random,
}

/// How long jobs and service routines execute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    /// The longest time allowed.
    Full,
    /// The same, but jobs of tasks that state a distribution of execution times draw from it.
    Drawn,
    /// Uniform from the shortest to the longest time; the shortest routine takes one nanosecond. Where a
    /// distribution is stated, by that.
    Random,
}

impl Arrivals {
    /// Nothing arrives.
    pub const NEVER: Self = Self { first: None, spacing: Spacing::Periodic, delay: Delay::None };

    /// From this instant on as often as allowed, each released at once.
    pub const fn from(first: Instant) -> Self {
        Self { first: Some(first), ..Self::NEVER }
    }
}
