//! Paths along which tasks hand on values through registers.

use super::TaskId;
use vorrang_time::Duration;

/// When a task reads its input and writes its output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Communication {
    /// A job reads when it first gets the processor, and writes when it completes.
    #[default]
    Registers,
    /// Logical execution time: a job reads when it arrives, and writes at its deadline, or when it
    /// completes, if that is later.
    Let,
}

/// A path: each task reads what the one before it wrote last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Full name, such as `chain.brake`.
    pub name: String,
    /// The tasks along the path, each once, at least one.
    pub path: Vec<TaskId>,
    /// The longest reaction time that is allowed; `None`: any.
    pub reaction: Option<Duration>,
    /// The longest data age that is allowed; `None`: any.
    pub age: Option<Duration>,
}
