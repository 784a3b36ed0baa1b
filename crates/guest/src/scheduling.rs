//! By which policy a thread is scheduled.

use serde::{Deserialize, Serialize};

/// A scheduling policy of Linux.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// `SCHED_OTHER`.
    Other,
    /// `SCHED_FIFO` with this priority, 1 to 99.
    Fifo(u32),
    /// `SCHED_RR` with this priority, 1 to 99.
    RoundRobin(u32),
    /// `SCHED_DEADLINE`.
    Deadline {
        /// Its runtime.
        runtime: u64,
        /// Its relative deadline.
        deadline: u64,
        /// Its period.
        period: u64,
        /// Whether it reclaims bandwidth that others leave (GRUB).
        reclaims: bool,
    },
}

impl Policy {
    /// Whether it is `SCHED_DEADLINE`.
    pub const fn is_reserved(self) -> bool {
        matches!(self, Self::Deadline { .. })
    }
}
