//! What a simulator may do and keep before it ends a history early.
//!
//! **Steps.** An instant, a release, a request, a packet, a callback, and the setting up of a
//! history in proportion to its core: each takes about as long as any other. They are counted, never
//! timed, so a history ends at the same instant on every machine. Nothing limits them unless
//! [`Simulator::allow`](super::Simulator::allow) does.
//!
//! **Books.** Requests of interrupts that are not handled, jobs that something else activated, and
//! refills of sporadic servers are kept one by one. With more than `MOST_KEPT` of them the
//! history ends: that many wait only where the system drowns. Jobs that arrive by themselves are
//! not among them (`backlog.rs`).
//!
//! What ends early is a shorter history and nothing else: what has arrived and is not complete is
//! reported as unfinished there. An instant that has begun is gone through to its end, unless more
//! than `MOST_AT_ONCE` steps of it come after the last that is allowed.

mod stepping;

/// After so many steps the books are counted once more: they grow by one entry in each.
const BETWEEN_COUNTS: u64 = 1 << 12;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At its horizon.
    Horizon,
    /// An observer had seen enough.
    SeenEnough,
    /// All steps that it was allowed were taken.
    OutOfSteps,
    /// There was more to keep than is kept.
    FullBooks,
}

impl End {
    /// Whether the history could have gone on.
    pub fn is_early(self) -> bool {
        matches!(self, Self::OutOfSteps | Self::FullBooks)
    }
}

/// What is left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    /// Steps until the books are counted, and those after that.
    pub(super) until_count: u64,
    pub(super) later: u64,
    pub(super) is_full: bool,
    /// Taken beyond what is allowed.
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
