//! The limits of steps and of stored entries at which a history ends early.
//!
//! **Steps.** An instant, a release, a request, a packet, a callback, and the initialisation of a history in
//! proportion to its core: all take about equal time. They are counted, never timed, so a history ends at the
//! same instant on every machine. Nothing limits them unless
//! [`Simulator::allow`](super::Simulator::allow) does.
//!
//! **Stored entries.** Requests of interrupts that are not handled, activated jobs, and refills of sporadic
//! servers are stored one by one. With more than `MOST_KEPT` of them the history ends: so many wait
//! only in an overload. Jobs that arrive by themselves are not among them (`backlog.rs`).
//!
//! What ends early is a shorter history and nothing else: what has arrived and is not complete is
//! reported as unfinished there. An instant that has begun is gone through to its end, unless more
//! than `MOST_AT_ONCE` steps of it come after the last that is allowed.

/// After this many steps the stored entries are counted again: each step adds at most one.
const BETWEEN_COUNTS: u64 = 1 << 12;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At its horizon.
    Horizon,
    /// An observer had seen enough.
    SeenEnough,
    /// Its steps are exhausted.
    OutOfSteps,
    /// There were more entries than are stored.
    FullBooks,
}

impl End {
    /// Whether the history could have gone on.
    pub fn is_early(self) -> bool {
        matches!(self, Self::OutOfSteps | Self::FullBooks)
    }
}

/// The remaining steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    /// Steps until the stored entries are counted, and those after that.
    pub(super) until_count: u64,
    pub(super) later: u64,
    pub(super) is_full: bool,
    /// Steps beyond the limit.
    pub(super) beyond: u64,
}

impl Default for Allowance {
    fn default() -> Self {
        Self::of(u64::MAX)
    }
}

impl Allowance {
    pub(super) fn of(steps: u64) -> Self {
        let until_count = steps.min(BETWEEN_COUNTS);
        Self { until_count, later: steps - until_count, is_full: false, beyond: 0 }
    }

    pub(super) fn steps(&self) -> u64 {
        self.until_count + self.later
    }

    /// Whether the history must end here.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.until_count == 0
    }
}
