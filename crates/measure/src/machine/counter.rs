//! The cycle counter, and the length of its ticks.
//!
//! **Model.** A timestamp is taken when everything before it is done (stores have left the core) and
//! before anything behind it begins. On x86-64 that is the time stamp counter between fences; other
//! processors get the monotonic clock of the system, whose call takes tens of nanoseconds.
//!
//! **Assumptions.** 1. The counter runs at a constant rate (`constant_tsc` and `nonstop_tsc`); the
//! conditions of a measurement say whether the processor promises that.

use std::time::{Duration, Instant};

/// How long ticks are counted against the clock. The clock is off by below 100 ns at both ends.
const CALIBRATION: Duration = Duration::from_millis(100);

/// The length of the ticks of the counter.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    ns_per_tick: f64,
}

impl Counter {
    /// Counts ticks for a tenth of a second.
    pub fn calibrate() -> Self {
        let ((from, since), mut both) = (tick_and_time(), tick_and_time());
        while both.1 - since < CALIBRATION {
            both = tick_and_time();
        }
        let ns = (both.1 - since).as_nanos() as f64;
        Self { ns_per_tick: ns / (both.0 - from) as f64 }
    }

    /// So many ticks in nanoseconds.
    pub fn ns(&self, ticks: u64) -> f64 {
        ticks as f64 * self.ns_per_tick
    }

    /// Ticks in a nanosecond.
    pub fn ticks_per_ns(&self) -> f64 {
        1.0 / self.ns_per_tick
    }

    /// As a condition: what is read, and how fast it runs.
    pub fn text(&self) -> String {
        format!("{SOURCE}, {:.3} GHz", self.ticks_per_ns())
    }
}

/// Both clocks at the same time: of a few tries the one during which the least ticks passed, so that
/// an interruption in between does not count.
fn tick_and_time() -> (u64, Instant) {
    let tries = (0..8).map(|_| {
        let before = now();
        let time = Instant::now();
        (now() - before, before, time)
    });
    let (took, before, time) = tries.min_by_key(|(took, ..)| *took).expect("eight tries");
    (before + took / 2, time)
}

/// The counter that is read.
#[cfg(target_arch = "x86_64")]
pub const SOURCE: &str = "time stamp counter";
/// The counter that is read.
#[cfg(not(target_arch = "x86_64"))]
pub const SOURCE: &str = "monotonic clock";

/// The counter now: behind everything before, ahead of everything after.
#[cfg(target_arch = "x86_64")]
#[inline]
#[expect(unsafe_code, reason = "fences and the counter are intrinsics")]
pub fn now() -> u64 {
    use core::arch::x86_64::{_mm_lfence, _mm_mfence, _rdtsc};
    // SAFETY: the instructions are part of every x86-64 processor and touch no memory; an operating
    // system that forbids the counter (Linux can) ends the program, which is no undefined behaviour.
    unsafe {
        _mm_mfence();
        _mm_lfence();
        let ticks = _rdtsc();
        _mm_lfence();
        ticks
    }
}

/// The clock now, in nanoseconds since the first call.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub fn now() -> u64 {
    use std::sync::OnceLock;
    use std::sync::atomic::{Ordering, fence};
    static START: OnceLock<Instant> = OnceLock::new();
    fence(Ordering::SeqCst);
    let since = START.get_or_init(Instant::now).elapsed();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counter_goes_forward_and_agrees_with_the_clock() {
        let counter = Counter::calibrate();
        let (from, since) = (now(), Instant::now());
        while since.elapsed() < Duration::from_millis(5) {}
        let passed_ns = counter.ns(now() - from);
        // The time between the two readings at both ends makes it longer, never shorter.
        assert!(passed_ns > 4_990_000.0, "{passed_ns}");
    }
}
