//! Computing for some time without a look at any clock.
//!
//! **Model.** One turn of a loop takes the same time whenever it is taken; what it takes is measured once.
//! **Assumption.** That holds under counted time; on the host's clock it is an estimate.

use crate::load::now;
use nix::time::ClockId;
use std::hint::black_box;

/// Turns of one measurement: about a millisecond.
const TURNS: u64 = 100_000;
/// Of so many measurements the shortest is taken: an interrupt makes others longer.
const MEASUREMENTS: u32 = 5;

/// A loop, and what it takes.
#[derive(Clone, Copy)]
pub(crate) struct Spin {
    /// Nanoseconds of [`TURNS`].
    takes: u64,
}

impl Spin {
    /// The loop on this machine.
    pub(crate) fn measured() -> Self {
        let once = |_| {
            let begin = now(ClockId::CLOCK_MONOTONIC);
            turn(TURNS);
            now(ClockId::CLOCK_MONOTONIC) - begin
        };
        let shortest = (0..MEASUREMENTS).map(once).min();
        Self { takes: shortest.unwrap_or_default().max(1) }
    }

    /// Computes for this long.
    pub(crate) fn run(self, time: u64) {
        turn(time * TURNS / self.takes);
    }
}

fn turn(turns: u64) {
    let mut value = 1_u64;
    for _ in 0..turns {
        value ^= value << 13;
        value ^= value >> 7;
        value = black_box(value ^ value << 17);
    }
}
