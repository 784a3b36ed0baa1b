//! Writing down what was found, with what it takes for granted.

use super::{Node, Walk};
use crate::assumed::{assumptions, no_own_storm};
use crate::effort::NoBound;
use crate::finding::{Finding, Form, Local, Method, Reason};
use vorrang_model::system::{InterruptId, RequirementKind, SupplyId, TaskId};
use vorrang_time::Duration;

impl Walk<'_> {
    /// Whether the bound of a task is what is put into words; it may be the last of what handles
    /// an interrupt.
    pub(super) fn is_target(&self, task: TaskId) -> bool {
        match self.target {
            Some(RequirementKind::Deadline(id)) => id == task,
            Some(RequirementKind::HandledWithin(id)) => {
                self.system.interrupt(id).wakes == Some(task)
            }
            None => false,
        }
    }

    /// What the description allows an interrupt in a storm is left out of its own bound and of that
    /// of the task it wakes, and of no other.
    pub(super) fn assume_no_own_storms(&mut self) {
        for (id, interrupt) in self.system.interrupts.iter().enumerate() {
            let finding = match interrupt.wakes {
                Some(task) => &mut self.tasks[task.0],
                None => &mut self.interrupts[id],
            };
            if let Some(finding) = finding.as_mut().filter(|finding| finding.bound.is_some()) {
                finding.assumptions.extend(no_own_storm(self.system, interrupt));
            }
        }
    }

    /// An interrupt that wakes a task is handled when the task's job is complete.
    pub(super) fn woken_tasks_handle(&mut self) {
        for (id, interrupt) in self.system.interrupts.iter().enumerate() {
            if let Some(task) = interrupt.wakes {
                self.interrupts[id] = self.tasks[task.0].clone();
            }
        }
    }

    /// A server may need longer than its period for its budget, or has none at all.
    pub(super) fn no_guarantee(
        &mut self,
        id: SupplyId,
        form: Form,
        needs: Result<Duration, NoBound>,
    ) {
        let reason = self.why.no_guarantee(id, needs);
        self.give_up_below(id, form, &reason);
    }

    pub(super) fn record_bound(
        &mut self,
        node: Node<'_>,
        task: TaskId,
        local: Local,
        found: Result<Duration, NoBound>,
    ) {
        let method = Method { local, form: node.form };
        let finding = match found {
            Ok(bound) => self.proven(node.id, method, bound),
            Err(why) => Finding::none(method, self.why.no_bound(node.id, why)),
        };
        self.record_task(task, finding);
    }

    pub(super) fn record_task(&mut self, task: TaskId, finding: Finding) {
        if self.is_target(task)
            && let Some(reason) = &finding.reason
        {
            self.lines.push(format!("{}: no bound: {reason}", self.system.task(task).name));
        }
        self.tasks[task.0] = Some(finding);
    }

    pub(super) fn record_interrupt(
        &mut self,
        id: InterruptId,
        on: SupplyId,
        method: Method,
        found: Result<Duration, Reason>,
    ) {
        let finding = match found {
            Ok(bound) => self.proven(on, method, bound),
            Err(reason) => {
                if self.target == Some(RequirementKind::HandledWithin(id)) {
                    self.lines
                        .push(format!("{}: no bound: {reason}", self.system.interrupt(id).name));
                }
                Finding::none(method, reason)
            }
        };
        self.interrupts[id.0] = Some(finding);
    }

    pub(super) fn proven(&self, supply: SupplyId, method: Method, bound: Duration) -> Finding {
        let assumptions = assumptions(self.system, supply, method);
        Finding { bound: Some(bound), method, assumptions, reason: None }
    }
}
