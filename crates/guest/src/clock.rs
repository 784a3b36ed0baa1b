//! The clocks of the kernel.

use nix::time::{ClockId, clock_gettime};

/// The time of the clock by which jobs are timed.
pub(crate) fn now_monotonic() -> u64 {
    now(ClockId::CLOCK_MONOTONIC)
}

/// The time of a clock, in nanoseconds.
pub(crate) fn now(clock: ClockId) -> u64 {
    let time = clock_gettime(clock).expect("every Linux has this clock");
    let count = |part: i64| u64::try_from(part).expect("no clock is negative");
    count(time.tv_sec()) * 1_000_000_000 + count(time.tv_nsec())
}
