//! A job, and what it belongs to.

use vorrang_model::system::{InterruptId, TaskId};
use vorrang_time::Instant;

/// What a job belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// A task.
    Task(TaskId),
    /// An interrupt.
    Interrupt(InterruptId),
}

/// One job of a task, or one service routine of an interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Job {
    /// Its task or interrupt.
    pub source: Source,
    /// Counts the jobs of its source from zero.
    pub number: u64,
    /// When it arrived; responses and deadlines count from here.
    pub arrival: Instant,
    /// When it became ready.
    pub release: Instant,
}
