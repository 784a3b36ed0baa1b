//! What a simulator may do and keep before it ends a history early.
//!
//! **Steps.** An instant, a release, a request, a packet, a callback, and the setting up of a
//! history in proportion to its core: each takes about as long as any other. They are counted, never
//! timed, so a history ends at the same instant on every machine. Nothing limits them unless
//! [`Simulator::allow`] does.
//!
//! **Books.** Requests of interrupts that are not handled, jobs that something else activated, and
//! refills of sporadic servers are kept one by one. With more than `MOST_KEPT` of them the
//! history ends: that many wait only where the system drowns. Jobs that arrive by themselves are
//! not among them (`backlog.rs`).
//!
//! What ends early is a shorter history and nothing else: what has arrived and is not complete is
//! reported as unfinished there. An instant that has begun is gone through to its end, unless more
//! than [`MOST_AT_ONCE`] steps of it come after the last that is allowed.

use super::Simulator;
use vorrang_mechanisms::server::AnyServer;

/// Entries of the books of one core: some 4 MB.
const MOST_KEPT: usize = 1 << 14;

/// After so many steps the books are counted once more: they grow by one entry in each.
const BETWEEN_COUNTS: u64 = 1 << 12;

/// Steps at one instant beyond those that are allowed: a burst of jitter or of expired timers may
/// have billions.
const MOST_AT_ONCE: u64 = 1 << 12;

/// So many entities are set up in about the time of a step.
const SET_UP: u64 = 2;

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
    until_count: u64,
    later: u64,
    is_full: bool,
    /// Taken beyond what is allowed.
    beyond: u64,
}

impl Default for Allowance {
    fn default() -> Self {
        Self::of(u64::MAX)
    }
}

impl Allowance {
    fn of(steps: u64) -> Self {
        let until_count = steps.min(BETWEEN_COUNTS);
        Self { until_count, later: steps - until_count, is_full: false, beyond: 0 }
    }

    fn steps(&self) -> u64 {
        self.until_count + self.later
    }

    /// Whether the history must end here.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.until_count == 0
    }
}

impl Simulator<'_> {
    /// From here on all runs together take at most so many steps.
    pub fn allow(&mut self, steps: u64) {
        self.allowance = Allowance::of(steps);
    }

    /// How many of them are left.
    pub fn steps_left(&self) -> u64 {
        self.allowance.steps()
    }

    /// A history begins, if it may.
    pub(super) fn set_up(&mut self) {
        let entities = self.entities.tasks + self.tree.tasks.len();
        self.allowance = Allowance::of(self.steps_left());
        self.take_steps(1 + entities as u64 / SET_UP);
    }

    #[inline]
    pub(super) fn take_step(&mut self) {
        self.take_steps(1);
    }

    #[inline]
    pub(super) fn take_steps(&mut self, steps: u64) {
        if steps < self.allowance.until_count {
            self.allowance.until_count -= steps;
        } else {
            self.take_and_count(steps);
        }
    }

    /// The books are counted; where they are full no further step is taken.
    #[cold]
    fn take_and_count(&mut self, steps: u64) {
        let Allowance { is_full, beyond, .. } = self.allowance;
        let left = self.steps_left().saturating_sub(steps);
        let beyond = if self.is_over() { beyond.saturating_add(steps) } else { 0 };
        let is_full = is_full || left > 0 && self.kept() > MOST_KEPT;
        self.allowance = if is_full {
            Allowance { until_count: 0, later: left, is_full, beyond }
        } else {
            Allowance { beyond, ..Allowance::of(left) }
        };
    }

    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.allowance.is_over()
    }

    /// Whether it must end even in the middle of an instant.
    #[inline]
    pub(super) fn is_stuck(&self) -> bool {
        self.is_over() && self.allowance.beyond > MOST_AT_ONCE
    }

    pub(super) fn end(&self, at_horizon: bool) -> End {
        match self.allowance {
            _ if at_horizon => End::Horizon,
            Allowance { is_full: true, .. } => End::FullBooks,
            allowance if allowance.is_over() => End::OutOfSteps,
            Allowance { .. } => End::SeenEnough,
        }
    }

    fn kept(&self) -> usize {
        let jobs = self.tree.tasks.iter().map(|task| task.backlog.written_down());
        let requests = self.tree.interrupts.iter();
        let requests = requests.map(|state| state.unhandled.len() + state.held.len());
        let refills = self.tree.nodes.iter().map(|node| match &node.server {
            Some(AnyServer::Sporadic(server)) => server.refills(),
            _ => 0,
        });
        jobs.chain(requests).chain(refills).sum()
    }
}
