//! Why a chain has no bound.

use vorrang_model::system::{System, TaskId};

/// What is missing for a bound of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The longest time between two arrivals of this task is not stated.
    Latest(TaskId),
    /// This task has no bound on its response time.
    Response(TaskId),
    /// Jobs of this task stand for packets, or may be held back: arrivals may merge.
    Merged(TaskId),
    /// This task reads at its arrival, and may not be there then.
    Logical(TaskId),
    /// The sum is longer than the longest time.
    TooLong,
}

impl Missing {
    /// In words, as a clause.
    pub fn text(self, system: &System) -> String {
        let name = |id: TaskId| &system.task(id).name;
        match self {
            Self::Latest(id) => format!(
                "the longest time between two arrivals of {} is not stated (`latest-interarrival`), and its \
                 `period` is the least",
                name(id)
            ),
            Self::Response(id) => format!("{} has no bound on its response time", name(id)),
            Self::Merged(id) => {
                format!("{} is woken by packets, or through a pseudo-VCPU", name(id))
            }
            Self::Logical(id) => format!(
                "{} has logical execution time, but may be released later than it arrives",
                name(id)
            ),
            Self::TooLong => "the sum of its terms is longer than the longest time".to_owned(),
        }
    }
}
