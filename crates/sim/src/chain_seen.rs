//! What was seen of a chain.

use crate::pattern::Pattern;
use vorrang_time::{Duration, Instant};

/// The longest that was seen of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainSeen {
    /// The reaction time.
    pub reaction: Seen,
    /// The data age.
    pub age: Seen,
}

/// One of them, with its history on every core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// How long it took.
    pub time: Duration,
    /// The reading from which it counts.
    pub from: Instant,
    /// The history, the same pattern on each core of the chain.
    pub pattern: Pattern,
}
