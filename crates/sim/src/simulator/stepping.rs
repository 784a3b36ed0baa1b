//! The steps that a simulator takes of its allowance, and the entries that it stores.

use super::Simulator;
use super::allowance::{Allowance, End};
use super::one_core::OneCore;
use vorrang_mechanisms::server::AnyServer;

/// The most stored entries of one core: some 4 MB.
const MOST_KEPT: usize = 1 << 14;

/// Steps at one instant beyond those that are allowed: a burst of jitter or of expired timers may
/// have billions.
const MOST_AT_ONCE: u64 = 1 << 12;

/// This many entities are initialised in about the time of a step.
const SET_UP: u64 = 2;

impl Simulator<'_> {
    /// From here on all runs together take at most this many steps.
    pub fn allow(&mut self, steps: u64) {
        self.cores[self.turn].allowance = Allowance::of(steps);
    }

    /// How many of them are left.
    pub fn steps_left(&self) -> u64 {
        self.cores[self.turn].steps_left()
    }

    pub(super) fn is_over(&self) -> bool {
        self.cores[self.turn].is_over()
    }

    #[inline]
    pub(super) fn is_stuck(&self) -> bool {
        self.cores[self.turn].is_stuck()
    }
}

impl OneCore<'_> {
    /// How many steps are left.
    pub(super) fn steps_left(&self) -> u64 {
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

    /// Counts the stored entries; where the limit is exceeded no further step is taken.
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
