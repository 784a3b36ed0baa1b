//! The monotonic clock of the system, and sleeping until an instant.
//!
//! **Assumptions.** 1. A thread that asked for [`exact_timers`] is woken for its time only, and not
//! within the 50 µs after it that Linux otherwise takes to wake several threads at once. Threads with a
//! real-time priority have exact timers.

use rustix::thread::{ClockId, clock_nanosleep_absolute};
use rustix::time::{Timespec, clock_gettime};
use std::num::NonZeroU64;

/// Nanoseconds of the clock now.
#[inline]
pub fn now_ns() -> u64 {
    let now = clock_gettime(rustix::time::ClockId::Monotonic);
    // It counts from a start of the machine, upwards.
    now.tv_sec.cast_unsigned() * 1_000_000_000 + now.tv_nsec.cast_unsigned()
}

/// Sleeps until the clock shows this time; not at all if it is past.
pub fn sleep_until(ns: u64) {
    let time = timespec(ns);
    while clock_nanosleep_absolute(ClockId::Monotonic, &time) == Err(rustix::io::Errno::INTR) {}
}

/// The time as the kernel takes it.
pub fn timespec(ns: u64) -> Timespec {
    let (seconds, rest) = (ns / 1_000_000_000, ns % 1_000_000_000);
    Timespec { tv_sec: seconds.cast_signed(), tv_nsec: rest.cast_signed() }
}

/// Asks for timers of this thread that are not put off to spare interrupts.
pub fn exact_timers() {
    // A kernel without this call does not defer timers.
    let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_wakes_early() {
        let until = now_ns() + 2_000_000;
        sleep_until(until);
        assert!(now_ns() >= until);
        sleep_until(0);
    }
}
