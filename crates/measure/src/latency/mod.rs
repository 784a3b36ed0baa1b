//! Wake-up latencies: the measurement of `cyclictest`, and the kernel's own.
//!
//! **Model.** Each thread sleeps until an instant, reads the clock, and continues with the next instant:
//!
//! ```text
//!   due             ran
//!   │ ── latency ──▶│       next due = due + interval
//! ```
//!
//! [`timerlat`] uses the kernel's tracer instead, which separates the interrupt and the thread.
//! With a threshold the first latency above it ends the measurement; [`cause`] finds the activity of the
//! processor meanwhile from the kernel's events.
//!
//! **Assumptions.** 1. A time that passed while the thread was late is left out, as `cyclictest` does.
//! 2. Reading the clock costs tens of nanoseconds and is part of the latency.
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

/// The result of one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The thread by its number in the system.
    pub id: i32,
    /// Where it ran at the end.
    pub cpu: usize,
    /// Its real-time priority; zero if it had none.
    pub priority: u32,
    /// Its interval.
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
    /// Its causes, the longest first.
    pub parts: Vec<Part>,
    /// The kernel's trace up to there, or why there is none.
    pub trace: Result<String, String>,
}

/// The result of a measurement.
#[derive(Clone, Debug)]
pub struct Measured {
    /// One for each thread.
    pub threads: Vec<Outcome>,
    /// The latency that ended it, if any.
    pub broken: Option<Broken>,
    /// The conditions.
    pub conditions: Vec<Condition>,
    /// Their effect on the numbers.
    pub remarks: Vec<String>,
}

#[cfg(test)]
mod tests;
