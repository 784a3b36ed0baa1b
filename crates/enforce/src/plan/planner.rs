//! A plan as it grows.

use super::step::{Plan, Step};
use crate::intent::Intent;
use crate::machine::{Kernel, Thread, cpu_list};
use std::collections::BTreeSet;

/// What is planned so far, and for which machine.
pub(super) struct Planner<'a> {
    pub(super) kernel: &'a dyn Kernel,
    pub(super) all: Vec<Thread>,
    pub(super) plan: Plan,
    pub(super) problems: Vec<String>,
    /// Processors for everything else: the first root domain.
    pub(super) rest: Vec<u32>,
    /// Those of them that are dispatched.
    pub(super) dispatched: BTreeSet<u32>,
    pub(super) online: Vec<u32>,
}

impl<'a> Planner<'a> {
    /// The beginning of a plan for a machine of which nothing else is to be known.
    pub(super) fn of(kernel: &'a dyn Kernel) -> Self {
        let (plan, problems) = (Plan::default(), Vec::new());
        let (rest, dispatched, online) = (Vec::new(), BTreeSet::new(), Vec::new());
        Self { kernel, all: Vec::new(), plan, problems, rest, dispatched, online }
    }
}

impl Planner<'_> {
    pub(super) fn step(&mut self, why: &str, intent: Intent) {
        self.plan.steps.push(Step { intent, why: why.to_owned(), must: true });
    }

    /// Where interrupts go that the description does not have: to no dispatched processor, if there is another one.
    pub(super) fn elsewhere(&mut self) -> Vec<u32> {
        let rest = self.rest.iter().copied();
        let others: Vec<u32> = rest.filter(|cpu| !self.dispatched.contains(cpu)).collect();
        if !others.is_empty() || self.dispatched.is_empty() {
            return others;
        }
        let all = cpu_list(&self.rest);
        self.plan.doubts.push(format!(
            "every other processor ({all}) is dispatched: the interrupts that leave the cores of Linux go there, and no bound of \
             a dispatched core counts them."
        ));
        self.rest.clone()
    }

    pub(super) fn write(&mut self, why: &str, path: String, text: impl Into<String>) {
        self.step(why, Intent::Write { path, text: text.into() });
    }
}
