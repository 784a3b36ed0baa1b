//! The schedulers of a core that a batch knows.

/// Who runs first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduler {
    /// The task with the largest priority.
    FixedPriority,
    /// With the shortest deadline; ties: the earlier row.
    DeadlineMonotonic,
    /// With the shortest period; ties: the earlier row.
    RateMonotonic,
    /// The job with the earliest absolute deadline.
    Edf,
}

impl Scheduler {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::FixedPriority, Self::DeadlineMonotonic, Self::RateMonotonic, Self::Edf];

    /// The word of descriptions.
    pub fn word(self) -> &'static str {
        match self {
            Self::FixedPriority => "fixed-priority",
            Self::DeadlineMonotonic => "deadline-monotonic",
            Self::RateMonotonic => "rate-monotonic",
            Self::Edf => "edf",
        }
    }
}
