//! What a run was like.

use crate::control::Course;
use crate::processor::{Account, Interrupt};

/// Statistics of a run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Each processor.
    pub processors: Vec<Statistics>,
    /// Why it ended early.
    pub ended: Option<String>,
    /// The process that has taken its place, or that was about to.
    pub successor: Option<i32>,
}

/// Those of one processor.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// The beginning, by the monotonic clock in nanoseconds.
    pub origin: u64,
    /// The loop.
    pub course: Course,
    /// Processor time of the dispatcher, in nanoseconds.
    pub taken: u64,
    /// The loans of each server's thread.
    pub accounts: Vec<Account>,
    /// The interrupts of guests.
    pub interrupts: Vec<Interrupt>,
}
