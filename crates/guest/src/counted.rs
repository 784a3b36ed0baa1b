//! Threads that count their work, and what they tell.
//!
//! **Model.** Work is turns of a loop ([`crate::work`]), which are instructions and not time: what a thread has done says
//! what the processor gave it, whatever the kernel charges for it. A thread above all of them reads the counters
//! at multiples of a period of the monotonic clock.
//!
//! **Assumption.** A turn takes the same whenever it is not interrupted. Under counted time it does.

use serde::{Deserialize, Serialize};

/// Everything that was counted. Times are nanoseconds of `CLOCK_MONOTONIC`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// What a thousand units of work take if nothing interrupts them.
    pub thousand_units_take: u64,
    /// By thread, in the order in which they were asked for.
    pub threads: Vec<Worked>,
    /// The instants at which the counters were to be read, and were.
    pub read: Vec<(u64, u64)>,
}

/// What a thread did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worked {
    /// Its name.
    pub name: String,
    /// Its counter, at each reading.
    pub units: Vec<u64>,
    /// Of its jobs, if it sleeps: release and completion.
    pub jobs: Vec<(u64, u64)>,
}

impl Told {
    /// The work of a thread between two readings, as time that it takes undisturbed.
    pub fn between(&self, thread: &Worked, reading: usize) -> u64 {
        let units = thread.units[reading + 1] - thread.units[reading];
        units * self.thousand_units_take / 1000
    }
}
