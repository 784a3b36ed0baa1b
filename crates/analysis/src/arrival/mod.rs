//! How often something happens at most, whatever it takes.
//!
//! **Model.** In a window of length `x` something with jitter `J` happens at most as often as it can arrive in `x + J`: with the least
//! distance `T`, `ceil((x + J) / T)` times; with distances of several arrivals, as those say ([`Spacing`]). What lets it through at most so many times in every period (a pseudo-VCPU holds back what
//! exceeds its credits) has a second limit, and the lesser of the two counts ([`Limit`]).
//!
//! **Assumptions.** 1. Arrivals are as far apart as stated, and each happens up to `J` after it arrived.
//!
//! Reference: Audsley et al. 1993; Richter 2005.
//!
//! Theory: docs/theory/loads.md, docs/theory/distances.md.

mod clock;
mod spacing;

pub(crate) use clock::{Beginnings, Clock};
pub use spacing::Spacing;

use vorrang_model::system::Distances;
use vorrang_time::Duration;

/// How often something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrivals<'a> {
    /// Least time between two of them.
    pub period: Duration,
    /// Least times over several of them, if more is known.
    pub distances: Option<&'a Distances>,
    /// How much later than its due instant one may happen.
    pub jitter: Duration,
    /// What else limits how often.
    pub limit: Option<Limit>,
}

/// At most `count` in every period, each up to `jitter` late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// In one period.
    pub count: u64,
    /// Its length.
    pub period: Duration,
    /// How much later than it was let through one may happen.
    pub jitter: Duration,
}

impl Limit {
    /// How often it lets something through in a window.
    pub fn in_window(&self, window: Duration) -> u64 {
        (window + self.jitter).div_ceil(self.period).saturating_mul(self.count)
    }
}

impl<'a> Arrivals<'a> {
    /// At least `period` apart, each up to `jitter` late.
    pub const fn new(period: Duration, jitter: Duration) -> Self {
        Self { period, distances: None, jitter, limit: None }
    }

    /// The same with what is known of several of them.
    #[must_use]
    pub const fn spaced(self, distances: Option<&'a Distances>) -> Self {
        Self { distances, ..self }
    }

    /// The same where nothing but a least time between two is known.
    #[must_use]
    pub const fn apart(self, period: Duration) -> Self {
        Self { period, distances: None, ..self }
    }

    /// The same, let through by a limit.
    #[must_use]
    pub const fn limited(self, limit: Limit) -> Self {
        Self { limit: Some(limit), ..self }
    }

    /// How close they may come without their jitter.
    pub const fn spacing(&self) -> Spacing<'a> {
        Spacing { least: self.period, further: self.distances }
    }

    /// How often in a window.
    #[inline]
    pub fn in_window(&self, window: Duration) -> u64 {
        let arrived = self.spacing().within(window + self.jitter);
        self.limit.map_or(arrived, |limit| arrived.min(limit.in_window(window)))
    }

    /// The next instant after `instant` at which one more may have happened.
    pub fn next_after(&self, instant: Duration) -> Duration {
        let next = self.spacing().next(instant + self.jitter) - self.jitter;
        let limited = self.limit.map(|limit| {
            let spacing = Spacing { least: limit.period, further: None };
            spacing.next(instant + limit.jitter) - limit.jitter
        });
        limited.into_iter().fold(next, Duration::min)
    }

    /// What follows each of them, up to `delay` later.
    #[must_use]
    pub fn later(&self, delay: Duration) -> Self {
        Self { jitter: self.jitter + delay, limit: self.later_limit(delay), ..*self }
    }

    /// The same in windows that begin anywhere, of what ends within `late` of its arrival.
    #[must_use]
    pub fn anywhere(&self, late: Duration) -> Self {
        let jitter = late.max(self.jitter);
        Self { jitter, limit: self.later_limit(jitter), ..*self }
    }

    fn later_limit(&self, delay: Duration) -> Option<Limit> {
        self.limit.map(|limit| Limit { jitter: limit.jitter + delay, ..limit })
    }
}
