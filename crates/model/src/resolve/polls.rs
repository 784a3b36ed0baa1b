//! What a task that polls for ever has not: jobs that come, end, or are waited for.

use super::presence::KeyOf;
use crate::description::{Declared, Task};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span};

impl Task {
    /// Whether it has one job, which never ends.
    pub(crate) fn polls(&self) -> bool {
        self.polls.get().is_some_and(|at| at.value)
    }
}

/// Keys that speak of jobs have no effect.
pub(super) fn check_keys(task: &Declared<Task>, errors: &mut Errors) {
    let Task {
        wcet,
        bcet,
        execution,
        period,
        min_distances,
        deadline,
        latest_interarrival,
        offset,
        communication,
        preemption,
        jitter,
        blocking,
        wakes,
        after,
        learnt,
        ..
    } = &task.body;
    let why = format!("{} polls: its one job is there from the start and never ends", task.name);
    let key = |key| KeyOf { name: &task.name, span: &task.span, key };
    for (name, time) in [
        ("wcet", wcet),
        ("bcet", bcet),
        ("latest-interarrival", latest_interarrival),
        ("offset", offset),
        ("jitter", jitter),
        ("blocking", blocking),
    ] {
        key(name).pointless(time, &why, errors);
    }
    if min_distances.is_absent() {
        key("period").pointless(period, &why, errors);
    }
    key("execution").pointless(execution, &why, errors);
    key("min-distances").pointless(min_distances, &why, errors);
    key("deadline").pointless(deadline, &why, errors);
    key("communication").pointless(communication, &why, errors);
    key("preemption").pointless(preemption, &why, errors);
    key("wakes").pointless(wakes, &why, errors);
    key("after").pointless(after, &why, errors);
    key("learnt").pointless(learnt, &why, errors);
}

/// Something at `span` needs jobs of the task that end; `label` says what for.
pub(super) fn no_jobs(task: &Declared<Task>, span: &Span, label: &str) -> Diagnostic {
    let message = format!("{} polls for ever and has no job that ends", task.name);
    let polls = task.body.polls.get().map_or(&task.span, |at| &at.span);
    Diagnostic::new(Code::PollsForEver, span.clone(), message)
        .label(label)
        .also(polls.clone(), "polls")
        .help("ask it of what the thread does for each item: a task of its own, with its execution time and its period")
}
