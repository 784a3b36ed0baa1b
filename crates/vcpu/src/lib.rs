//! A virtual machine without an operating system: what it tells of the interrupts that it handled.
//!
//! **Model.** A virtual processor computes, or halts. A thread of the host raises interrupts, and notes when; the handler
//! in the guest notes its beginning and its end, by the counter of the guest.
//!
//! **Assumption.** An interrupt is handled before the next one is raised: otherwise the two are one.

use serde::{Deserialize, Serialize};

/// The vector of its interrupts.
pub const VECTOR: u8 = 0x40;

/// The name of the thread that runs the virtual processor.
pub const THREAD: &str = "guest";

/// Everything that was seen. Times are nanoseconds of `CLOCK_MONOTONIC`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// When each interrupt was raised.
    pub raised: Vec<u64>,
    /// When the handler began, and when it ended.
    pub handled: Vec<(u64, u64)>,
    /// What the counters of both may differ by.
    pub uncertain: u64,
}
