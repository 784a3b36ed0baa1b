//! The clocks of the kernel.

use nix::sys::time::TimeSpec;
use nix::time::{ClockId, ClockNanosleepFlags, clock_gettime, clock_nanosleep};

/// The time of the clock by which jobs are timed.
pub fn now_monotonic() -> u64 {
    now(ClockId::CLOCK_MONOTONIC)
}

/// The time of a clock, in nanoseconds.
pub fn now(clock: ClockId) -> u64 {
    let time = clock_gettime(clock).expect("every Linux has this clock");
    let count = |part: i64| u64::try_from(part).expect("no clock is negative");
    count(time.tv_sec()) * 1_000_000_000 + count(time.tv_nsec())
}

/// Sleeps until an instant of the monotonic clock.
pub fn sleep_until(instant: u64) {
    // 6.12 puts a thread to sleep even if the instant has passed, and it loses its place.
    if now_monotonic() >= instant {
        return;
    }
    let seconds = i64::try_from(instant / 1_000_000_000).expect("before the end of time");
    let rest = i64::try_from(instant % 1_000_000_000).expect("less than a second");
    let until = TimeSpec::new(seconds, rest);
    let clock = ClockId::CLOCK_MONOTONIC;
    // A signal wakes it early: then it sleeps again.
    while clock_nanosleep(clock, ClockNanosleepFlags::TIMER_ABSTIME, &until).is_err() {}
}
