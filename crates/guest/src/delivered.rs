//! What the user of an assigned device tells of interrupts that the device raised.
//!
//! **Model.** Under `PREEMPT_RT` the kernel delivers them to an event file by a thread, one for each vector. Interrupts that come
//! before the thread has run are one.

use serde::{Deserialize, Serialize};

/// Everything that was seen. Times are nanoseconds of `CLOCK_MONOTONIC`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// How many were raised.
    pub raised: u64,
    /// When the first and the last one were.
    pub between: (u64, u64),
    /// How many of them interrupted the processor.
    pub interrupted: u64,
    /// How many were delivered until an instant, since the one before.
    pub delivered: Vec<(u64, u64)>,
}

impl Told {
    /// How many were delivered in an interval.
    pub fn within(&self, from: u64, until: u64) -> u64 {
        let within = self.delivered.iter().filter(|(at, _)| (from..until).contains(at));
        within.map(|(_, count)| count).sum()
    }
}
