//! A plan as it grows.

use super::step::{Plan, Step};
use crate::intent::Intent;
use crate::machine::{Kernel, Thread};

/// What is planned so far, and for which machine.
pub(super) struct Planner<'a> {
    pub(super) kernel: &'a dyn Kernel,
    pub(super) all: Vec<Thread>,
    pub(super) plan: Plan,
    pub(super) problems: Vec<String>,
    /// Processors for everything else.
    pub(super) rest: Vec<u32>,
    pub(super) online: Vec<u32>,
}

#[cfg(test)]
impl<'a> Planner<'a> {
    /// The beginning of a plan for a machine of which nothing else is known.
    pub(super) fn of(kernel: &'a dyn Kernel) -> Self {
        let (plan, problems) = (Plan::default(), Vec::new());
        Self { kernel, all: Vec::new(), plan, problems, rest: Vec::new(), online: Vec::new() }
    }
}

impl Planner<'_> {
    pub(super) fn step(&mut self, why: &str, intent: Intent) {
        self.plan.steps.push(Step { intent, why: why.to_owned(), must: true });
    }

    pub(super) fn write(&mut self, why: &str, path: String, text: impl Into<String>) {
        self.step(why, Intent::Write { path, text: text.into() });
    }
}
