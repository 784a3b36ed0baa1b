//! The monotonic clock, in nanoseconds.

use nix::time::{ClockId, clock_gettime};

/// What it says now.
pub fn now() -> u64 {
    let now = clock_gettime(ClockId::CLOCK_MONOTONIC).expect("every Linux has this clock");
    let seconds = u64::try_from(now.tv_sec()).expect("after the boot");
    seconds * 1_000_000_000 + u64::try_from(now.tv_nsec()).expect("after the boot")
}
