//! A virtual machine without an operating system: what it tells of the interrupts that it handled.
//!
//! **Model.** A virtual processor computes, or halts. A thread of the host raises interrupts, and notes when; the handler
//! in the guest notes its beginning and its end, by the counter of the guest.
//!
//! **Assumption.** An interrupt is handled before the next one is raised: otherwise the two are one.

use serde::{Deserialize, Serialize};

/// The vectors of its interrupts, of the first and the second.
pub const VECTORS: [u8; 2] = [0x40, 0x41];

/// From one frame of a film to the next: 29.97 a second.
pub const FRAME: u64 = 33_366_700;

/// A turn of the loop, in instructions: most of them do nothing, which costs the emulator nothing.
pub const TURN: u64 = 64;

/// The name of the thread that runs the virtual processor.
pub const THREAD: &str = "guest";

/// Everything that was seen. Times are nanoseconds of `CLOCK_MONOTONIC`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// Its interrupts, by vector.
    pub interrupts: Vec<Interrupt>,
    /// What the counters of both may differ by.
    pub uncertain: u64,
    /// The turns of a loop that it had done besides, modulo 2^32, by the beginning of each frame from the time on at which
    /// the file was there for which it waits, if it does.
    pub done: Vec<(u64, u32)>,
}

/// Those with one vector.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interrupt {
    /// When each was raised.
    pub raised: Vec<u64>,
    /// When its handler began, and when it ended.
    pub handled: Vec<(u64, u64)>,
}
