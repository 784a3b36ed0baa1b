//! What a kernel did, from its trace.
//!
//! **Purpose.** The last link of *bound ≥ simulation ≥ kernel*: the text of a kernel's trace becomes
//! a [schedule](schedule), which can be held against what was computed.
//!
//! **Does not cover.** Judging: this says what was seen.

pub mod schedule;

pub use schedule::Schedule;
