//! The monotonic clock, and that of the calling thread, in nanoseconds.

use nix::time::{ClockId, clock_gettime};

/// What the first one says now.
pub fn now() -> u64 {
    read(ClockId::CLOCK_MONOTONIC)
}

/// Processor time of the calling thread so far.
pub fn taken() -> u64 {
    read(ClockId::CLOCK_THREAD_CPUTIME_ID)
}

fn read(clock: ClockId) -> u64 {
    let now = clock_gettime(clock).expect("every Linux has these clocks");
    let seconds = u64::try_from(now.tv_sec()).expect("after the boot");
    seconds * 1_000_000_000 + u64::try_from(now.tv_nsec()).expect("after the boot")
}
