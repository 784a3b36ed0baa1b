//! How late threads wake: the measurement of `cyclictest`, and the kernel's own.
//!
//! **Model.** Each thread sleeps until a time, looks at the clock, and goes on with the next time:
//!
//! ```text
//!   due             ran
//!   │ ── latency ──▶│       next due = due + interval
//! ```
//!
//! [`timerlat`] asks the kernel instead, which knows when the interrupt came and when the thread ran.
//! With a threshold the first latency above it ends the measurement; [`cause`] says from the kernel's
//! events what the processor did meanwhile.
//!
//! **Assumptions.** 1. A time that passed while the thread was late is left out, as `cyclictest` does.
//! 2. Looking at the clock costs tens of nanoseconds and is part of the latency.
//!
//! **Cost.** Not a megabyte for each thread, whatever the number of latencies.

mod bench;
pub mod cause;
mod record;
pub mod tally;
pub mod timerlat;

pub use bench::{Plan, ThreadPlan, measure};

use crate::machine::conditions::Condition;
use cause::Part;
use tally::Tally;

/// What one thread showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The thread by its number in the system.
    pub id: i32,
    /// Where it ran at the end.
    pub cpu: usize,
    /// Its real-time priority; zero if it had none.
    pub priority: u32,
    /// It woke again after so long.
    pub interval_us: u64,
    /// The latencies.
    pub tally: Tally,
    /// The first latencies that did not fit into the histogram, by their place.
    pub overflows: Vec<u64>,
}

/// A latency above the threshold, which ended the measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Which thread it was; `None` if it was the kernel's.
    pub thread: Option<usize>,
    /// On which processor.
    pub cpu: usize,
    /// The latency.
    pub latency_ns: u64,
    /// What it was made of, the longest first.
    pub parts: Vec<Part>,
    /// The kernel's trace up to there, or why there is none.
    pub trace: Result<String, String>,
}

/// Everything that a measurement showed.
#[derive(Clone, Debug)]
pub struct Measured {
    /// One for each thread.
    pub threads: Vec<Outcome>,
    /// What ended it, if a latency did.
    pub broken: Option<Broken>,
    /// What the machine was like.
    pub conditions: Vec<Condition>,
    /// What that does to the numbers.
    pub remarks: Vec<String>,
}

#[cfg(test)]
mod tests;
