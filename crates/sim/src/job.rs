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

/// Where something is: its core among those of a simulation, and its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) core: usize,
    pub(crate) on_core: OnCore,
}

/// Its place among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnCore {
    Task(usize),
    /// A task that several wake together, and the place of one of these among them.
    Joined(usize, usize),
    Interrupt(usize),
}

/// A job to be released, or an interrupt to be requested.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wake {
    pub(crate) to: Place,
    /// That of the source.
    pub(crate) arrival: Instant,
}
